// What JupyterLite's kernel loads as Pyodide: that of the pages, with what notebooks need besides.

import { importPacked } from "./packed.js";

/**
 * @param {object} options those of Pyodide, and:
 * @param {string} options.pythonURL the folder with the pages' Python
 * @param {string} options.packagesURL the archive with what notebooks need besides
 * @param {string[]} options.packages what the kernel takes for loaded: it is in the archives
 */
export async function loadPyodide({ pythonURL, packagesURL, packages, ...options }) {
  openWhatIsPacked(pythonURL);
  const archives = [`${pythonURL}packages.zip`, packagesURL].map(async (address) =>
    (await fetch(address)).arrayBuffer(),
  );
  const module = importPacked(`${pythonURL}pyodide.asm.js.packed`);
  const pyodide = await import(`${pythonURL}pyodide.js`);
  const python = await pyodide.loadPyodide({
    ...options,
    indexURL: pythonURL,
    lockFileURL: `${pythonURL}pyodide-lock.json`,
    createPyodideModule: (await module).default,
  });
  for (const archive of archives) {
    python.unpackArchive(await archive, "zip", { extractDir: "/packages" });
  }
  python.runPython('import sys; sys.path.insert(0, "/packages")');
  return python;
}

/**
 * Pyodide asks for its largest file, which is stored compressed.
 * @param {string} folder
 */
function openWhatIsPacked(folder) {
  const plainFetch = self.fetch.bind(self);
  self.fetch = async (address, options) => {
    const url = address instanceof Request ? address.url : `${address}`;
    if (url !== `${folder}pyodide.asm.wasm`) return plainFetch(address, options);

    const response = await plainFetch(`${url}.packed`, options);
    if (!response.ok || !response.body) return response;
    const stream = response.body.pipeThrough(new DecompressionStream("gzip"));
    return new Response(stream, { headers: { "Content-Type": "application/wasm" } });
  };
}
