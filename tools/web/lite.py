"""JupyterLite in the site: each chapter as a notebook, with Jupyter's own interface, in a browser.

JupyterLite, its kernel and the widgets' extensions are taken from the packages that are installed
here, and their scripts are stored compressed. Python is the one that the pages have; what IPython
and ipywidgets need is added to it, in one archive.
"""

import hashlib
import io
import json
import re
import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, files, version
from pathlib import Path, PurePosixPath
from typing import Any

import nbformat
from nbformat import NotebookNode

import doors
import of_class
import python_files
import recorded
import runs
from python_files import is_wanted, packed

FOLDER = "lite"
WIDGET = "application/vnd.jupyter.widget-view+json"
KEPT = python_files.HOUSE / "build" / "lite"
NO_PIP = Path(__file__).with_name("no_pip.py")

# The one application of JupyterLite that is here: a notebook to a page. The others would run what
# an address says (`?code=`), or open what is not here.
APP = "notebooks"

# The extensions, and the packages that have them
KERNEL = "@jupyterlite/pyodide-kernel-extension"
EXTENSIONS = {
    KERNEL: "jupyterlite-pyodide-kernel",
    "@jupyter-widgets/jupyterlab-manager": "jupyterlab-widgets",
    "anywidget": "anywidget",
}

# What a notebook needs of Python in a browser, besides what pages have
PACKAGES = [
    "anywidget",
    "asttokens",
    "comm",
    "executing",
    "ipython",
    "ipython-pygments-lexers",
    "ipywidgets",
    "matplotlib-inline",
    "psygnal",
    "pure-eval",
    "pygments",
    "stack-data",
    "typing-extensions",
]

# What of them is for a terminal, for another language, or for JupyterLab
LEFT_OUT = re.compile(
    r"anywidget/labextension/"
    r"|IPython/(external|sphinxext)/"
    r"|IPython/terminal/(?!__init__|pt_inputhooks/__init__)"
    r"|IPython/testing/(?!__init__|skipdoctest)"
    r"|pygments/formatters/(?!__init__|_mapping|html|terminal)"
    r"|pygments/lexers/(?!__init__|_mapping|python)"
    r"|pygments/styles/(?!__init__|_mapping|default)"
)
INTERPRETER = "pyodide_kernel/interpreter.py"
KERNEL_WHEELS = re.compile(r"/pypi/(pyodide_kernel|ipykernel)-.*\.whl$")

# What the kernel would look for elsewhere; it is in the archives
PRELOADED = ["micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython"]

# Plugins that ask for files or pages that are not here, or tell how old a notebook is
DISABLED = [
    "@jupyter-notebook/application-extension:logo",
    "@jupyter-notebook/application-extension:pages",
    "@jupyter-notebook/console-extension",
    "@jupyter-notebook/notebook-extension:checkpoints",
    "@jupyter-notebook/notebook-extension:open-tree-tab",
    "@jupyter-notebook/notebook-extension:tab-icon",
    "@jupyterlab/console-extension",
    "@jupyterlab/notebook-extension:code-console",
    "@jupyterlab/tooltip-extension:consoles",
    "@jupyterlite/notebook-application-extension:logo",
    "@jupyterlite/repl-extension",
]

# Entries of menus that would lead nowhere: there is no console, and no other server
NOT_IN_MENUS = {
    "jp-mainmenu-file": ["filebrowser:open-url", "filemenu:create-console"],
    "jp-mainmenu-run": ["notebook:run-in-console"],
}
SETTINGS = {
    "@jupyterlab/docmanager-extension:plugin": {"autosaveInterval": 10},  # seconds
    "@jupyterlab/mainmenu-extension:plugin": {
        "menus": [
            {"id": menu, "items": [{"command": each, "disabled": True} for each in commands]}
            for menu, commands in NOT_IN_MENUS.items()
        ]
    },
}

# Scripts that look at their own address, by which they find the others
PLAIN_SCRIPTS = re.compile(r"/(remoteEntry|\w+\.worker)\.")
LICENSES = "third-party-licenses.json"
LANGUAGES = {"en": {"displayName": "English", "nativeName": "English"}}
LONG_AGO = "2000-01-01T00:00:00Z"


# the application


def write_app(folder: Path) -> None:
    """Write JupyterLite, its kernel and the widgets' extensions, without the notebooks.

    Nothing of this is of the course, so it is kept in build/lite, by what it was made of.
    """
    kept = KEPT / _digest()
    if not kept.is_dir():
        KEPT.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=KEPT) as temporary:
            made = Path(temporary) / "app"
            for name, content in [*_application(), *_extensions()]:
                _write(made / name, content)
            _write(made / "packages.zip", python_files.compiled(_packages()))
            if not kept.is_dir():  # another build may have been faster
                made.rename(kept)
    shutil.copytree(kept, folder)


def _digest() -> str:
    """Return a digest of the packages, and of the programs that make the application of them."""
    digest = hashlib.sha256()
    for package in sorted({"jupyterlite-core", *EXTENSIONS.values(), *PACKAGES}):
        digest.update(f"{package} {_version(package)}\n".encode())

    programs = (Path(__file__), NO_PIP, Path(python_files.__file__), python_files.COMPILE)
    for path in (python_files.PYODIDE / "package.json", *programs):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        raise SystemExit(f"{package} is missing; expected it from `make site`") from None


def _application() -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of what the application may load."""
    archive = next(
        path
        for name, path in _installed("jupyterlite-core").items()
        if re.search(r"/jupyterlite-app-.*\.tgz$", name)
    )
    contents = {}
    with tarfile.open(archive) as tar:
        for member in tar:
            opened = tar.extractfile(member)
            if opened:
                contents[member.name.removeprefix("package/")] = opened.read()

    bundle = contents[f"build/{APP}/bundle.js"].decode()
    for name, content in contents.items():
        path = PurePosixPath(name)
        if path.suffix == ".js" and path.is_relative_to("build"):
            part = path.stem.split(".")[-1]  # the bundle names its parts by such digests
            if path.is_relative_to(f"build/{APP}") or (len(path.parts) == 2 and part in bundle):
                yield f"{name}.packed", packed(content)
        elif _is_data(path):
            yield name, content


def _is_data(path: PurePosixPath) -> bool:
    if path == PurePosixPath("service-worker.js"):
        return True
    if not path.is_relative_to("build"):
        return False
    is_theme = path.is_relative_to("build/themes") and path.suffix == ".css"
    is_font = path.suffix in (".woff", ".woff2")
    is_named = path.name == LICENSES or path == PurePosixPath("build/schemas/all.json")
    return is_theme or is_font or is_named


def _extensions() -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of the extensions, and of their settings."""
    settings = []
    for extension in EXTENSIONS:
        for name, path in _files_of(extension).items():
            to = f"extensions/{extension}/{name}"
            if re.match(r"schemas/.*\.json$", name):
                settings.append(
                    {
                        "id": f"{extension}:{path.stem}",
                        "raw": "{}",
                        "schema": json.loads(path.read_bytes()),
                        "settings": {},
                        "version": _about(extension)["version"],
                    }
                )
            elif re.match(r"static/.*\.js$", name) and not PLAIN_SCRIPTS.search(name):
                yield f"{to}.packed", packed(path.read_bytes())
            elif re.match(rf"static/(.*\.js|{LICENSES})$", name):
                yield to, path.read_bytes()
    yield "build/schemas/all_federated.json", json.dumps(settings).encode()


def _files_of(extension: str) -> dict[str, Path]:
    """Return the files of an extension, by their names in its folder."""
    found = {}
    for name, path in _installed(EXTENSIONS[extension]).items():
        _, folder, rest = name.partition(f"/labextensions/{extension}/")
        if folder:
            found[rest] = path
    return found


def _about(extension: str) -> dict[str, Any]:
    about: dict[str, Any] = json.loads(_files_of(extension)["package.json"].read_bytes())
    return about


def _installed(package: str) -> dict[str, Path]:
    """Return all files of an installed package, also those outside its own folder."""
    return {file.as_posix(): Path(str(file.locate())) for file in files(package) or []}


# its Python


def _packages() -> bytes:
    """Return what notebooks need of Python besides the pages' archive, as one zip file."""
    contents: dict[str, Path] = {}
    for name in PACKAGES:
        contents |= python_files.installed(name)
    written = {
        name: path.read_bytes()
        for name, path in contents.items()
        if is_wanted(name) and not LEFT_OUT.match(name)
    }

    for name, path in _installed(EXTENSIONS[KERNEL]).items():
        if KERNEL_WHEELS.search(name):
            with zipfile.ZipFile(io.BytesIO(path.read_bytes())) as wheel:
                written |= {each: wheel.read(each) for each in wheel.namelist() if is_wanted(each)}
    written[INTERPRETER] = _completing_without_jedi(written[INTERPRETER])

    # The kernel imports it at its start, and for %pip
    written["piplite/__init__.py"] = written["piplite/piplite.py"] = b""
    written["piplite/cli.py"] = NO_PIP.read_bytes()
    return python_files.zipped(written)


def _completing_without_jedi(source: bytes) -> bytes:
    """Return the module of the interpreter that completes names by itself: jedi is left out."""
    asks, asks_not = b"use_jedi = True", b"use_jedi = False"
    assert source.count(asks) == 1
    return source.replace(asks, asks_not)


# the course in it


def write_notebooks(folder: Path, notebooks: list[Path]) -> dict[str, str]:
    """Write the notebooks, and the list by which JupyterLite finds them.

    Returns the edition of each, which is another as soon as it has changed.
    """
    found, editions = [], {}
    for path in notebooks:
        content = json.dumps(notebook(path)).encode()  # nbformat would write no `trusted`
        _write(folder / "files" / path.name, content)
        editions[path.name] = hashlib.sha256(content).hexdigest()[:10]
        found.append(_listed(path.name, "notebook", size=len(content)))
    top = _listed("", "directory", format="json", content=found)
    _write_json(folder / "api" / "contents" / "all.json", top)

    for name, data in {"all": LANGUAGES, "en": {}}.items():
        about = {"data": data, "message": ""}
        _write_json(folder / "api" / "translations" / f"{name}.json", about)
    return editions


def _listed(name: str, kind: str, **known: Any) -> dict[str, Any]:
    """Return what Jupyter's contents have for a file or a folder."""
    unknown = {"content": None, "format": None, "mimetype": None, "size": None}
    times = {"created": LONG_AGO, "last_modified": LONG_AGO}
    return {"name": name, "path": name, "type": kind, "writable": True, **times, **unknown, **known}


def notebook(path: Path) -> Any:
    """Return the notebook without what is for the other doors.

    Cells that a browser can't run show what they showed when the site was built, below a note.
    """
    ran = runs.run(path)
    about, models = runs.when_and_where(ran), runs.widgets(ran)
    needs = recorded.needs(ran.cells)

    cells, said = [], set()
    for cell in filter(doors.has_page, ran.cells):
        cell.source = doors.lite_text(cell)
        if cell.cell_type == "code":
            cell.source = of_class.source(cell.source)
            cell.execution_count = None
            cell.metadata.trusted = True  # or its HTML is not shown
            need = needs.get(cell.id)
            cell.outputs = _kept(cell.outputs, models) if need else []
            if need and "predict(" not in cell.source:
                note = about.sentence(need, is_first=need not in said)
                cells.append(_note(f"{cell.id}-note", note))
                said.add(need)
        cells.append(cell)

    kernel = {"name": "python", "display_name": "Python (Pyodide)", "language": "python"}
    return nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})


def _note(id: str, html: str) -> Any:
    return nbformat.v4.new_markdown_cell(f"<small>{html}</small>", id=id)


def _kept(outputs: list[Any], models: dict[str, dict[str, Any]]) -> list[Any]:
    """Return what a cell showed, where no program is that its widgets could ask."""
    kept: list[Any] = []
    for output in outputs:
        data = output.get("data", {})
        model = models.get(data.get(WIDGET, {}).get("model_id", ""), {})
        if "outputs" in model:  # outputs that a program has written over
            kept += _kept([NotebookNode(each) for each in model["outputs"]], models)
        elif WIDGET not in data:
            if "execution_count" in output:
                output.execution_count = None
            kept.append(output)
    return kept


def config(app: str, python: str, static: str, editions: dict[str, str]) -> dict[str, Any]:
    """Return JupyterLite's configuration: addresses are relative to its folder, but `themesUrl`."""
    extensions = [
        {"name": extension, **_about(extension)["jupyterlab"]["_build"]} for extension in EXTENSIONS
    ]
    kernel = {
        "disablePyPIFallback": True,
        "pyodideUrl": f"../{static}/lite-python.js",
        "loadPyodideOptions": {
            "pythonURL": f"../{python}/",
            "packagesURL": f"./{app}/packages.zip",
            "packages": PRELOADED,
        },
    }
    return {
        "abvizEditions": editions,
        "appName": "abviz",
        "appUrl": f"/{APP}",
        "baseUrl": "./",
        "contentsAllJsonFile": "all.json",
        "defaultKernelName": "python",
        "disabledExtensions": DISABLED,
        "exposeAppInBrowser": True,
        "faviconUrl": f"../{static}/icon.svg",
        "federated_extensions": extensions,
        "fullLabextensionsUrl": f"./{app}/extensions",
        "fullStaticUrl": f"./{app}/build",
        "licensesUrl": f"{app}/build",
        "litePluginSettings": {f"{KERNEL}:kernel": kernel},
        "notebookPage": APP,
        "settingsOverrides": SETTINGS,
        "settingsUrl": f"./{app}/build/schemas",
        "themesUrl": f"{app}/build/themes",
    }


def _write_json(path: Path, content: Any) -> None:
    _write(path, json.dumps(content).encode())


def _write(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
