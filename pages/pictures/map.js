// The map that one drags a point through: regions as paths, the point's region and its next border.
const TOUCHING = 1e-6; // parts of one region closer than this are one
const SPARE = 12; // pixels beside a name
const LATER = 400; // milliseconds after the last key
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };

// Powers begin at 10⁷ in words and at 10⁴ at an axis.
const tick = x => {
  const power = Math.round(Math.log10(x));
  if (power < 4 || 10 ** power !== x) return number(x);
  return `10${[...String(power)].map(c => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("")}`;
};
const inside = part => Math.min(1, Math.max(0, part));

// A place along an axis, as a part of it, as a number.
const valueAt = (axis, part) =>
  axis.log ? axis.low * (axis.high / axis.low) ** part : axis.low + part * (axis.high - axis.low);
const partOf = ({ low, high, log }, value) =>
  log ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low);

// From where to where a region covers a row: the row's crossings with the edges of its polygons.
const runs = (paths, y) => {
  const found = [];
  for (const path of paths) {
    const ends = [];
    for (let k = 0; k + 3 < path.length; k += 2) {
      const [a, b, c, d] = [path[k], path[k + 1], path[k + 2], path[k + 3]];
      if ((b <= y) !== (d <= y)) ends.push(a + ((y - b) / (d - b)) * (c - a));
    }
    ends.sort((a, b) => a - b);
    for (let k = 0; k + 1 < ends.length; k += 2) found.push([ends[k], ends[k + 1]]);
  }
  found.sort((a, b) => a[0] - b[0]);
  const joined = [];
  for (const run of found) {
    const last = joined.at(-1);
    if (last && run[0] <= last[1] + TOUCHING) last[1] = Math.max(last[1], run[1]);
    else joined.push(run);
  }
  return joined;
};

const outline = (paths, width, height) => paths.map(path => {
  const corners = [];
  for (let k = 0; k < path.length; k += 2)
    corners.push(`${(path[k] * width).toFixed(2)},${((1 - path[k + 1]) * height).toFixed(2)}`);
  return `M${corners.join("L")}Z`;
}).join("");

export default picture(component => {
  const root = component.parentElement.querySelector(".picture");
  root.classList.add("map");
  const said = add(root, "p", { class: "said", "aria-live": "polite" });
  const told = add(root, "p", { class: "quiet map-told" });
  const both = add(root, "div", { class: "map-both" });
  const frame = add(both, "div", { class: "map-frame" });
  const svg = add(frame, "svg", { role: "group" });
  const ground = add(svg, "g");
  const front = add(svg, "g", { "pointer-events": "none" });
  const [row, column] = [0, 1].map(() => add(front, "line", { class: "map-cross" }));
  const border = add(front, "circle", { class: "map-border", r: 4 });
  const own = add(front, "circle", { class: "map-own", r: 6 });
  const handle = add(front, "g", { class: "map-handle", role: "slider", tabindex: 0,
    "aria-label": "Point of the map", "aria-valuemin": 0, "aria-valuemax": 100 });
  add(handle, "circle", { r: 11 });
  const hand = add(svg, "rect", { class: "map-hand" }); // takes the pointer, over all else
  const nine = add(both, "div", { class: "map-nine" });
  let [data, x, y, width, height, busy, timer] = [null, 0, 0, 0, 0, false, 0];
  const say = (axis, value) => `${axis.sign}${number(value)}`;

  const send = () => {
    busy = false;
    if (component.parentElement.isConnected)
      component.setTriggerValue("released", { x: valueAt(data.x, x), y: valueAt(data.y, y) });
  };
  const place = () => {
    const [across, up] = [x * width, (1 - y) * height];
    set(row, { x1: 0, x2: width, y1: up, y2: up });
    set(column, { x1: across, x2: across, y1: 0, y2: height });
    handle.setAttribute("transform", `translate(${across} ${up})`);
    const level = Math.min(Math.max(y, 1e-9), 1 - 1e-9);
    const here = ([a, b]) => (x > a || a < TOUCHING) && x <= b + 1e-9;
    for (const region of data.regions) {
      const run = runs(region.paths, level).find(here);
      if (!run) continue;
      const open = run[1] > 1 - TOUCHING; // the region goes on to the edge of the map
      const at = `${say(data.x, valueAt(data.x, x))}, ${say(data.y, valueAt(data.y, y))}.`;
      const end = say(data.x, valueAt(data.x, open ? 1 : run[1]));
      said.textContent = `${region.said} ${open ? "No border up to" : "Next border at"} ${end}.`;
      said.className = `said ${region.cause}`;
      told.textContent = `${at} ${region.helps}`;
      set(border, { cx: run[1] * width, cy: up, visibility: open ? "hidden" : "visible" });
      set(handle, { "aria-valuenow": Math.round(100 * x), "aria-valuetext": `${at} ${said.textContent}` });
      return;
    }
  };
  const write = (across, up, text, more = {}) =>
    add(ground, "text", { x: across, y: up, "text-anchor": "middle", ...more }, text);
  const fits = (region, name) => {
    const [across, up] = [name.x * width, (1 - name.y) * height + (name.lines.length > 1 ? -4 : 5)];
    const text = write(across, up, "", { class: `map-name d${region.depth}` });
    const lines = name.lines.map((line, k) =>
      add(text, "tspan", { x: across, dy: k ? 17 : 0, "font-weight": k ? 400 : 600 }, line));
    const room = name.room * width - SPARE;
    if (lines.every(line => line.getComputedTextLength() <= room)) return true;
    text.remove();
    return false;
  };
  const draw = () => {
    const whole = frame.clientWidth;
    if (!data || !whole) return;
    const [left, right, top, bottom] = [58, 14, 8, 50];
    width = whole - left - right;
    height = Math.round(Math.min(400, Math.max(250, 0.52 * whole)));
    set(svg, { viewBox: `${-left} ${-top} ${whole} ${height + top + bottom}` });
    set(svg, { "aria-label": `Map: ${data.x.title}; ${data.y.title}` });
    ground.replaceChildren();
    for (const { cause, depth, paths } of [...data.regions, { cause: "map-wrong", paths: data.wrong }])
      add(ground, "path", { class: `${cause} d${depth}`, d: outline(paths, width, height) });
    for (const region of data.regions) region.names.some(name => fits(region, name));
    const marks = { class: "map-tick" };
    for (const v of data.x.ticks) write(partOf(data.x, v) * width, height + 20, tick(v), marks);
    for (const v of data.y.ticks)
      write(-8, (1 - partOf(data.y, v)) * height + 5, tick(v), { ...marks, "text-anchor": "end" });
    write(width / 2, height + 43, data.x.title);
    write(0, 0, data.y.title, { transform: `translate(-44 ${height / 2}) rotate(-90)` });
    set(hand, { width, height });
    const far = data.own && Math.hypot(data.own[0] - x, data.own[1] - y) > 0.01;
    own.setAttribute("visibility", far ? "visible" : "hidden");
    if (far) set(own, { cx: data.own[0] * width, cy: (1 - data.own[1]) * height });
    place();
  };
  const small = () => {
    nine.replaceChildren();
    if (!data.nine) return;
    add(nine, "span");
    for (const name of data.nine.across) add(nine, "span", { class: "quiet" }, name);
    data.nine.maps.forEach((regions, k) => {
      const [down, across] = [data.nine.down[Math.floor(k / 3)], data.nine.across[k % 3]];
      if (k % 3 === 0) add(nine, "span", { class: "quiet" }, down);
      const press = add(nine, "button", { "aria-label": `${across}, ${down}`, "aria-pressed": k === 4 });
      const view = { viewBox: "0 0 100 75", preserveAspectRatio: "none", "aria-hidden": true };
      const picture = add(press, "svg", view);
      for (const { cause, depth, paths } of regions)
        add(picture, "path", { class: `${cause} d${depth}`, d: outline(paths, 100, 75) });
      press.addEventListener("click", () => component.setTriggerValue("released", { nine: k }));
    });
  };
  drag(hand, (across, up) => {
    busy = true;
    [x, y] = [across / width, 1 - up / height].map(inside);
    place();
  }, () => {
    handle.focus({ preventScroll: true });
    send();
  });
  handle.addEventListener("keydown", event => {
    const way = KEYS[event.key];
    if (!way) return;
    event.preventDefault();
    busy = true;
    [x, y] = [x, y].map((v, k) => inside(v + way[k] * (event.shiftKey ? 0.1 : 0.01)));
    place();
    clearTimeout(timer);
    timer = setTimeout(send, LATER);
  });
  new ResizeObserver(draw).observe(frame);
  return sent => {
    data = sent;
    if (!busy) [x, y] = data.here;
    small();
    draw();
  };
});
