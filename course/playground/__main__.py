"""python -m course.playground: fetch what lock.json names, verify it, pack it into docs/assets/playground."""

import hashlib
import json
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
OUT = ROOT / "docs" / "assets" / "playground"
# Wheels for Pyodide's Python; the build of Pyodide in lock.json says which platform that is.
PLATFORM = "--python-version 3.14 --implementation cp --abi cp314 --abi abi3 --abi none"
PLATFORM += " --platform pyemscripten_2026_0_wasm32 --platform any --only-binary=:all: --no-deps"


def fetch(into: Path) -> None:
    """Download the files of lock.json with pip and npm into `into`/wheels and `into`/package.

    Raises:
        SystemExit: a file is not the one that the lock names.
        subprocess.CalledProcessError: pip or npm could not get a file; both have said why.
    """
    lock = json.loads((HERE / "lock.json").read_text(encoding="utf-8"))
    wanted = into / "wheels.txt"
    lines = [f"{f['name']}=={f['version']} --hash=sha256:{f['sha256']}\n" for f in lock if f["from"] == "pypi"]
    wanted.write_text("".join(lines), encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "download", "-q", "--disable-pip-version-check", *PLATFORM.split()]
    subprocess.run([*pip, "--require-hashes", "-r", str(wanted), "-d", str(into / "wheels")], check=True)
    npm = shutil.which("npm") or sys.exit("npm was not found. Install Node with npm first.")
    for file in lock:
        if file["from"] == "npm":
            subprocess.run([npm, "pack", "--silent", f"{file['name']}@{file['version']}"], check=True, cwd=into)
            packed = into / f"{file['name']}-{file['version']}.tgz"
            if (found := hashlib.sha256(packed.read_bytes()).hexdigest()) != file["sha256"]:
                sys.exit(f"{packed.name} has the hash {found}, lock.json names {file['sha256']}. Nothing was changed.")
            with tarfile.open(packed) as archive:
                archive.extractall(into, filter="data")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        fetch(Path(folder))
        new = Path(folder, "out")
        command = ["node", HERE / "pack.mjs", ROOT, Path(folder, "wheels"), Path(folder, "package"), new]
        subprocess.run([str(part) for part in command], check=True)
        counted = [f for f in new.iterdir() if f.suffix in (".zip", ".wasm")]
        (new / "sizes.json").write_text(json.dumps({f.name: f.stat().st_size for f in counted}), encoding="utf-8")
        shutil.rmtree(OUT, ignore_errors=True)
        shutil.copytree(new, OUT)
    print(f"{OUT.relative_to(ROOT)}: {sum(f.stat().st_size for f in OUT.iterdir()) / 1e6:.1f} MB")


if __name__ == "__main__":
    main()
