// The shrinking sites: a ring for all records, in it a disc for what the equation lets survive and
// a core for what the mechanism keeps; under each site the noise in the mean that it sends.
const DOTS = 20, BEAT = 130; // releases that a strip shows, milliseconds between two of them
const REACH = 25, RING = 78; // points from a strip's middle to its end; radius of the largest ring

const normal = () => Math.sqrt(-2 * Math.log(1 - Math.random())) * Math.cos(2 * Math.PI * Math.random());
const two = x => number(Number(x.toPrecision(2)));
const span = (low, high) => [...new Set([percent(low), percent(high)])].join(" to ");

// A ring with a disc and a core, whose areas go where `aim` says.
const nest = (parent, radius, circles) => {
  const svg = add(parent, "svg", { viewBox: "0 0 160 160" });
  const circle = (name, r) => add(svg, "circle", { class: name, cx: 80, cy: 80, r });
  circle("ring", radius);
  const parts = ["disc", "core"].map(name => ({ circle: circle(name, 0), r: 0, aim: 0 }));
  circles.push(...parts);
  return (answers, stop) => answers.forEach((answer, which) => {
    if (!answer) return;
    parts[which].aim = radius * Math.sqrt(answer.part[stop]);
    parts[which].circle.classList.toggle("private", answer.private[stop]);
  });
};

// The strip on which releases scatter; `beat` makes a new one and lets the others fade.
const strip = (parent, noise) => {
  const svg = add(parent, "svg", { viewBox: "0 0 160 40" });
  add(svg, "path", { class: "axis", d: "M 4 36 H 156 M 80 2 V 40" });
  const dots = Array.from({ length: noise ? DOTS : 0 }, (_, k) => ({
    z: normal(), dot: add(svg, "circle", { r: 3, cy: 5 + 26 * Math.random(), opacity: (k + 1) / DOTS }),
  }));
  let sd = 0, next = 0;
  const place = one => {
    const x = 74 * 100 * sd * one.z / REACH, beyond = Math.abs(x) > 76;
    one.dot.setAttribute("cx", 80 + Math.max(-76, Math.min(76, x)));
    if (one.beyond !== beyond) one.dot.classList.toggle("beyond", one.beyond = beyond);
  };
  return {
    aim: stop => { sd = noise?.[stop]; dots.forEach(place); },
    beat: () => {
      dots[next].z = normal();
      place(dots[next]);
      next = (next + 1) % DOTS; // which is the oldest one now
      dots.forEach(({ dot }, k) => dot.setAttribute("opacity", ((k - next + DOTS) % DOTS + 1) / DOTS));
    },
  };
};

// Draw a study; returns what moves its slider and what ends it.
const draw = (component, root, data) => {
  root.replaceChildren();
  const circles = [], largest = Math.max(1, ...data.sites.map(site => site.records));
  const control = add(root, "label", { class: "control" });
  add(control, "b", {}, data.label);
  const output = add(control, "output", { class: "said privacy" }), track = add(control, "span");
  add(track, "span", { class: "quiet" }, "strict");
  const range = { type: "range", min: 0, max: data.factors.length - 1, "aria-label": data.label };
  const input = add(track, "input", range);
  add(track, "span", { class: "quiet" }, "loose");

  const board = add(add(root, "div", { class: "sites" }), "div");
  const row = add(board, "div", { class: "row", role: "img" });
  const count = data.sites.length, many = count > 6 ? Math.ceil(count / 2) : count;
  row.setAttribute("style", `--many: ${many}`);
  const sites = data.sites.map(site => {
    const box = add(row, "div"), aim = nest(box, RING * Math.sqrt(site.records / largest), circles);
    const scatter = strip(box, site.noise), told = add(box, "small", {}, site.silent);
    add(box, "b", {}, site.name);
    return { ...site, aim, scatter, told, note: add(box, "small", {}, site.about) };
  });
  const pool = add(board, "div", { class: "pool" }), whole = nest(pool, RING, circles);
  const words = add(pool, "div", { "aria-live": "polite" });
  const could = add(words, "p", { class: "said" }), keeps = add(words, "p", { class: "quiet" });
  const amount = add(could, "b");
  could.append(" could survive");
  const key = add(root, "p", { class: "key" });
  const marks = { ring: `all ${data.people}`, disc: "the theory's best", core: "one mechanism" };
  for (const [name, text] of Object.entries(marks)) {
    const mark = add(key, "span");
    add(add(mark, "svg", { viewBox: "0 0 16 16" }), "circle", { class: name, cx: 8, cy: 8, r: 7 });
    mark.append(text);
  }
  add(key, "b", { class: "privacy" }, "privacy binds");
  add(key, "b", { class: "sample" }, "sample size binds");

  let last = 0, easing = false;
  const ease = time => {
    const pull = 1 - Math.exp((last - time) / 70);
    [last, easing] = [time, false];
    for (const one of circles.filter(one => one.r !== one.aim)) {
      one.r = reduced || Math.abs(one.aim - one.r) < 0.02 ? one.aim : one.r + pull * (one.aim - one.r);
      one.circle.setAttribute("r", one.r);
      easing ||= one.r !== one.aim;
    }
    if (easing && root.isConnected) requestAnimationFrame(ease);
  };
  const show = () => {
    const stop = Number(input.value), { equation, mechanism, low, high } = data.whole;
    const value = output.textContent = data.symbol + number(data.factors[stop] * data.unit);
    input.setAttribute("aria-valuetext", value);
    for (const site of sites) {
      site.aim([site.equation, site.mechanism], stop);
      site.scatter.aim(stop);
      if (site.noise) site.told.textContent = `noise ± ${two(100 * site.noise[stop])} points`;
      if (site.epsilon) site.note.textContent = `${site.about}, ε\u00a0=\u00a0${number(site.epsilon[stop])}`;
    }
    whole([equation, mechanism], stop);
    amount.textContent = percent(equation.part[stop]);
    amount.className = equation.private[stop] ? "privacy" : "sample";
    keeps.textContent = mechanism ? `One mechanism keeps ${span(low[stop], high[stop])}.` : data.missing;
    const kept = ({ name, equation, mechanism }) => `${name} ${percent(equation.part[stop])}` +
      (mechanism ? ` and ${percent(mechanism.part[stop])}` : "");
    row.setAttribute("aria-label", `Kept at ${value}, theory and mechanism: ${sites.map(kept).join("; ")}.`);
    if (reduced) ease(0);
    else if (!easing) easing = requestAnimationFrame(time => { last = time - 16; ease(time); });
  };

  let start = -1, going = !reduced;
  input.oninput = show;
  input.onchange = () => {
    start = Number(input.value);
    if (data.takes) component.setTriggerValue("released", { epsilon: data.factors[start] * data.unit });
  };
  const timer = reduced ? 0 : setInterval(() => {
    if (!root.isConnected) clearInterval(timer);
    else if (going && !document.hidden) sites.forEach(site => site.noise && site.scatter.beat());
  }, BEAT);
  if (!reduced) add(key, "button", { type: "button" }, "Pause").onclick = event => {
    event.target.textContent = (going = !going) ? "Pause" : "Go on";
  };
  return {
    end: () => clearInterval(timer),
    begin: stop => { // unless it is where the hand has left it
      if (stop !== start) { input.value = start = stop; show(); }
    },
  };
};

export default picture(component => {
  let shown = "", drawn = { end() {} };
  return data => {
    const text = JSON.stringify({ ...data, start: 0 });
    if (text !== shown) {
      drawn.end();
      drawn = draw(component, component.parentElement.querySelector(".picture"), data);
    }
    shown = text;
    drawn.begin(data.start);
  };
});
