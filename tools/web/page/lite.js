// Begins JupyterLite, whose scripts are stored compressed: see lite.py.

import { tellOfCopies } from "./lite-copies.js";
import { helpReader } from "./lite-help.js";
import { openPacked } from "./packed.js";

const ROOT = new URL("../", location.href); // of JupyterLite, above the page
const place = /** @type {HTMLElement} */ (document.getElementById("jupyter-config-data"));

// JupyterLite's configuration, in which addresses begin at the server's root

/**
 * @param {Record<string, any>} values
 * @returns {Record<string, any>}
 */
function absolute(values) {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const isAddress = name.endsWith("Url") && value.startsWith(".");
      return [name, isAddress ? new URL(value, ROOT).pathname : value];
    }),
  );
}

const config = absolute(JSON.parse(place.textContent ?? "{}"));
for (const [name, settings] of Object.entries(config.litePluginSettings)) {
  config.litePluginSettings[name] = absolute(settings);
}

// Its scripts: whoever asks for one gets what its packed file holds, under another address.

const APP = new URL(`${config.fullStaticUrl}/../`, ROOT).href;
const address = /** @type {Required<PropertyDescriptor>} */ (
  Object.getOwnPropertyDescriptor(HTMLScriptElement.prototype, "src")
);

/**
 * @param {HTMLScriptElement} script
 * @param {string} packed
 */
async function unpack(script, packed) {
  try {
    const text = await new Response(await openPacked(packed)).text();
    const blob = new Blob([text], { type: "text/javascript" });
    address.set.call(script, URL.createObjectURL(blob));
  } catch {
    script.dispatchEvent(new Event("error"));
  }
}

Object.defineProperty(HTMLScriptElement.prototype, "src", {
  ...address,
  /** @param {string} value */
  set(value) {
    const { href, origin, pathname } = new URL(value, document.baseURI);
    // An extension's first script looks at its own address, to find the others
    const isPacked = href.startsWith(APP) && !pathname.includes("/remoteEntry.");
    if (isPacked) unpack(this, `${origin}${pathname}.packed`);
    else address.set.call(this, value);
  },
});

// Its service worker, by which Python reads files. JupyterLite takes any worker of the page for its
// own, such as that of the site, and would end all those of the server.

/** Let the worker of this folder serve the page, if the one of the site does. */
async function takeOwnWorker() {
  const workers = navigator.serviceWorker;
  if (!workers) return;
  workers.getRegistrations = async () => [];

  if (!workers.controller || workers.controller.scriptURL.startsWith(ROOT.href)) return;
  const taken = new Promise((resolve) => {
    workers.addEventListener("controllerchange", resolve, { once: true });
  });
  try {
    await workers.register(new URL("service-worker.js?enableCache=false", ROOT));
    await taken;
  } catch {
    // forbidden: notebooks run, and Python has no files
  }
}

// The course's own files are asked for anew, or an old one could pass for a new one.

const plainFetch = window.fetch.bind(window);
window.fetch = (asked, options) => {
  const { href } = new URL(asked instanceof Request ? asked.url : asked, document.baseURI);
  const isCourse = [`${ROOT}files/`, `${ROOT}api/`].some((folder) => href.startsWith(folder));
  return plainFetch(asked, isCourse ? { ...options, cache: "no-cache" } : options);
};

await takeOwnWorker();
const name = new URLSearchParams(location.search).get("path") ?? "";
const edition = config.abvizEditions[name];
if (edition) {
  const storageName = `JupyterLite Storage - ${config.baseUrl}`;
  await tellOfCopies({ name, edition, storageName });
}

place.textContent = JSON.stringify(config);
const main = document.createElement("script");
main.src = `${config.fullStaticUrl}/notebooks/bundle.js`;
main.addEventListener("load", () => helpReader(new URL("../", ROOT).href));
document.head.append(main);
