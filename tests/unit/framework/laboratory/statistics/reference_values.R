# SPDX-License-Identifier: Apache-2.0
# Writes reference_values.hpp:   Rscript reference_values.R > reference_values.hpp
# R's wilcox.test is exact only without ties and zeros. So this script counts every assignment of signs, or of ranks to
# the first sample, as the definition says. Without ties and zeros it checks that wilcox.test gives the same.
num <- function(x) paste(sprintf("%.17g", x), collapse = ", ")
list_of <- function(x) paste0("{", num(x), "}")

pairs <- list(
  plain   = list(c(125, 115, 130, 140, 140.5, 115.5, 140.2, 125.7, 140.9, 135), c(110, 122, 125, 120, 139, 124, 123, 137, 135.5, 145)),
  zeros   = list(c(125, 115, 130, 140, 140, 115, 140, 125, 140, 135), c(110, 122, 125, 120, 140, 124, 123, 137, 135, 145)),
  ties    = list(c(5, 6, 7, 8, 9, 10, 11, 12), c(4, 7, 6, 9, 7, 12, 9, 10)),
  all_up  = list(c(2, 3, 4, 5, 6, 7), c(1, 2, 3, 4, 5, 6)),
  one     = list(c(3), c(1)),
  two     = list(c(3, 5), c(1, 9)),
  costs   = list(c(91155, 91105, 91430, 91730, 95025, 88700, 89006, 89227, 89220), c(91246, 91013, 91350, 91454, 94385, 88922, 88700, 88700, 88700)),
  small   = list(c(0.11, 0.62, 0.72, 0.28, 0.36, 0.15, 0.99, 0.41, 0.05, 0.67, 0.83), c(0.2, 0.61, 0.7, 0.3, 0.33, 0.25, 0.9, 0.44, 0.15, 0.6, 0.8))
)
long_a <- round(100 * sin(1:80), 0); long_b <- round(100 * sin(1:80 * 1.1 + 0.3), 0) - 5

signed_exact <- function(a, b) {
  d <- (a - b)[a != b]; n <- length(d); if (n == 0) return(c(0, 1))
  r <- rank(abs(d)); v <- sum(r[d > 0])
  sums <- apply(as.matrix(expand.grid(rep(list(c(0, 1)), n))), 1, function(s) sum(s * r))
  c(v, min(1, 2 * min(mean(sums <= v + 1e-9), mean(sums >= v - 1e-9))))
}
rank_sum_exact <- function(a, b) {
  r <- rank(c(a, b)); m <- length(a); u <- sum(r[1:m]); sums <- colSums(matrix(combn(r, m), nrow = m))
  c(u - m * (m + 1) / 2, min(1, 2 * min(mean(sums <= u + 1e-9), mean(sums >= u - 1e-9))))
}
cat("// SPDX-License-Identifier: Apache-2.0\n// Made by: Rscript reference_values.R > reference_values.hpp  (", R.version.string, ")\n#pragma once\n\n#include <cstddef>\n#include <vector>\n\n// clang-format off\nnamespace qapfw::statistics::reference {\n\n", sep = "")

cat("struct PairCase { const char* name; std::vector<double> a, b; double v, exact, corrected, plain; };\ninline const std::vector<PairCase> kSignedRank{\n")
for (name in names(pairs)) {
  a <- pairs[[name]][[1]]; b <- pairs[[name]][[2]]; e <- signed_exact(a, b)
  if (!any(a == b) && !any(duplicated(abs(a - b)))) stopifnot(abs(e[2] - wilcox.test(a, b, paired = TRUE, exact = TRUE)$p.value) < 1e-12)
  p <- function(correct) suppressWarnings(wilcox.test(a, b, paired = TRUE, exact = FALSE, correct = correct)$p.value)
  cat(sprintf("    {\"%s\", %s, %s, %s, %s, %s, %s},\n", name, list_of(a), list_of(b), num(e[1]), num(e[2]), num(p(TRUE)), num(p(FALSE))))
}
p <- function(correct) suppressWarnings(wilcox.test(long_a, long_b, paired = TRUE, exact = FALSE, correct = correct))
cat(sprintf("    {\"long\", %s, %s, %s, -1, %s, %s},\n};\n\n", list_of(long_a), list_of(long_b), num(p(TRUE)$statistic), num(p(TRUE)$p.value), num(p(FALSE)$p.value)))

groups <- list(
  plain = list(c(0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46), c(1.15, 0.88, 0.90, 0.74, 1.21)),
  ties  = list(c(1, 2, 2, 3, 5, 8), c(2, 3, 3, 9, 9, 10, 11)),
  apart = list(c(1, 2, 3, 4), c(5, 6, 7, 8)),
  ones  = list(c(4), c(4.5)),
  two   = list(c(4, 6), c(5)),
  skew  = list(c(1, 1, 1, 1, 2), c(1, 1, 3, 4, 4, 4)),
  times = list(c(0.07, 0.82, 1.38, 2.2, 0.4, 5.1), c(0.9, 1.9, 3.2, 7.7, 1.1, 6, 4.4, 2.2))
)
cat("inline const std::vector<PairCase> kRankSum{\n")
for (name in names(groups)) {
  a <- groups[[name]][[1]]; b <- groups[[name]][[2]]; e <- rank_sum_exact(a, b)
  if (!any(duplicated(c(a, b)))) stopifnot(abs(e[2] - wilcox.test(a, b, exact = TRUE)$p.value) < 1e-12)
  p <- function(correct) suppressWarnings(wilcox.test(a, b, exact = FALSE, correct = correct)$p.value)
  cat(sprintf("    {\"%s\", %s, %s, %s, %s, %s, %s},\n", name, list_of(a), list_of(b), num(e[1]), num(e[2]), num(p(TRUE)), num(p(FALSE))))
}
p <- function(correct) suppressWarnings(wilcox.test(long_a, long_b[1:60], exact = FALSE, correct = correct))
cat(sprintf("    {\"long\", %s, %s, %s, -1, %s, %s},\n};\n\n", list_of(long_a), list_of(long_b[1:60]), num(p(TRUE)$statistic), num(p(TRUE)$p.value), num(p(FALSE)$p.value)))

cat("struct HolmCase { std::vector<double> p, adjusted; };\ninline const std::vector<HolmCase> kHolm{\n")
for (ps in list(c(0.01, 0.04, 0.03, 0.005), c(0.5), c(0.2, 0.2, 0.9), c(1, 1, 1), c(0.001, 0.001, 0.05, 0.2, 0.011, 0.3)))
  cat(sprintf("    {%s, %s},\n", list_of(ps), list_of(p.adjust(ps, "holm"))))
cat("};\n\n")

tables <- list(
  rbind(c(5.40, 5.50, 5.55), c(5.85, 5.70, 5.75), c(5.20, 5.60, 5.50), c(5.55, 5.50, 5.40), c(5.90, 5.85, 5.70), c(5.45, 5.55, 5.60)),
  rbind(c(1, 1, 2, 3), c(2, 1, 1, 1), c(5, 4, 4, 6), c(7, 7, 7, 9), c(2, 3, 3, 1)),
  rbind(c(1, 2, 3, 4, 5), c(1, 2, 3, 5, 4), c(2, 1, 3, 4, 5), c(1, 2, 4, 3, 5), c(1, 3, 2, 4, 5), c(1, 2, 3, 4, 5), c(2, 1, 3, 4, 5)),
  rbind(c(3, 1), c(4, 2), c(1, 5)))
cat("struct FriedmanCase { std::vector<std::vector<double>> rows; std::vector<double> ranks; double chi, p, f, f_p; };\ninline const std::vector<FriedmanCase> kFriedman{\n")
for (t in tables) {
  f <- friedman.test(t); n <- nrow(t); k <- ncol(t); chi <- unname(f$statistic); ff <- (n - 1) * chi / (n * (k - 1) - chi)
  rows <- paste(apply(t, 1, list_of), collapse = ", ")
  cat(sprintf("    {{%s}, %s, %s, %s, %s, %s},\n", rows, list_of(colMeans(t(apply(t, 1, rank)))), num(chi), num(f$p.value), num(ff), num(pf(ff, k - 1, (k - 1) * (n - 1), lower.tail = FALSE))))
}
cat("};\n\nstruct RangeCase { double p; std::size_t k; double q; };\ninline const std::vector<RangeCase> kStudentizedRange{\n")
for (k in c(2, 3, 5, 10, 20)) for (p in c(0.9, 0.95, 0.99)) cat(sprintf("    {%s, %d, %s},\n", num(p), k, num(qtukey(p, k, Inf))))
cat("};\n\nstruct ProbabilityCase { double q; std::size_t k; double p; };\ninline const std::vector<ProbabilityCase> kRangeProbability{\n")
for (k in c(2, 4, 9)) for (q in c(0.5, 2, 3.7, 6)) cat(sprintf("    {%s, %d, %s},\n", num(q), k, num(ptukey(q, k, Inf))))
cat("};\n\n")

samples <- list(
  times = c(0.41, 0.83, 1.02, 1.37, 1.9, 2.25, 2.31, 3.6, 4.4, 7.9),
  large = round(qgamma((1:40 - 0.5) / 40, shape = 2.3, scale = 31.7) + 0.3 * sin(1:40), 3),
  peaked = c(98, 99.5, 100, 100, 100.7, 101, 103.2),
  heavy = c(0.001, 0.004, 0.02, 0.3, 0.9, 4, 11, 38))
cat("struct SampleCase { const char* name; std::vector<double> values; double mean, median, std, mad, q10, q90; };\ninline const std::vector<SampleCase> kDescriptive{\n")
for (name in names(samples)) { x <- samples[[name]]
  cat(sprintf("    {\"%s\", %s, %s, %s, %s, %s, %s, %s},\n", name, list_of(x), num(mean(x)), num(median(x)), num(sd(x)), num(mad(x, constant = 1)), num(quantile(x, 0.1)), num(quantile(x, 0.9)))) }
cat("};\n\n// Likelihood: shape and scale of a gamma distribution; least squares: gamma, normal (mean, sd), exponential (scale), shifted (shift, scale). m30, m60: mean_of_first with p = 30 and 60 of the gamma fit by least squares.\nstruct FitCase { const char* name; std::vector<double> values; std::vector<double> gamma_ml, gamma_ls, normal_ls, exponential_ls, shifted_ls; double m30, m60; };\ninline const std::vector<FitCase> kFits{\n")
ls_fit <- function(x, cdf, start) {
  x <- sort(x); target <- (seq_along(x) - 0.5) / length(x)
  error <- function(q) { e <- sum((cdf(x, q) - target)^2); if (is.finite(e)) e else 1e9 }
  best <- start
  for (k in 1:6) best <- optim(best, error, method = "Nelder-Mead", control = list(reltol = 1e-16, maxit = 20000))$par
  best
}
for (name in names(samples)) {
  x <- samples[[name]]; gap <- log(mean(x)) - mean(log(x))
  shape <- uniroot(function(k) log(k) - digamma(k) - gap, c(1e-3, 1e6), tol = 1e-14)$root; ml <- c(shape, mean(x) / shape)
  u <- mean(x)
  g <- exp(ls_fit(x / u, function(t, q) pgamma(t, exp(q[1]), scale = exp(q[2])), log(c(shape, 1 / shape)))) * c(1, u)
  nm <- ls_fit(x / u, function(t, q) pnorm(t, q[1], exp(q[2])), c(1, log(sd(x) / u))); nm <- c(nm[1], exp(nm[2])) * u
  ex <- exp(optimize(function(q) sum((pexp(sort(x / u), exp(-q)) - (seq_along(x) - 0.5) / length(x))^2), c(-10, 10), tol = 1e-12)$minimum) * u
  sh <- ls_fit(x / u, function(t, q) pexp(pmax(t - q[1], 0), exp(-q[2])), c(min(x) / u, log(1 - min(x) / u))); sh <- c(sh[1], exp(sh[2])) * u
  m <- function(p) integrate(function(t) pgamma(t, g[1], scale = g[2], lower.tail = FALSE)^p, 0, g[1] * g[2], rel.tol = 1e-12, subdivisions = 5000)$value +
                   integrate(function(t) pgamma(t, g[1], scale = g[2], lower.tail = FALSE)^p, g[1] * g[2], 50 * g[1] * g[2], rel.tol = 1e-10, abs.tol = 1e-14, subdivisions = 5000)$value
  cat(sprintf("    {\"%s\", %s, %s, %s, %s, %s, %s, %s, %s},\n", name, list_of(x), list_of(ml), list_of(g), list_of(nm), list_of(ex), list_of(sh), num(m(30)), num(m(60))))
}
cat("};\n\nstruct RateCase { std::size_t hits, runs; double low, high; };\ninline const std::vector<RateCase> kRates{\n")
for (h in list(c(0, 10), c(3, 10), c(10, 10), c(1, 1), c(29, 30))) { i <- binom.test(h[1], h[2])$conf.int; cat(sprintf("    {%d, %d, %s, %s},\n", h[1], h[2], num(i[1]), num(i[2]))) }
cat("};\n\n}  // namespace qapfw::statistics::reference\n// clang-format on\n")
