// The map that one drags a point through: regions as paths, the point's region and its next border.
const TOUCHING = 4e-6; // parts of one region closer than this are one
const SPARE = 12, LATER = 400; // pixels beside a name, milliseconds after the last key
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowDown: [0, -1], ArrowUp: [0, 1] };
const inside = part => Math.min(1, Math.max(0, part));
const tick = x => { // powers begin at 10⁷ in words and at 10⁴ at an axis
  const power = [..."0123456789"].map(k => 10 ** k).indexOf(x);
  return power < 4 ? number(x) : `10${"⁰¹²³⁴⁵⁶⁷⁸⁹"[power]}`;
};

const valueAt = (axis, part) =>
  axis.log ? axis.low * (axis.high / axis.low) ** part : axis.low + part * (axis.high - axis.low);

// From where to where a region covers a row: the row's crossings with the edges of its polygons.
const runs = (paths, y) => {
  const [ends, found] = [[], []];
  for (const path of paths)
    for (let k = 0; k + 3 < path.length; k += 2) {
      const [a, b, c, d] = [path[k], path[k + 1], path[k + 2], path[k + 3]];
      if ((b <= y) !== (d <= y)) ends.push(a + ((y - b) / (d - b)) * (c - a));
    }
  ends.sort((a, b) => a - b);
  for (let k = 0; k + 1 < ends.length; k += 2)
    if (k && ends[k] <= found.at(-1)[1] + TOUCHING) found.at(-1)[1] = ends[k + 1];
    else found.push([ends[k], ends[k + 1]]);
  return found;
};

export default picture(component => {
  const root = component.parentElement.querySelector(".picture");
  root.classList.add("map");
  const said = add(root, "p", { class: "said", "aria-live": "polite" });
  const told = add(root, "p", { class: "quiet map-told" });
  const frame = add(root, "div", { class: "map-frame" });
  const svg = add(frame, "svg", { role: "group" });
  const ground = add(svg, "g");
  const front = add(svg, "g", { "pointer-events": "none" });
  const [row, column] = [0, 1].map(() => add(front, "line", { class: "map-cross" }));
  const [border, own] = ["border", "own"].map(what => add(front, "circle", { class: `map-${what}`, r: 5 }));
  const names = add(svg, "g"); // over the cross
  const handle = add(svg, "g", { class: "map-handle", role: "slider", tabindex: 0,
    "aria-label": "Point of the map", "aria-valuemin": 0, "aria-valuemax": 100 });
  add(handle, "circle", { r: 11 });
  const hand = add(svg, "rect", { class: "map-hand" }); // takes the pointer
  let [data, x, y, width, height, busy, timer] = [null, 0, 0, 0, 0, false, 0];
  const say = (axis, part) => `${axis.sign}${number(valueAt(axis, part))}`;
  const send = () => {
    busy = false;
    if (!component.parentElement.isConnected) return;
    handle.focus({ preventScroll: true });
    component.setTriggerValue("released", { x: valueAt(data.x, x), y: valueAt(data.y, y) });
  };
  const place = () => {
    const [across, up] = [x * width, (1 - y) * height];
    set(row, { x1: 0, x2: width, y1: up, y2: up });
    set(column, { x1: across, x2: across, y1: 0, y2: height });
    const here = ([a, b]) => (x > a || a < TOUCHING) && x <= b + 1e-9;
    for (const region of data.regions) {
      const run = runs(region.paths, Math.min(Math.max(y, 1e-9), 1 - 1e-9)).find(here);
      if (!run) continue;
      const open = run[1] > 1 - TOUCHING; // the region goes on to the edge of the map
      const at = `${say(data.x, x)}, ${say(data.y, y)}.`;
      const next = open ? "No border up to" : "Next border at";
      said.textContent = `${region.said} ${next} ${say(data.x, open ? 1 : run[1])}.`;
      said.className = `said ${region.cause}`;
      told.textContent = `${at} ${region.helps}`;
      set(border, { cx: run[1] * width, cy: up, visibility: open ? "hidden" : "visible" });
      set(handle, { transform: `translate(${across} ${up})`, "aria-valuenow": Math.round(100 * x),
        "aria-valuetext": `${at} ${said.textContent}` });
      return;
    }
  };
  const write = (across, up, text, more = {}) =>
    add(names, "text", { x: across, y: up, "text-anchor": "middle", ...more }, text);
  const fits = (region, name) => {
    const [across, up] = [name.x * width, (1 - name.y) * height + (name.lines.length > 1 ? -4 : 5)];
    const text = write(across, up, "", { class: `map-name ${region.cause} d${region.depth}` });
    const lines = name.lines.map((line, k) =>
      add(text, "tspan", { x: across, dy: k ? 17 : 0, "font-weight": k ? 400 : 600 }, line));
    const room = name.room * width - SPARE;
    return lines.every(line => line.getComputedTextLength() <= room) || text.remove();
  };
  const draw = () => {
    const whole = frame.clientWidth;
    if (!data || !whole) return;
    width = whole - 72; // beside it stand ticks and a title, below it too
    height = Math.round(Math.min(400, Math.max(250, 0.52 * whole)));
    set(svg, { viewBox: [-58, -8, whole, height + 58].join(" "),
      "aria-label": `Map: ${data.x.title}; ${data.y.title}` });
    for (const group of [ground, names]) group.replaceChildren();
    for (const { cause, depth, paths } of [...data.regions, { cause: "map-wrong", paths: data.wrong }])
      add(ground, "path", { class: `${cause} d${depth}`, d: outline(paths, width, height) });
    for (const region of data.regions) region.names.some(name => fits(region, name));
    const marks = { class: "map-tick" };
    for (const [part, v] of data.x.ticks) write(part * width, height + 20, tick(v), marks);
    for (const [part, v] of data.y.ticks)
      write(-8, (1 - part) * height + 5, tick(v), { ...marks, "text-anchor": "end" });
    write(width / 2, height + 43, data.x.title);
    write(0, 0, data.y.title, { transform: `translate(-44 ${height / 2}) rotate(-90)` });
    set(hand, { width, height });
    const [a, b] = data.own ?? data.here; // covered by the handle where it is the same
    set(own, { cx: a * width, cy: (1 - b) * height });
    place();
  };
  drag(hand, (across, up) => {
    busy = true;
    [x, y] = [across / width, 1 - up / height].map(inside);
    place();
  }, send);
  handle.addEventListener("keydown", event => {
    if (!KEYS[event.key]) return;
    event.preventDefault();
    busy = true;
    [x, y] = [x, y].map((v, k) => inside(v + KEYS[event.key][k] * (event.shiftKey ? 0.1 : 0.01)));
    place();
    clearTimeout(timer);
    timer = setTimeout(send, LATER);
  });
  new ResizeObserver(draw).observe(frame);
  return sent => {
    data = sent;
    if (!busy) [x, y] = data.here;
    draw();
  };
});
