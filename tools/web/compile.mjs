// Compile the Python modules of an archive by Pyodide's own Python, so that no page has to:
//
//     node compile.mjs FOLDER-OF-PYODIDE ARCHIVE COMPILED
//
// COMPILED has what ARCHIVE has, and beside each module of abviz its code, which is used as it is.
// Other packages have their code alone: nobody reads their source on a page.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [folder, archive, compiled] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(join(folder, "pyodide.mjs")).href);
const python = await loadPyodide();

// The folder from which pages import: it is named in the code, too
python.unpackArchive(new Uint8Array(readFileSync(archive)), "zip", { extractDir: "/packages" });
python.runPython(`
import compileall, os, zipfile
from py_compile import PycInvalidationMode

for name in os.listdir("/packages"):
    options = {"quiet": 1, "invalidation_mode": PycInvalidationMode.UNCHECKED_HASH}
    path = os.path.join("/packages", name)
    is_ours = name.startswith("abviz")
    if os.path.isfile(path):
        assert compileall.compile_file(path, legacy=not is_ours, **options)
        if not is_ours:
            os.remove(path)
        continue

    assert compileall.compile_dir(path, legacy=not is_ours, **options)
    for folder, _, names in os.walk(path):
        for each in names:
            if each.endswith(".py") and not is_ours:
                os.remove(os.path.join(folder, each))

found = [os.path.join(folder, name) for folder, _, names in os.walk("/packages") for name in names]
with zipfile.ZipFile("/compiled.zip", "w") as file:
    for path in sorted(found):
        info = zipfile.ZipInfo(os.path.relpath(path, "/packages"))  # with no time
        with open(path, "rb") as content:
            file.writestr(info, content.read(), zipfile.ZIP_DEFLATED, 9)
`);
writeFileSync(compiled, python.FS.readFile("/compiled.zip"));
