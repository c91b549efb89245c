// What an exported page remembers of its reader. It is written at every change, so that a crash loses nothing.
//
// Two stores hold the same record. localStorage answers at once, and outlives a tab that crashes right after a change,
// but the browser itself takes seconds to write it to disk. IndexedDB is on disk within milliseconds, but is read only
// a moment after the page has opened. Each record has an edition, one more than the one before it: the higher is newer.

const STORE = "pages";

/** What is remembered of one tree, as an address: "#edition=7&search=minimax&rules=". */
export class Memory {
  /** @param {string} name */
  constructor(name) {
    this.name = name;
    this.record = ""; // as it was last read or written
    this.hasWritten = false;
  }

  /** Return the record of localStorage, or "". */
  read() {
    try {
      this.record = localStorage.getItem(this.name) ?? this.record;
    } catch {
      // forbidden: what has been written here is all there is
    }
    return this.record;
  }

  /** Return the record of IndexedDB if it is newer and nothing has been written since the page was opened, or "". */
  async readNewer() {
    const record = (await request("readonly", (store) => store.get(this.name))) ?? "";
    if (this.hasWritten || editionOf(record) <= editionOf(this.read())) return "";
    this.record = record;
    return record;
  }

  /**
   * Write the record; both stores may be full or forbidden. What they held before would be out of
   * date: it goes.
   * @param {string[]} parts
   */
  write(parts) {
    const edition = Math.max(editionOf(this.record), editionOf(this.read())) + 1;
    const record = `#${[`edition=${edition}`, ...parts].join("&")}`;
    this.record = record;
    this.hasWritten = true;
    try {
      localStorage.setItem(this.name, record);
    } catch {
      forget(this.name);
    }
    request("readwrite", (store) => store.put(record, this.name)).then((key) => {
      const isLatest = this.record === record;
      if (key === undefined && isLatest) request("readwrite", (store) => store.delete(this.name));
    });
  }
}

/**
 * A record begins with its edition; one without is the oldest.
 * @param {string} record
 */
function editionOf(record) {
  return Number(record.match(/^#edition=(\d+)/)?.[1] ?? 0);
}

/** @param {string} name */
function forget(name) {
  try {
    localStorage.removeItem(name);
  } catch {
    // forbidden
  }
}

/**
 * The database, which all trees of the page share.
 * @type {Promise<IDBDatabase | null> | undefined}
 */
let connection;

function connect() {
  connection ??= new Promise((done) => {
    try {
      const opening = indexedDB.open("abviz", 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
      opening.onsuccess = () => {
        // the reader deletes it
        opening.result.onversionchange = () => opening.result.close();
        done(opening.result);
      };
      opening.onerror = () => done(null);
    } catch {
      done(null);
    }
  });
  return connection;
}

/**
 * Return what the database answers, once that is on disk; undefined where it cannot.
 * @template T
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<T>} ask
 * @returns {Promise<T | undefined>}
 */
async function request(mode, ask) {
  const database = await connect();
  if (!database) return undefined;
  return new Promise((done) => {
    try {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const answer = ask(transaction.objectStore(STORE));
      transaction.oncomplete = () => done(answer.result);
      transaction.onabort = () => done(undefined);
      transaction.commit();
    } catch {
      // it is closed
      done(undefined);
    }
  });
}
