// SPDX-License-Identifier: Apache-2.0
// Wrong on purpose: check_foreign_text.sh must notice it.
document.body.innerHTML = report.title;
