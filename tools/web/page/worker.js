// Python in a worker: Pyodide, abviz, and the session that runs the page's cells (session.py).

const plainFetch = self.fetch.bind(self);
const { folder, sizes } = await (await plainFetch(new URL("python.json", import.meta.url))).json();
const FOLDER = new URL(`../${folder}/`, import.meta.url);
const all = Object.values(sizes).reduce((sum, size) => sum + size, 0);
const loaded = {};

/**
 * The stream, whose progress the page hears of.
 * @param {string} name
 * @param {ReadableStream<Uint8Array>} stream
 */
function counted(name, stream) {
  loaded[name] = 0;
  const count = new TransformStream({
    transform(chunk, controller) {
      loaded[name] += chunk.length;
      tellProgress();
      controller.enqueue(chunk);
    },
  });
  return stream.pipeThrough(count);
}

function tellProgress() {
  const sum = Object.values(loaded).reduce((one, other) => one + other, 0);
  postMessage({ type: "loading", loaded: sum, all });
}

// Pyodide asks for its files here: the large one is stored compressed.
self.fetch = async (address, options) => {
  const url = new URL(address instanceof Request ? address.url : address, self.location.href);
  const name = url.pathname.split("/").pop();
  const packed = `${name}.packed`;
  if (!url.href.startsWith(FOLDER.href)) return plainFetch(address, options);

  const isPacked = packed in sizes;
  const response = await plainFetch(isPacked ? new URL(packed, FOLDER) : url, options);
  if (!response.ok) return response;
  let stream = counted(name, response.body);
  if (isPacked) stream = stream.pipeThrough(new DecompressionStream("gzip"));
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(stream, { headers: { "Content-Type": type } });
};

async function begin() {
  const archive = fetch(new URL("packages.zip", FOLDER)).then((each) => each.arrayBuffer());
  const { loadPyodide } = await import(new URL("pyodide.js", FOLDER).href);
  const python = await loadPyodide({
    indexURL: FOLDER.href,
    lockFileURL: new URL("pyodide-lock.json", FOLDER).href,
  });
  loaded["pyodide.asm.js"] = sizes["pyodide.asm.js"]; // which is loaded as a module
  python.unpackArchive(await archive, "zip", { extractDir: "/packages" });
  python.globals.set("post", (text) => postMessage(JSON.parse(text)));
  python.runPython(`
import sys
sys.path.insert(0, "/packages")
from abviz_session import Session
session = Session(post)
`);
  return python.globals.get("session");
}

const session = begin();
session.then(
  () => postMessage({ type: "ready" }),
  (error) => postMessage({ type: "broken", text: `${error.message ?? error}` }),
);

self.onmessage = async ({ data }) => {
  const own = await session;
  if (data.type === "tell") own.receive(data.text);
  else if (data.type === "answers") own.keep_answers(data.text);
  else postMessage({ type: "ended", status: own.run(data.cell, data.source, data.isQuiet) });
};
