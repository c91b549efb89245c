// Files that are stored compressed, since a plain server sends nothing compressed.

/** @param {string | URL} address */
export async function openPacked(address) {
  const response = await fetch(address);
  if (!response.ok || !response.body) throw new Error(`${response.status} at ${address}`);
  return response.body.pipeThrough(new DecompressionStream("gzip"));
}

/**
 * The module in a packed file.
 * @param {string | URL} address
 */
export async function importPacked(address) {
  const text = await new Response(await openPacked(address)).text();
  const blob = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  return import(blob);
}

/**
 * Put the stylesheet of a packed file into the page.
 * @param {string | URL} address
 */
export async function putStyle(address) {
  const style = document.createElement("style");
  style.textContent = await new Response(await openPacked(address)).text();
  document.head.append(style);
}
