// Two densities, a release that falls, a guess; beside them the score and what is possible at all.
const HIGH = 200, TALL = 160, EDGE = 8; // the baseline, the peaks, the margin
const LETTERS = ["A", "B"], GUESS = { a: 0, arrowleft: 0, b: 1, arrowright: 1 }; // keys
const share = x => x > 0.99 ? `${Math.floor(1e4 * x) / 100}%` : percent(x); // the most is not rounded up

export default picture(component => {
  const root = component.parentElement.querySelector(".picture");
  const said = add(root, "div", { class: "said", "aria-live": "polite" });
  const panels = add(root, "div", { class: "attacker-panels" });
  const [left, right] = [add(panels, "div"), add(panels, "div")];
  const scene = add(left, "svg", { role: "img", class: "attacker-scene" });
  const overlap = add(scene, "path", { class: "overlap" });
  const bells = LETTERS.map((letter, k) => ({
    curve: add(scene, "path", { class: "curve", "stroke-dasharray": k ? "6 5" : "none" }),
    foot: add(scene, "line", { y1: HIGH - TALL, y2: HIGH }),
    name: add(scene, "text", { "text-anchor": k ? "start" : "end", y: HIGH - TALL - 4 }, `${letter}: it is ${k}`),
  }));
  add(scene, "line", { x2: "100%", y1: HIGH, y2: HIGH });
  const before = add(scene, "g"), dot = add(scene, "circle", { class: "dot", r: 8 });
  const keys = add(left, "div", { class: "attacker-row" });
  const choices = LETTERS.map((letter, k) => add(keys, "button", {}, `${letter}: it is ${k}`));
  const label = add(keys, "label"), budget = add(label, "span");
  const slider = add(label, "input", { type: "range", min: 0, "aria-label": "Budget ε of each release" });
  const score = add(right, "svg", { role: "img", class: "attacker-score" });
  const doors = add(right, "div", { class: "attacker-row" });
  const [again, best] = ["New game", "Let the best attacker play 200"].map(text => add(doors, "button", {}, text));

  let data, at, mine, shown, fallen, frame; // own guesses; rounds of the best attacker, 0 for none
  const epsilon = () => data.epsilons[at];
  const over = () => shown > 0 || mine.length === data.you.records.length;
  const send = seed => component.setTriggerValue("released", { epsilon: epsilon(), seed });

  // Along the bottom lengths are scales of the noise: A stands at 0, B at ε.
  const seen = (rounds, k) => epsilon() * rounds.records[k] + rounds.noise[k];
  const across = u => {
    const inside = Math.max(-data.far, Math.min(epsilon() + data.far, u));
    return EDGE + (scene.wide - 2 * EDGE) * (inside + data.far) / (epsilon() + 2 * data.far);
  };
  const joined = points => points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L");

  const drawScene = () => {
    const up = h => HIGH - TALL * h, middle = across(epsilon() / 2);
    bells.forEach(({ curve, foot, name }, k) => {
      const x = across(k * epsilon());
      set(curve, { d: `M${joined(data.curve.map(([u, h]) => [across(k * epsilon() + u), up(h)]))}` });
      set(foot, { x1: x, x2: x });
      set(name, { x: x + (k ? 7 : -7) });
    });
    const side = data.curve.filter(([u]) => u > epsilon() / 2).map(([u, h]) => [across(u), up(h)]);
    const roof = [...side.map(([x, y]) => [2 * middle - x, y]).reverse(), [middle, up(data.touches[at])], ...side];
    set(overlap, { d: `M${joined([[roof[0][0], HIGH], ...roof, [roof.at(-1)[0], HIGH]])}Z` });
    before.replaceChildren();
    mine.forEach((one, k) => add(before, "circle", {
      cx: across(seen(data.you, k)), cy: HIGH + 14, r: 5, class: one === data.you.records[k] ? "right" : "wrong",
    }));
    for (const button of choices) button.disabled = over();
    const place = over() ? 0 : seen(data.you, mine.length);
    set(dot, { cx: across(place), cy: fallen, visibility: over() ? "hidden" : "visible" });
    budget.textContent = `ε = ${number(epsilon())}`;
    set(slider, { "aria-valuetext": budget.textContent });
    set(scene, { "aria-label": `Two overlapping densities at ${budget.textContent}: A around 0, B around 1. `
      + (over() ? "" : `Release ${mine.length + 1} of ${data.you.records.length} is ${number(place / epsilon())}.`) });
  };

  const drawScore = () => {
    const rounds = shown ? data.best : data.you, all = rounds.records.length;
    score.replaceChildren();
    const x = k => EDGE + (score.wide - 2 * EDGE) * k / all;
    const up = part => EDGE + (HIGH - EDGE) * (1 - Math.max(0, Math.min(1, part)));
    const possible = [["ceiling", data.ceilings[at], "the most at this ε", 0, -7],
      ["best", data.bests[at], "the best with this noise", 1, 17]];
    const lines = [["chance", 0.5, "by chance", 0, 17], ...(data.best ? possible : [])];
    for (const [name, part] of lines)
      add(score, "line", { class: name, x1: EDGE, x2: score.wide - EDGE, y1: up(part), y2: up(part) });
    if (shown) {
      const edge = sign => rounds.records.map((_, k) =>
        [x(k + 1), up(data.bests[at] + sign * data.errors[at] / Math.sqrt(k + 1))]);
      add(score, "path", { class: "band", d: `M${joined([...edge(1), ...edge(-1).reverse()])}Z` });
    }
    let hits = 0;
    const way = rounds.records.slice(0, shown || mine.length).map((record, k) => {
      hits += record === (shown ? Number(seen(rounds, k) > epsilon() / 2) : mine[k]);
      return [x(k + 1), up(hits / (k + 1))];
    });
    if (way.length) {
      add(score, "path", { class: "way", d: `M${joined(way)}` });
      add(score, "circle", { class: "way", cx: way.at(-1)[0], cy: way.at(-1)[1], r: 6 });
    }
    for (const [name, part, text, end, below] of lines) add(score, "text", { class: name, y: up(part) + below,
      x: end ? score.wide - EDGE : EDGE, "text-anchor": end ? "end" : "start" }, `${share(part)} ${text}`);
    add(score, "text", { x: score.wide - EDGE, y: HIGH + 18, "text-anchor": "end" }, `${all} rounds`);
    set(score, { "aria-label": `Share right so far, beside ${lines.map(l => `${share(l[1])} ${l[2]}`).join(", ")}.` });
    said.textContent = words(hits, way.length, all);
  };

  const words = (hits, done, all) => {
    if (!done) return "A number falls. Which record is behind it, A or B?";
    const now = `${hits} of ${done} right: ${percent(hits / done)}`;
    if (shown) return `The best attacker: ${now} ± ${percent(data.errors[at] / Math.sqrt(done)).slice(0, -1)}; `
      + `in the long run ${share(data.bests[at])}.`;
    if (!over()) return `It was ${LETTERS[data.you.records[done - 1]]}. ${now}.`;
    const most = data.best ? `; no one can be right more than ${share(data.ceilings[at])} in the long run at `
      + budget.textContent : "";
    return `You were right ${hits} times of ${all}${most}. `
      + `Chance alone gives ${hits} or more in ${percent(data.chances[hits])} of games.`;
  };

  const draw = () => {
    for (const svg of [scene, score]) set(svg, { viewBox: `0 0 ${svg.wide = svg.clientWidth || 360} ${HIGH + 24}` });
    drawScene(), drawScore();
  };
  const run = step => { // over and over, until a step says that it was the last
    cancelAnimationFrame(frame);
    const next = now => root.isConnected && step(now) && (frame = requestAnimationFrame(next));
    if (!reduced) frame = requestAnimationFrame(next);
  };
  const fall = () => {
    fallen = reduced ? HIGH : 0;
    draw();
    let begun;
    run(now => {
      fallen = HIGH * Math.min(1, ((now - (begun ??= now)) / 450) ** 2);
      set(dot, { cy: fallen });
      return fallen < HIGH;
    });
  };
  const guess = k => { if (!over()) { mine.push(k); fall(); } };
  choices.forEach((button, k) => { button.onclick = () => guess(k); });
  again.onclick = () => send(data.seed + 1);
  best.onclick = () => {
    shown = reduced ? data.best.records.length : 1;
    draw();
    run(() => { shown += 1; drawScore(); return shown < data.best.records.length; });
  };
  slider.oninput = () => { at = Number(slider.value); mine = []; shown = 0; draw(); }; // another game, the same dots
  slider.onchange = () => send(data.seed);
  root.addEventListener("keydown", event => {
    const k = GUESS[event.key.toLowerCase()];
    if (k === undefined || event.target === slider || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    guess(k);
  });
  new ResizeObserver(() => data && draw()).observe(panels);

  return given => {
    const other = !data || data.seed !== given.seed || epsilon() !== given.epsilons[given.at];
    [data, at] = [given, given.at];
    set(slider, { max: data.epsilons.length - 1 }).value = at;
    best.style.display = data.best ? "" : "none";
    if (other) [mine, shown] = [[], 0];
    (other ? fall : draw)();
  };
});
