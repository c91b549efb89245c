// Python in a worker: Pyodide, abviz, and the session that runs the page's cells (session.py).

import { importPacked } from "./packed.js";

const plainFetch = self.fetch.bind(self);
const { folder, sizes } = await (await plainFetch(new URL("python.json", import.meta.url))).json();
const FOLDER = new URL(`../${folder}/`, import.meta.url);
const all = Object.values(sizes).reduce((sum, size) => sum + size, 0);
const loaded = {};
const isKept = await areKept();

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
  postMessage({ type: "loading", loaded: sum, all, isKept });
}

/** Whether the browser keeps all files already: see sw.js. */
async function areKept() {
  if (!self.caches) return false;
  const addresses = Object.keys(sizes).map((name) => new URL(name, FOLDER).href);
  try {
    const found = await Promise.all(addresses.map((address) => caches.match(address)));
    return found.every(Boolean);
  } catch {
    return false; // the storage is forbidden
  }
}

// Pyodide asks for its files here: the largest is stored compressed.
self.fetch = async (address, options) => {
  const url = new URL(address instanceof Request ? address.url : address, self.location.href);
  const name = url.pathname.split("/").pop();
  const packed = `${name}.packed`;
  if (!url.href.startsWith(FOLDER.href)) return plainFetch(address, options);

  const isPacked = packed in sizes;
  const response = await plainFetch(isPacked ? new URL(packed, FOLDER) : url, options).catch(() => {
    throw failed(name, "no answer");
  });
  if (!response.ok) throw failed(name, response.status);

  let stream = counted(name, response.body);
  if (isPacked) stream = stream.pipeThrough(new DecompressionStream("gzip"));
  const whole = new TransformStream();
  stream.pipeTo(whole.writable).catch(() => failed(name, "incomplete"));
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(whole.readable, { headers: { "Content-Type": type } });
};

/**
 * Tell the page at once: Pyodide may wait for the file forever.
 * @param {string} name of a file
 * @param {string | number} why
 */
function failed(name, why) {
  const text = `${name}: ${why}`;
  postMessage({ type: "not loaded", text });
  return new Error(text);
}

async function begin() {
  const archive = fetch(new URL("packages.zip", FOLDER)).then((each) => each.arrayBuffer());
  const module = importPacked(new URL("pyodide.asm.js.packed", FOLDER));
  const { loadPyodide } = await import(new URL("pyodide.js", FOLDER).href);
  const python = await loadPyodide({
    indexURL: FOLDER.href,
    lockFileURL: new URL("pyodide-lock.json", FOLDER).href,
    createPyodideModule: (await module).default,
  });
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
  (error) => postMessage({ type: "not loaded", text: lastLine(`${error.message ?? error}`) }),
);

/** @param {string} text such as a traceback of Python's */
const lastLine = (text) => text.trim().split("\n").pop();

self.onmessage = async ({ data }) => {
  const own = await session;
  if (data.type === "tell") own.receive(data.text);
  else if (data.type === "answers") own.keep_answers(data.text);
  else postMessage(ran(own, data));
};

/**
 * @param {any} own the session
 * @param {{cell: string, source: string, isQuiet: boolean}} data
 */
function ran(own, { cell, source, isQuiet }) {
  try {
    return { type: "ended", status: own.run(cell, source, isQuiet) };
  } catch {
    return { type: "broken" }; // no exception of the cell: Python itself can't go on
  }
}
