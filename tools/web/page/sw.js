// Pages that were visited stay readable without a network. It serves the whole site, and no more;
// JupyterLite, in a folder of its own, has a worker of its own.
//
// Names of folders with files change with their contents, so what is kept of them is never out of
// date. All else is asked for anew while there is a network, even if the browser has it already: a
// page of an earlier edition would ask for files that are gone.

const SITE = self.registration.scope;
const KEPT = `abviz pages ${new URL(SITE).pathname}`; // the same as in offline.js
const NOTEBOOKS = new URL("lite/", SITE).href;
const NAMED_BY_CONTENTS = /^(files|python)-[0-9a-f]{10}\//;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOurs = request.url.startsWith(SITE) && !request.url.startsWith(NOTEBOOKS);
  if (request.method !== "GET" || !isOurs) return;
  const isKnown = NAMED_BY_CONTENTS.test(request.url.slice(SITE.length));
  event.respondWith(isKnown ? known(event) : fresh(event));
});

/** @param {FetchEvent} event for a page, or another file that may have changed */
async function fresh(event) {
  const { request } = event;
  try {
    const response = await fetch(request, { cache: "no-cache" });
    keep(event, response);
    return response;
  } catch (error) {
    const old = await found(request);
    if (old) return old;
    throw error;
  }
}

/** @param {FetchEvent} event for a file, which never changes under its name */
async function known(event) {
  const old = await found(event.request);
  if (old) return old;
  const response = await fetch(event.request);
  keep(event, response);
  return response;
}

/** @param {Request} request */
async function found(request) {
  try {
    const kept = await caches.open(KEPT);
    return await kept.match(withoutHash(request.url));
  } catch {
    // the storage is forbidden
  }
}

/**
 * Keep a copy of the answer, which nobody waits for: there may be no room.
 * @param {FetchEvent} event
 * @param {Response} response
 */
function keep(event, response) {
  if (!response.ok || response.redirected) return;
  const copy = response.clone();
  const kept = caches.open(KEPT).then((all) => all.put(withoutHash(event.request.url), copy));
  event.waitUntil(kept.catch(() => {}));
}

/** @param {string} address */
const withoutHash = (address) => address.split("#")[0];
