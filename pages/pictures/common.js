// What every picture shares: it stands before a picture's own script in one module.
const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;

// Add an element; an SVG one where its parent is one.
const add = (parent, name, attributes = {}, text = "") => {
  const svg = name === "svg" || parent.namespaceURI === "http://www.w3.org/2000/svg";
  const made = svg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  set(made, attributes);
  if (text !== "") made.textContent = text;
  return parent.appendChild(made);
};

const set = (element, attributes) => {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
};

// Numbers as the pages write them: three digits, thousands grouped, powers of ten far from one.
const number = x => {
  if (x === Infinity) return "∞";
  const size = Math.abs(x);
  if (size && (size < 0.001 || size >= 1e7)) {
    const [digits, power] = x.toExponential(2).split("e");
    const raised = [...String(Number(power))].map(c => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c] ?? "⁻").join("");
    return Number(digits) === 1 ? `10${raised}` : `${Number(digits)} × 10${raised}`;
  }
  return Number(x.toPrecision(3)).toLocaleString("en-US", { maximumFractionDigits: 6 });
};

const percent = x => x > 0.9995 ? "100%" : x >= 0.0001 ? `${Number((100 * x).toPrecision(2))}%` : x > 0 ? "<0.01%" : "0%";

// Build a picture once; each later call of Streamlit brings it new data. `build(component)` returns
// how data is shown. What it starts over and over (frames, timers) ends where it is no longer there.
const picture = build => component => {
  const host = component.parentElement;
  host.show ??= build(component);
  host.show(component.data);
};

// A picture that is drawn anew for other data; the same again leaves it as the hand has left it.
const redrawn = draw => picture(component => {
  let shown = "";
  return data => {
    const text = JSON.stringify(data);
    if (text !== shown) draw(component, component.parentElement.querySelector(".picture"), data);
    shown = text;
  };
});

// Follow a finger, a mouse or a pen on an element: `move(x, y)` in its own pixels while it is down,
// `release()` once it is up.
const drag = (element, move, release) => {
  const at = event => {
    const box = element.getBoundingClientRect();
    move(event.clientX - box.left, event.clientY - box.top, event);
  };
  element.style.touchAction = "none";
  element.addEventListener("pointerdown", event => {
    if (event.button) return;
    element.setPointerCapture(event.pointerId);
    at(event);
  });
  element.addEventListener("pointermove", event => element.hasPointerCapture(event.pointerId) && at(event));
  element.addEventListener("pointerup", event => element.hasPointerCapture(event.pointerId) && release(event));
};

// Polygons in parts of both axes as one path, so many pixels wide and high.
const outline = (paths, width, height) => paths.map(path => {
  const place = (part, k) => (k % 2 ? (1 - part) * height : part * width).toFixed(2);
  return `M${path.map(place).join(" ")}Z`;
}).join("");
