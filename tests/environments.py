"""Environments to install into, by uv: pip takes twenty seconds of a processor for the SDK, most of it for bytecode."""

import os
import subprocess
import sys

UV = [sys.executable, "-m", "uv", "--quiet"]


def environment(folder, python=sys.executable):
    """Make an environment of this Python in the folder, without pip; returns its interpreter."""
    _uv("venv", "--clear", "--python", str(python), str(folder))
    return folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def install(python, *requirements):
    """Install into the environment of this interpreter. Fails with what uv says."""
    _uv("pip", "install", "--python", str(python), *map(str, requirements))


def _uv(*arguments):
    # Where a proxy reads along, trust what the system trusts, as pip does.
    env = os.environ | {"UV_SYSTEM_CERTS": "1"}
    done = subprocess.run([*UV, *arguments], env=env, capture_output=True, encoding="utf-8", timeout=900)
    assert done.returncode == 0, done.stderr
