// The budget tap: a pipe per site, as wide as what it adds; a press doubles the budget of a site.
const LABEL = 50, ROOM = 150; // pixels that a site's words and all pipes take from top to bottom

const gain = x => `${x < 0 ? "−" : "+"}${number(Math.abs(x))}`;
const sum = many => many.reduce((all, one) => all + one);
const band = (left, right, width) => {
  const [a, b] = [left - width / 2, right - width / 2];
  return `M 0 ${a} C 50 ${a} 50 ${b} 100 ${b} v ${width} C 50 ${b + width} 50 ${a + width} 0 ${a + width} Z`;
};

export default redrawn((component, root, data) => {
  root.replaceChildren();
  const height = data.sites.length * LABEL + ROOM;
  const board = add(root, "div", { class: "tap", style: `--height: ${height}px` });
  const taps = add(board, "div", { class: "taps" });
  const svg = add(board, "svg", { viewBox: `0 0 100 ${height}`, preserveAspectRatio: "none", role: "img" });
  const below = add(svg, "g"), above = add(svg, "g"), end = add(svg, "rect", { x: 99, width: 1 });
  const sites = data.sites.map((site, k) => {
    const box = site.step ? add(taps, "button", { type: "button" }) : add(taps, "div");
    const words = add(box, "span"), more = add(box, "em");
    add(words, "b", {}, site.name);
    const about = add(words, "small"), added = add(more, "span"), why = add(more, "small", {}, site.silent);
    const ghost = add(below, "path", { class: "ghost" }), pipe = add(above, "path");
    if (site.step) for (const part of [box, ghost, pipe]) part.addEventListener("click", () => press(k));
    return { ...site, box, about, more, added, why, ghost, pipe };
  });
  const words = add(board, "div", { class: "out", "aria-live": "polite" }), total = add(words, "p", { class: "said" });
  add(words, "p", { class: "quiet" }, data.unit);
  const news = add(words, "p"), foot = add(root, "p", { class: "quiet foot" });
  const [use, back] = ["Use these budgets", "As stated"].map(text => add(foot, "button", { type: "button" }, text));
  add(foot, "span", {}, data.told);

  let choice = 0;
  const times = site => Math.floor(choice / site.step) % data.stops;
  const next = site => choice + site.step * (times(site) + 1 < data.stops ? 1 : 1 - data.stops);
  const place = (adds, ghosts) => { // what a press would add shows as a ghost
    const most = adds.map((x, k) => Math.max(x, ghosts[k]));
    const scale = ROOM / Math.max(data.room, sum(most)), spare = (height - scale * sum(most)) / adds.length;
    let y = 0, at = (height - scale * sum(adds)) / 2;
    set(end, { y: at, height: scale * sum(adds) });
    sites.forEach(({ box, pipe, ghost }, k) => {
      const tall = scale * most[k] + spare, lies = width => band(y + tall / 2, at + scale * adds[k] / 2, width);
      box.style.height = `${tall}px`;
      set(pipe, { d: lies(scale * adds[k]) });
      set(ghost, { d: lies(scale * ghosts[k]) });
      [y, at] = [y + tall, at + scale * adds[k]];
    });
  };
  const show = said => {
    const adds = data.adds[choice], on = site => site.step && next(site) > choice;
    place(adds, sites.map((site, k) => on(site) ? data.adds[next(site)][k] : 0));
    sites.forEach((site, k) => {
      const cause = data.private[choice] >> k & 1 ? "privacy" : "sample";
      set(site.pipe, { class: `pipe ${cause}` });
      set(site.more, { class: cause });
      site.about.textContent = [site.records, site.budgets[site.step ? times(site) : 0]].filter(Boolean).join(" · ");
      if (!site.step) return;
      site.added.textContent = on(site) ? gain(data.worth[next(site)] - data.worth[choice]) : "↺";
      site.why.textContent = !on(site) ? "as stated" : cause === "sample" ? "sample size binds" : "if doubled";
    });
    total.textContent = [...new Set([data.low[choice], data.high[choice]].map(number))].join(" to ");
    news.textContent = said;
    const each = sites.map((site, k) => `${site.name} ${number(adds[k])}`).join("; ");
    svg.setAttribute("aria-label", `What each site adds: ${each}.`);
    use.disabled = back.disabled = !choice;
  };
  const press = k => {
    const site = sites[k], before = data.worth[choice];
    choice = next(site);
    show(`${site.name}, ${site.budgets[times(site)]}: ${gain(data.worth[choice] - before)} records`);
    if (!reduced) site.pipe.animate([{ filter: "drop-shadow(0 0 9px) brightness(1.4)" }, {}], 1200);
  };
  use.addEventListener("click", () => component.setTriggerValue("released", { choice }));
  back.addEventListener("click", () => { choice = 0; show("As stated"); });
  show("");
});
