// The noise machine: clean curves go into the box, jagged ones come out and merge by weight.
// Frames end at ±HIGH thousandths; sites are STEP pixels apart, from HEAD on; a release takes SLOW ms.
const HIGH = 1600, STEP = 66, HEAD = 42, SLOW = 1600;

export default picture(component => {
  const root = component.parentElement.querySelector(".picture");
  const said = add(root, "p", { class: "said", "aria-live": "polite" });
  const svg = add(root, "svg", { role: "img", class: "machine" });
  const row = add(root, "div", { class: "control" });
  const shown = add(row, "output", { class: "privacy" }), slide = add(row, "span", { class: "quiet" }, "strict");
  const input = add(slide, "input", { type: "range", min: 0, "aria-label": "Budget ε of every site" });
  slide.append("loose");
  const [again, many] = ["Release again", ""].map(text => add(row, "button", { type: "button" }, text));
  const foot = add(root, "p", { class: "quiet" });
  let data, at, turn, all, sites, slot, noise, faint, one, flying, started = -SLOW, next, width, drawn, mine;
  const each = make => data.sites.map((_, j) => make(j));
  // From coefficients to heights; `touched` names the functions that are not zero at a point.
  const curve = theta => data.kinds[data.stops[at].kind].touched.map(point => {
    let y = 0;
    for (let i = 0; i < point.length; i += 2) y += theta[point[i]] * point[i + 1];
    return y;
  });
  const clean = j => data.kinds[data.stops[at].kind].clean[j];
  const noisy = (j, k) => clean(j).map((x, i) => x + data.stops[at].scale[j] * data.path[k][j][i]);
  const merged = k => each(j => noisy(j, k).map(x => data.stops[at].weight[j] * x))
    .reduce((sum, site) => sum.map((x, i) => x + site[i]));
  // A curve has whole numbers: two to the right for a point, one down for a thousandth; its place scales.
  const path = ys => "M" + ys.map((y, i) => `${2 * i + 1},${Math.round(-1000 * y)}`).join("L");
  const put = ({ group }, { x, y, w, h }, opacity = 1) => set(group, {
    transform: `translate(${x} ${y + h / 2}) scale(${w / 2 / data.truth.length} ${h / 2 / HIGH})`, opacity,
  });
  const between = (a, b, t) =>
    Object.fromEntries(Object.keys(a).map(key => [key, a[key] + (b[key] - a[key]) * t]));
  const build = () => {
    [width, drawn] = [root.clientWidth];
    const W = Math.max(width, 280), wide = W >= 640, end = HEAD + STEP * data.sites.length;
    const [w, middle, gap] = (wide ? [0.21, 0.11, 0.03] : [0.34, 0.17, 0.04]).map(part => part * W);
    const right = w + gap + middle + gap, from = right + w, tall = end - HEAD - 20;
    const whole = wide ? { x: from + 0.08 * W, y: HEAD, w: 0.92 * W - from, h: Math.max(tall, 170) }
      : { x: 0, y: end + 26, w: W, h: 190 };
    svg.replaceChildren();
    svg.setAttribute("viewBox", `0 0 ${W} ${whole.y + whole.h + 4}`);
    const unit = { x: 0, y: -HIGH, width: 2 * data.truth.length, height: 2 * HIGH };
    add(add(svg, "clipPath", { id: "machine_frame" }), "rect", unit);
    const write = (x, y, text, more) => add(svg, "text", { x, y, ...more }, text);
    const framed = (name, place) => {
      const group = add(svg, "g", { class: name, "clip-path": "url(#machine_frame)" });
      put({ group }, place);
      return { group, place, line: name === "frame" ? add(group, "rect", unit) : add(group, "path") };
    };
    [["Before noise", 0, 14], ["As released", right, 14], ["Merged; truth dashed", whole.x, whole.y - 8]]
      .forEach(([text, x, y]) => write(x, y, text, { class: "head" }));
    sites = each(j => {
      const y = HEAD + STEP * j, h = STEP - 20, at = y + h / 2, edge = W - 10 - 4 * j;
      const half = (from + whole.x) / 2, to = whole.y + whole.h * (j + 1) / (data.sites.length + 1);
      const d = wide ? `M${from},${at}C${half},${at} ${half},${to} ${whole.x},${to}`
        : `M${from},${at}Q${edge},${at} ${edge},${at + 24}V${whole.y}`;
      write(0, y - 6, data.sites[j]);
      const pipe = add(svg, "path", { class: "pipe", d }), share = write(right, y - 6, "");
      const [before, after] = [0, right].map(x => ({ x, y, w, h }));
      [before, after].forEach(place => framed("frame", place));
      return { pipe, share, before: framed("clean", before), after: framed("out", after) };
    });
    slot = { x: w + gap, w: middle };
    add(svg, "rect", { class: "box", x: slot.x, y: HEAD, width: middle, height: tall, rx: 10 });
    noise = write(slot.x + middle / 2, HEAD + tall / 2 + 5, "", { "text-anchor": "middle" });
    framed("frame", whole);
    faint = framed("faint", whole);
    set(framed("truth", whole).line, { d: path(data.truth) });
    [one, flying] = [framed("whole", whole), each(() => framed("out", whole))];
  };
  // A release: into the box, out of it, and together. At rest all stand where they belong.
  const frame = now => {
    if (!component.parentElement.isConnected) return;
    const t = reduced ? 1 : Math.min((now - started) / SLOW, 1);
    const [go, come, fly] = [0, 0.3, 0.6].map(a => Math.min(Math.max((t - a) / 0.4, 0), 1));
    sites.forEach(({ before, after }, j) => {
      const [a, b] = [before.place, after.place];
      put(before, go < 1 ? between(a, { ...a, ...slot }, go) : a, go < 1 ? 1 - go ** 4 : fly);
      put(after, between({ ...b, ...slot }, b, come), Math.sqrt(come));
      put(flying[j], between(b, one.place, fly), fly && 1 - fly ** 2);
    });
    put(one, one.place, Math.max(fly, 0.2));
    if (t < 1) next = requestAnimationFrame(frame);
  };
  const play = from => {
    cancelAnimationFrame(next);
    started = from;
    sites.forEach(({ after }, j) => set(flying[j].line, { d: after.line.getAttribute("d") }));
    frame(performance.now());
  };
  const draw = () => {
    const { epsilon, name, kind, weight, cause, why, miss, average, note } = data.stops[at];
    const stroke = `var(--${cause})`;
    sites.forEach(({ pipe, share, before, after }, j) => {
      if (drawn !== kind) set(before.line, { d: path(curve(clean(j))) });
      set(after.line, { d: path(curve(noisy(j, turn))) });
      set(pipe, { "stroke-width": (40 * weight[j]).toFixed(3) });
      share.textContent = `weight ${percent(weight[j])}`;
    });
    drawn = kind;
    set(one.line, { d: path(curve(merged(turn))), stroke });
    set(faint.line, { d: all ? data.path.map((_, k) => path(curve(merged(k)))).join("") : "", stroke });
    noise.textContent = epsilon ? "noise" : "no noise";
    const off = all ? average : `${number(miss[turn])} (root mean square) in this release. `;
    said.textContent = `${epsilon ? "At " : ""}${name} the merged curve misses the truth by ${off}`;
    add(said, "span", { class: cause }, why);
    svg.ariaLabel = said.textContent;
    shown.textContent = input.ariaValueText = name;
    many.ariaPressed = all;
    foot.textContent = note + (turn || all ? " A real site would pay ε each time." : "");
  };
  input.oninput = () => {
    at = Number(input.value);
    mine = data.stops[at].epsilon;
    draw();
  };
  input.onchange = () => component.setTriggerValue("released", { epsilon: mine });
  again.onclick = () => {
    [turn, all] = [(turn + 1) % data.path.length, false];
    draw();
    play(performance.now());
  };
  many.onclick = () => { all = !all; draw(); };
  const remake = from => { build(); draw(); play(from); };
  new ResizeObserver(() => root.clientWidth !== width && remake(started)).observe(root);
  return given => {
    const { path: noise, truth, sites: names } = data ?? {}; // what was shown before
    const fresh = String([noise, truth, names]) !== String([given.path, given.truth, given.sites]);
    data = given;
    // An answer to an earlier release does not take the slider out of a hand.
    const held = data.stops.findIndex(stop => stop.epsilon === mine);
    at = held < 0 ? data.at : held;
    if (at === data.at) mine = null;
    Object.assign(input, { max: data.stops.length - 1, value: at });
    many.textContent = `Average ${data.path.length}`;
    if (!fresh) return draw();
    [turn, all] = [0, false];
    remake(performance.now());
  };
});
