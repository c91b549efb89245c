// Pages that were visited stay readable without a network. It serves the whole site, and no more.
//
// Names of folders with files change with their contents, so what is kept of them is never out of
// date. A page is asked for anew while there is a network.

const KEPT = "abviz pages";

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const isOurs = request.url.startsWith(self.registration.scope);
  if (request.method !== "GET" || !isOurs) return;
  event.respondWith(request.mode === "navigate" ? fresh(request) : known(request));
});

/** @param {Request} request for a page, which may have changed */
async function fresh(request) {
  const kept = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.ok) await kept.put(withoutHash(request.url), response.clone());
    return response;
  } catch (error) {
    const old = await kept.match(withoutHash(request.url));
    if (old) return old;
    throw error;
  }
}

/** @param {Request} request for a file, which never changes under its name */
async function known(request) {
  const kept = await caches.open(KEPT);
  const old = await kept.match(request.url);
  if (old) return old;
  const response = await fetch(request);
  if (response.ok) await kept.put(request.url, response.clone());
  return response;
}

/** @param {string} address */
const withoutHash = (address) => address.split("#")[0];
