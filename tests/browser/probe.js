// What the tests ask a page about its steppers.

window.probe = {
  heard: [], // keys, and whether their default was prevented

  node(root, name) {
    return [...root.querySelectorAll("[data-node]")].find((node) => node.dataset.node === name);
  },

  /** All that a stepper says at its step. */
  look(root) {
    const text = (selector) => root.querySelector(selector).textContent;
    const rows = [...root.querySelectorAll(".abviz-stack tr")].slice(1);
    return {
      step: root.dataset.step,
      steps: root.dataset.steps,
      says: text(".abviz-says"),
      counts: text(".abviz-counts"),
      nodes: [...root.querySelectorAll("[data-node]")].map((node) => {
        const { node: name, alpha, beta, bv, state } = node.dataset;
        const numbers = [...node.querySelectorAll(".abviz-number")].map(
          (number) => number.textContent,
        );
        return [
          name,
          alpha,
          beta,
          bv,
          state,
          numbers,
          node.querySelector(".abviz-mark")?.textContent ?? "",
        ];
      }),
      cuts: [...root.querySelectorAll("[data-edge][data-cut]")].map(({ dataset }) => [
        dataset.edge,
        dataset.cut,
      ]),
      stack: rows.map((row) => [...row.children].map((cell) => cell.textContent)),
      code: root.querySelector(".abviz-code [aria-current]")?.textContent ?? null,
      lit: [...root.querySelectorAll(".abviz-lit-alpha, .abviz-lit-beta")].map((lit) => [
        lit.dataset.node ? "node" : "edge",
        lit.dataset.node ?? lit.dataset.edge,
        lit.matches(".abviz-lit-alpha") ? "alpha" : "beta",
      ]),
    };
  },

  /** The whole DOM below an element as text: the same text, the same DOM. */
  dom(root) {
    const parts = [];
    const walk = (node) => {
      if (node.nodeType === Node.TEXT_NODE) parts.push(JSON.stringify(node.data));
      if (node.nodeType !== Node.ELEMENT_NODE) return;
      const attributes = [...node.attributes].map(({ name, value }) =>
        name === "class" ? [name, [...node.classList].sort().join(" ")] : [name, value],
      );
      // a class that came and went leaves class="", a key that was pressed what keeps it from JupyterLab
      const said = attributes
        .filter(
          ([name, value]) => name !== "data-lm-suppress-shortcuts" && (name !== "class" || value),
        )
        .sort();
      parts.push(
        node.localName,
        JSON.stringify(said),
        "value" in node ? String(node.value) : "",
        "(",
      );
      node.childNodes.forEach(walk);
      parts.push(")");
    };
    walk(root);
    return parts.join(" ");
  },

  /** How high the stepper is, and where in it everything in the picture is, whatever has been scrolled. */
  places(root) {
    const { x, y, height: high } = root.getBoundingClientRect();
    const pane = root.querySelector(".abviz-tree");
    const round = (...numbers) => numbers.map((number) => Math.round(number * 10) / 10);
    const shapes = [
      ...root.querySelectorAll("[data-node] > :is(path, rect), [data-edge] > line"),
    ].map((shape) => {
      const { x: left, y: top, width, height } = shape.getBBox();
      const { a, e, f } = shape.getScreenCTM();
      const [across, down] = [e + pane.scrollLeft - x, f + pane.scrollTop - y];
      return round(a * left + across, a * top + down, a * width, a * height);
    });
    const texts = [...root.querySelectorAll("[data-node] text")].map((text) =>
      round(Number(text.getAttribute("x")), Number(text.getAttribute("y"))),
    );
    const line = root.querySelector(".abviz-line").getBoundingClientRect();
    return JSON.stringify([
      round(high),
      shapes,
      texts,
      round(line.x - x, line.y - y, line.width, line.height),
    ]);
  },

  /** Texts of the picture that leave their node, or meet another on their line. */
  crowded(root) {
    return [...root.querySelectorAll("[data-node]")].flatMap((node) => {
      const shape = node.querySelector("path, rect").getBBox();
      const texts = [...node.querySelectorAll("text")]
        .filter((text) => text.textContent)
        .map((text) => [text, text.getBBox()]);
      return texts
        .filter(([text, box]) => {
          const line = text.getAttribute("y");
          const meets = ([other, { x }]) =>
            other !== text &&
            other.getAttribute("y") === line &&
            x >= box.x &&
            x < box.x + box.width + 3;
          const inside = box.x >= shape.x && box.x + box.width <= shape.x + shape.width;
          return (
            !inside ||
            box.y < shape.y ||
            box.y + box.height > shape.y + shape.height ||
            texts.some(meets)
          );
        })
        .map(([text]) => text.textContent);
    });
  },

  /** Click the button so many times: is all of the current node within the pane that scrolls, each time? */
  async inView(button, times) {
    const root = button.closest(".abviz-stepper");
    const views = [];
    while (times--) {
      button.click();
      await new Promise(requestAnimationFrame);
      await new Promise((done) => setTimeout(done)); // by now the frame is painted
      const pane = root.querySelector(".abviz-tree").getBoundingClientRect();
      const node = root.querySelector(".abviz-current > :is(path, rect)").getBoundingClientRect();
      const across = node.left >= pane.left - 1 && node.right <= pane.right + 1;
      views.push(across && node.top >= pane.top - 1 && node.bottom <= pane.bottom + 1);
    }
    return views;
  },

  /** Of the tree, the sentence and the number line: what is not all on the screen. */
  offScreen(root) {
    const parts = root.querySelectorAll("[data-node] > :is(path, rect), .abviz-says, .abviz-line");
    const isOff = ({ left, top, right, bottom }) =>
      left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
    const off = [...parts].filter((part) => isOff(part.getBoundingClientRect()));
    return off.map((part) => part.parentElement.dataset.node ?? part.className);
  },

  /** Texts with too little contrast: [text, ratio, colour, background]. */
  faint(root, least) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = 1;
    const context = canvas.getContext("2d", { willReadFrequently: true });
    const colour = (css) => {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = css;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      return [r, g, b, a / 255];
    };
    const over = ([r, g, b, a], [r2, g2, b2]) => [
      r * a + r2 * (1 - a),
      g * a + g2 * (1 - a),
      b * a + b2 * (1 - a),
      1,
    ];
    const light = ([r, g, b]) => {
      const [x, y, z] = [r, g, b].map((c) =>
        c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * x + 0.7152 * y + 0.0722 * z;
    };
    const faded = ([r, g, b, a], opacity) => [r, g, b, a * opacity];
    const opacity = (element, until) => {
      let product = 1;
      for (let at = element; at && at !== until; at = at.parentElement)
        product *= Number(getComputedStyle(at).opacity);
      return product;
    };
    /** What may lie behind an element of HTML: one colour, or those of a pattern. */
    const paper = (element) => {
      if (!element) return [[255, 255, 255, 1]];
      const style = getComputedStyle(element);
      const behind = paper(element.parentElement);
      const base = behind.map((under) =>
        over(faded(colour(style.backgroundColor), opacity(element)), under),
      );
      const stops = style.backgroundImage.match(/(?:rgba?|color|oklab|oklch)\([^()]*\)/g) ?? [];
      return [...base, ...stops.flatMap((stop) => base.map((under) => over(colour(stop), under)))];
    };
    const shape = (text) => {
      const group = text.parentElement;
      return group.querySelector(":scope > rect") ?? group.querySelector(":scope > path");
    };
    const faint = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const words = walker.currentNode.data.trim();
      if (!words || element.closest("title, option, [hidden], [aria-disabled=true]")) continue;
      if (!element.checkVisibility() || !element.getClientRects().length) continue;
      const style = getComputedStyle(element);
      const inPicture = element.localName === "text";
      const ink = faded(colour(inPicture ? style.fill : style.color), opacity(element));
      let papers = paper(inPicture ? element.closest(".abviz-tree") : element);
      if (inPicture) {
        const fill = faded(colour(getComputedStyle(shape(element)).fill), opacity(shape(element)));
        papers = papers.map((under) => over(fill, under));
      }
      for (const under of papers) {
        const [bright, dark] = [light(over(ink, under)), light(under)].sort((a, b) => b - a);
        const ratio = (bright + 0.05) / (dark + 0.05);
        if (ratio < least)
          faint.push([
            words,
            Math.round(ratio * 100) / 100,
            style[inPicture ? "fill" : "color"],
            under.join(),
          ]);
      }
    }
    return faint;
  },
};

window.addEventListener("keydown", (event) =>
  probe.heard.push([event.key, event.defaultPrevented]),
);
