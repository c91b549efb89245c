"""The Python of the pages: Pyodide, and one archive with abviz and what it needs in a browser.

Both are taken from what is installed here: Pyodide from node_modules, by the hashes of
package-lock.json, and the packages from this environment, in the versions of constraints.txt.
"""

import gzip
import hashlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from importlib.metadata import files, version
from pathlib import Path

import of_class
from abviz.course import FILE
from abviz.exercises.exercise import TEXTS, texts
from abviz.tree.files import write_whole

HOUSE = Path(__file__).resolve().parents[2]
PYODIDE = HOUSE / "node_modules" / "pyodide"
ESBUILD = HOUSE / "node_modules" / ".bin" / "esbuild"
COMPILE = Path(__file__).with_name("compile.mjs")
KEPT = HOUSE / "build" / "python"  # archives that were compiled before
NO_NODE = "no Node is here, which compiles what pages import; expected it from `make site`"
NO_NODE_MODULES = "node_modules lacks what the site is made of; expected it from `make site`"
SESSION = Path(__file__).with_name("session.py")

# What abviz imports in a browser. The rest of its dependencies is compiled, or for JupyterLab.
PACKAGES = ["graphviz", "pyyaml", "traitlets"]

# Everything else of a package: its tests, what it has for notebooks' servers, compiled parts; and
# of abviz, what grades a class.
WANTED = {".py", ".json", ".yaml", ".js", ".css"}
LEFT_OUT = (
    "/abviz/grading/",
    "/tests/",
    "/nbextension/",
    "/notebooks/",
    "/lab_defaults/",
    "/timing/charts.mplstyle",
)

# Each time in the archive is the same, so that the same files give the same archive.
NO_TIME = (1980, 1, 1, 0, 0, 0)


def packed(content: bytes) -> bytes:
    """Return the content as the pages open it: plain servers send nothing compressed."""
    return gzip.compress(content, compresslevel=9, mtime=0)


def smaller(text: str, kind: str, *, keeps_names: bool = False) -> str:
    """Return a script ("js") or a stylesheet ("css") without what only its readers need.

    The functions of a script may keep the names by which errors call them.
    """
    if not ESBUILD.is_file():
        raise SystemExit(NO_NODE_MODULES)
    command = [ESBUILD, "--minify", f"--loader={kind}", "--log-level=error"]
    if keeps_names:
        command.append("--keep-names")
    return subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout


def write_python(folder: Path) -> dict[str, int]:
    """Write Pyodide and the archive; return the bytes of each file that a page loads."""
    if not PYODIDE.is_dir():
        raise SystemExit(NO_NODE_MODULES)

    folder.mkdir(parents=True, exist_ok=True)
    written = {
        # Browsers load modules by an ending that servers know as JavaScript.
        "pyodide.js": (PYODIDE / "pyodide.mjs").read_bytes(),
        "pyodide.asm.js.packed": packed((PYODIDE / "pyodide.asm.mjs").read_bytes()),
        "pyodide.asm.wasm.packed": packed((PYODIDE / "pyodide.asm.wasm").read_bytes()),
        "python_stdlib.zip": (PYODIDE / "python_stdlib.zip").read_bytes(),
    }

    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    lock["packages"] = {}  # all that is loaded is in the archive
    written["pyodide-lock.json"] = json.dumps(lock).encode()
    written["packages.zip"] = compiled(archive())

    for name, content in written.items():
        (folder / name).write_bytes(content)
    return {name: len(content) for name, content in written.items()}


def archive() -> bytes:
    """Return the packages as one zip file."""
    contents = {f"abviz/{path.relative_to(HOUSE / 'abviz').as_posix()}": path for path in own()}
    contents |= {f"abviz/trees/{path.name}": path for path in (HOUSE / "trees").glob("*.yaml")}
    contents["abviz_session.py"] = SESSION
    for name in PACKAGES:
        contents |= installed(name)
    written = {name: path.read_bytes() for name, path in contents.items() if is_wanted(name)}
    written[TEXTS.relative_to(HOUSE).as_posix()] = json.dumps(texts()).encode()
    if content := of_class.content():
        written[FILE.name] = content

    return zipped(written)


def zipped(contents: dict[str, bytes]) -> bytes:
    """Return these files as a zip file."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as file:
        for name in sorted(contents):
            file.writestr(zipfile.ZipInfo(name, NO_TIME), contents[name], 8, 9)
    return buffer.getvalue()


def compiled(content: bytes) -> bytes:
    """Return the archive with the code of its modules, compiled for the pages' Python.

    It is kept in build/python, by what it is made from.
    """
    made_from = content + COMPILE.read_bytes() + (PYODIDE / "package.json").read_bytes()
    kept = KEPT / f"{hashlib.sha256(made_from).hexdigest()[:16]}.zip"
    if not kept.is_file():
        KEPT.mkdir(parents=True, exist_ok=True)
        write_whole(kept, _compile(content))
    return kept.read_bytes()


def _compile(content: bytes) -> bytes:
    here = Path(sys.executable).parent
    node = shutil.which("node", path=f"{here}{os.pathsep}{os.environ.get('PATH', '')}")
    if node is None:
        raise SystemExit(NO_NODE)

    with tempfile.TemporaryDirectory() as folder:
        before, after = Path(folder, "before.zip"), Path(folder, "after.zip")
        before.write_bytes(content)
        subprocess.run([node, COMPILE, PYODIDE, before, after], check=True)
        return after.read_bytes()


def own() -> list[Path]:
    return [path for path in (HOUSE / "abviz").rglob("*") if path.is_file()]


def installed(package: str) -> dict[str, Path]:
    """Return the files of an installed package, by their names in the archive."""
    found = {}
    for file in files(package) or []:
        is_metadata = file.parts[0].endswith(".dist-info") and file.name == "METADATA"
        if ".." not in file.parts and (is_metadata or not file.parts[0].endswith(".dist-info")):
            found[file.as_posix()] = Path(str(file.locate()))
    return found


def is_wanted(name: str) -> bool:
    if any(part in f"/{name}" for part in (*LEFT_OUT, "__pycache__")):
        return False
    return Path(name).suffix in WANTED or name.endswith("METADATA")


def versions() -> dict[str, str]:
    """Return the version of each package of the archive, for the page that names them."""
    return {name: version(name) for name in PACKAGES}
