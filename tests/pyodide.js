// Pyodide, the Python of a browser, in Node: `openPython` loads it, `runPython` runs code there.

import { loadPyodide } from "pyodide";

let pyodide;

/** Load Pyodide, with these folders of this machine under `/packages`, where Python finds them. */
globalThis.openPython = async (folders) => {
  pyodide = await loadPyodide({
    env: { HOME: "/home/pyodide", PYTHONDONTWRITEBYTECODE: "1" },
    stdout: console.error, // what is printed must not mix with the answers of the process
  });
  for (const [name, folder] of Object.entries(folders)) {
    pyodide.mountNodeFS(`/packages/${name}`, folder);
  }
  pyodide.runPython("import sys; sys.path.append('/packages')");
  return pyodide.version;
};

/** Run the code and return the value of its last expression: a text, a number or nothing. */
globalThis.runPython = async (code) => {
  try {
    return (await pyodide.runPythonAsync(code)) ?? null;
  } catch (problem) {
    // Python's own lines, and none of Node's
    throw Object.assign(new Error(problem.message), { stack: problem.message });
  }
};
