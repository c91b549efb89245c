// A notebook that was changed stays in the browser, and hides the one of the course. When that has
// changed as well, the reader is offered it, and the copy stays under another name.

import { button, html } from "./elements.js";
import { putNote } from "./note.js";

const OLD = ", mine until ";

/**
 * @template T
 * @param {IDBRequest<T>} request
 * @returns {Promise<T>}
 */
function answered(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * What JupyterLite keeps; undefined where that is nothing yet, or forbidden.
 * @param {string} name
 * @returns {Promise<IDBDatabase | undefined>}
 */
async function opened(name) {
  try {
    const request = indexedDB.open(name);
    request.onupgradeneeded = () => request.transaction?.abort(); // it is not there: leave it so
    const storage = await answered(request);
    if (storage.objectStoreNames.contains("files")) return storage;
    storage.close();
  } catch {
    // as said
  }
}

/**
 * Give the copy another name; all of it is done, or nothing.
 * @param {string} storageName
 * @param {string} name
 * @param {string[]} taken
 */
async function moveAway(storageName, name, taken) {
  const storage = await opened(storageName);
  if (!storage) return;
  const stem = `${name.replace(/\.ipynb$/, "")}${OLD}${new Date().toISOString().slice(0, 10)}`;
  let to = `${stem}.ipynb`;
  for (let count = 2; taken.includes(to); count += 1) to = `${stem} (${count}).ipynb`;

  const transaction = storage.transaction("files", "readwrite");
  const files = transaction.objectStore("files");
  const copy = await answered(files.get(name));
  files.put({ ...copy, name: to, path: to }, to);
  files.delete(name);
  await new Promise((resolve, reject) => {
    transaction.oncomplete = resolve;
    transaction.onabort = () => reject(transaction.error);
  });
  storage.close();
}

/**
 * Say whether the reader's copy is of an earlier edition, or where an earlier copy is.
 * @param {object} options
 * @param {string} options.name the notebook
 * @param {string} options.edition what the course has under this name
 * @param {string} options.storageName where JupyterLite keeps what was changed
 */
export async function tellOfCopies({ name, edition, storageName }) {
  const storage = await opened(storageName);
  const names = storage
    ? (await answered(storage.transaction("files").objectStore("files").getAllKeys())).map(String)
    : [];
  storage?.close();

  const key = `abviz lite ${storageName} ${name}`;
  if (!names.includes(name)) {
    remember(key, edition);
  } else if (remembered(key) !== edition) {
    const isKnown = remembered(key) !== "";
    offer(isKnown ? "has a newer one" : "may have a newer one", async () => {
      await moveAway(storageName, name, names);
      remember(key, edition);
      location.reload();
    });
    return;
  }

  const earlier = names.filter((each) => each.startsWith(name.replace(/\.ipynb$/, OLD)));
  if (earlier.length) sayWhere(earlier);
}

/** @param {string} key */
function remembered(key) {
  try {
    return localStorage.getItem(key) ?? "";
  } catch {
    return "";
  }
}

/**
 * @param {string} key
 * @param {string} edition
 */
function remember(key, edition) {
  try {
    localStorage.setItem(key, edition);
  } catch {
    // full or forbidden: it will say "may have"
  }
}

/**
 * @param {string} what
 * @param {() => Promise<void>} open
 */
function offer(what, open) {
  const text = html("span");
  text.textContent = `You have changed this notebook, and the course ${what}. Yours is kept.`;
  const openIt = button("way", "Open the newer one", async () => {
    openIt.disabled = true;
    try {
      await open();
    } catch {
      text.textContent = "The browser could not move your copy: it is as it was.";
    }
  });
  putNote(text, openIt, "Not now");
}

/** @param {string[]} earlier */
function sayWhere(earlier) {
  const text = html("span");
  text.append(earlier.length === 1 ? "Your earlier copy: " : "Your earlier copies: ");
  for (const [place, name] of earlier.entries()) {
    const link = html("a", { href: `?path=${encodeURIComponent(name)}` });
    link.textContent = name.replace(/\.ipynb$/, "");
    text.append(place ? ", " : "", link);
  }
  putNote(text, "", "Close");
}
