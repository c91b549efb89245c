// Tells readers who open a page as a file that it needs a server: browsers load modules only from
// one. This script is no module, so it runs without.

if (location.protocol === "file:") {
  const line = document.createElement("p");
  line.className = "warning";
  line.textContent =
    "This page was opened as a file: it can be read, and nothing on it moves or runs. For that, " +
    "run “python3 -m http.server” in the folder of the site, and open http://localhost:8000.";
  document.querySelector("main")?.prepend(line);
}
