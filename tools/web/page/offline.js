// What makes the site readable without a network: pages that were visited, and all of it if asked.

import { button, html } from "./elements.js";

const KEPT = "abviz pages"; // the same as in sw.js
const ROOT = new URL("../", import.meta.url);

/** Begin to keep what is visited; nothing happens where the browser doesn't allow it. */
export async function keepVisited() {
  if (!navigator.serviceWorker || !isSecureContext) return;
  try {
    await navigator.serviceWorker.register(new URL("sw.js", ROOT));
    const own = performance
      .getEntriesByType("resource")
      .map(({ name }) => name)
      .filter((name) => name.startsWith(ROOT.href));
    await keep([location.href.split("#")[0], ...own], () => {});
    document.documentElement.dataset.kept = "";
  } catch {
    // without a network it will not open, as any page
  }
}

/**
 * Keep these files, where they are not kept yet.
 * @param {string[]} addresses
 * @param {(count: number) => void} tell how many are kept
 */
async function keep(addresses, tell) {
  const kept = await caches.open(KEPT);
  let count = 0;
  for (const address of addresses) {
    if (!(await kept.match(address))) await kept.add(address);
    count += 1;
    tell(count);
  }
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
      await keep(addresses, (count) => {
        status.textContent = `${Math.round((100 * count) / addresses.length)} %`;
      });
      await forgetOthers(new Set(addresses));
      status.textContent = "The course opens without a network now.";
    } catch {
      status.textContent = "Not all of it could be kept: try again with a network, or more room.";
      all.disabled = false;
    }
  }
}
