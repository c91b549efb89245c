// What makes the site readable without a network: pages that were visited, and all of it if asked.

import { button, html } from "./elements.js";

const ROOT = new URL("../", import.meta.url);
const KEPT = `abviz pages ${ROOT.pathname}`; // the same as in sw.js
const NAMED_BY_CONTENTS = /^(files|python)-[0-9a-f]{10}\//;

/** Begin to keep what is visited; nothing happens where the browser doesn't allow it. */
export async function keepVisited() {
  if (!navigator.serviceWorker || !isSecureContext) return;
  try {
    await navigator.serviceWorker.register(new URL("sw.js", ROOT));
    const own = performance
      .getEntriesByType("resource")
      .map(({ name }) => name)
      .filter((name) => name.startsWith(ROOT.href));
    await keep(await missing([location.href.split("#")[0], ...own]), () => {});
    document.documentElement.dataset.kept = "";
  } catch {
    // without a network it will not open, as any page
  }
}

/**
 * Those of the files that are not kept yet.
 * @param {string[]} addresses
 */
async function missing(addresses) {
  const kept = await caches.open(KEPT);
  const found = await Promise.all(addresses.map((address) => kept.match(address)));
  return addresses.filter((_, place) => !found[place]);
}

/** @param {string} address of a file that never changes under its name */
const isNamedByContents = (address) => NAMED_BY_CONTENTS.test(address.slice(ROOT.href.length));

/**
 * Keep these files, as the server has them now.
 * @param {string[]} addresses
 * @param {(count: number) => void} tell how many are kept
 */
async function keep(addresses, tell) {
  const kept = await caches.open(KEPT);
  for (const [place, address] of addresses.entries()) {
    const cache = isNamedByContents(address) ? "default" : "no-cache";
    await kept.add(new Request(address, { cache }));
    tell(place + 1);
  }
}

/**
 * Keep all of the site. Pages come last: if it ends halfway, those of before have all their files.
 * @param {string[]} addresses
 * @param {(part: number) => void} tell how much of it is kept, from 0 to 1
 */
async function keepAll(addresses, tell) {
  const files = await missing(addresses.filter(isNamedByContents));
  const pages = addresses.filter((address) => !isNamedByContents(address));
  const wanted = [...files, ...pages];
  const before = addresses.length - wanted.length;
  await keep(wanted, (count) => tell((before + count) / addresses.length));
  await forgetOthers(new Set(addresses));
}

/**
 * Forget the files of earlier editions.
 * @param {Set<string>} current
 */
async function forgetOthers(current) {
  const kept = await caches.open(KEPT);
  for (const { url } of await kept.keys()) if (!current.has(url)) await kept.delete(url);
}

/**
 * A button that keeps the whole site.
 * @param {HTMLElement} place
 */
export function offerToKeepAll(place) {
  if (!navigator.serviceWorker || !isSecureContext) return;
  const status = html("span", { role: "status" });
  const all = button("way plain", `Keep offline (${place.dataset.megabytes} MB)`, act);
  place.append(all, " ", status);

  async function act() {
    all.disabled = true;
    try {
      /** @type {string[]} */
      const files = await (await fetch(new URL("files.json", ROOT), { cache: "no-cache" })).json();
      const addresses = files.map((name) => new URL(name, ROOT).href);
      await keepAll(addresses, (part) => {
        status.textContent = `${Math.round(100 * part)} %`;
      });
      status.textContent = "The course opens without a network now.";
    } catch {
      status.textContent = "Not all of it could be kept: try again with a network, or more room.";
      all.disabled = false;
    }
  }
}
