# SPDX-License-Identifier: Apache-2.0
"""wheel.py BUILD OUT: makes the wheel from a build folder: package, library, program and plugins, for any CPython from 3.11 on.

The platform tag follows from the versions of the symbols that the binaries need, as auditwheel does it: the wheel runs where
glibc is at least as new. Libraries that not every Linux has are put into the wheel, beside the engine's library."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
import tempfile
import tomllib
import zipfile
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[1]
MOST_BYTES = 12_000_000

#: Libraries that every Linux with glibc has (PEP 600).
EVERYWHERE = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libgcc_s.so.1", "libstdc++.so.6",
              "libz.so.1", "ld-linux-x86-64.so.2"}
#: For each kind of symbol of libstdc++: pairs of two versions. The first is the highest symbol version in a release of
#: libstdc++. The second is the minor version of glibc 2 in distributions with that release.
STANDARD_LIBRARY = {"GLIBCXX": [((3, 4, 25), 28), ((3, 4, 28), 31), ((3, 4, 29), 34), ((3, 4, 30), 35), ((3, 4, 32), 38),
                                ((3, 4, 33), 39)],
                    "CXXABI": [((1, 3, 11), 28), ((1, 3, 12), 31), ((1, 3, 13), 34), ((1, 3, 14), 38), ((1, 3, 15), 39)]}


def output_of(*command: str | Path) -> str:
    """Standard output of a program. If the program fails, this script ends with the program's message."""
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"wheel.py: {' '.join(map(str, command))} failed: {done.stderr.strip()}")
    return done.stdout


def needed_libraries(binary: Path) -> dict[str, str]:
    """Names of the libraries that a binary is linked to, with their paths on this machine."""
    names = re.findall(r"NEEDED +(\S+)", output_of("objdump", "-p", binary))
    places = dict(re.findall(r"(\S+) => (\S+)", output_of("ldd", binary)))
    return {name: places.get(name, "") for name in names}


def glibc_minor(binary: Path) -> int:
    """The least minor version of glibc 2 with which a binary runs."""
    least = 17
    for name, text in re.findall(r"\b(GLIBC|GLIBCXX|CXXABI)_([0-9.]+)", output_of("objdump", "-p", binary)):
        version = tuple(map(int, text.split(".")))
        if name == "GLIBC":
            least = max(least, version[1])
            continue
        known = [minor for most, minor in STANDARD_LIBRARY[name] if version <= most]
        if not known:
            sys.exit(f"wheel.py: {binary.name} needs {name}_{text}, but STANDARD_LIBRARY lists only older versions")
        least = max(least, known[0])
    return least


def collect(build: Path, stage: Path) -> dict[str, Path]:
    """The files of the wheel: name in the wheel -> file on disk. Installs the build into `stage` first."""
    output_of("cmake", "--install", build, "--prefix", stage, "--component", "program", "--strip")
    engine = {"bin/qapfw": stage / "bin/qapfw", "lib/libqapfw.so.1": (stage / "lib/libqapfw.so.1").resolve(),
              "share/qapfw/result.schema.json": stage / "share/qapfw/result.schema.json"}
    for folder in ("lib/qapfw/plugins-2", "share/qapfw/configs"):
        engine |= {str(file.relative_to(stage)): file for file in sorted((stage / folder).rglob("*")) if file.is_file()}
    for binary in binaries(engine):
        for name, place in needed_libraries(binary).items():
            if name not in EVERYWHERE:
                engine.setdefault(f"lib/{name}", Path(place).resolve())
    files = {f"qapfw/{file.name}": file for file in sorted((SOURCE / "qapfw").iterdir()) if file.is_file()}
    return files | {f"qapfw/engine/{name}": file for name, file in engine.items()}


def binaries(files: dict[str, Path]) -> list[Path]:
    """Files in ELF format."""
    return [file for file in list(files.values()) if file.read_bytes()[:4] == b"\x7fELF"]


def metadata(project: dict[str, object]) -> str:
    """The file METADATA."""
    head = {"Metadata-Version": "2.1", "Name": project["name"], "Version": project["version"],
            "Summary": project["description"], "License": "Apache-2.0", "Requires-Python": project["requires-python"],
            "Description-Content-Type": "text/markdown"}
    lines = [f"{key}: {value}" for key, value in head.items()]
    lines += [f"Classifier: {classifier}" for classifier in project["classifiers"]]  # type: ignore[attr-defined]
    return "\n".join(lines) + "\n\n" + (SOURCE / "README.md").read_text(encoding="utf-8").replace("(../docs/", "(docs/")


def write(wheel: Path, files: dict[str, Path], texts: dict[str, str], info: str) -> None:
    """Writes the archive. The same files give the same bytes."""
    record = []
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content, mode in [*((name, file.read_bytes(), file.stat().st_mode) for name, file in files.items()),
                                    *((name, text.encode(), 0o644) for name, text in texts.items())]:
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if mode & 0o111 else 0o100644) << 16
            archive.writestr(entry, content)
            digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record.append(f"{name},sha256={digest},{len(content)}")
        archive.writestr(zipfile.ZipInfo(f"{info}/RECORD"), "\n".join([*record, f"{info}/RECORD,,"]) + "\n")


def main() -> None:
    """Makes the wheel and prints its path."""
    if len(sys.argv) != 3:
        sys.exit("usage: wheel.py BUILD OUT")
    build, out = map(Path, sys.argv[1:])
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    with tempfile.TemporaryDirectory() as stage:
        files = collect(build, Path(stage))
        tag = f"py3-none-manylinux_2_{max(map(glibc_minor, binaries(files)))}_x86_64"
        info = f"qapfw-{project['version']}.dist-info"
        texts = {f"{info}/METADATA": metadata(project),
                 f"{info}/WHEEL": f"Wheel-Version: 1.0\nGenerator: wheel.py\nRoot-Is-Purelib: false\nTag: {tag}\n",
                 f"{info}/entry_points.txt": "[console_scripts]\nqapfw = qapfw.__main__:main\n",
                 f"{info}/LICENSE": (SOURCE.parent / "LICENSE").read_text(encoding="utf-8")}
        out.mkdir(parents=True, exist_ok=True)
        wheel = out / f"qapfw-{project['version']}-{tag}.whl"
        write(wheel, files, texts, info)
    if wheel.stat().st_size > MOST_BYTES:
        sys.exit(f"wheel.py: {wheel}: it has {wheel.stat().st_size} bytes; at most {MOST_BYTES} are wanted")
    print(wheel)


if __name__ == "__main__":
    main()
