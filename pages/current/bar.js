// The bar: doors, the views of the open one, the study, a menu of all for a phone. A link is
// followed as Back is, within the session; with another button or a key held it is any link.
// The press may also end something, as a box that shuts or a number that was typed: that is told
// first and answered, or its answer would lead back to the page that is left.
const PAUSE = 50, FIRST = 4, MOST = 12; // milliseconds; pauses until it is told, and in all
const rests = () => document.querySelector("[data-testid=stApp]")?.dataset.testScriptState === "notRunning";
const open = () => document.querySelector("[data-testid=stPopoverBody]") || document.activeElement?.matches("input, textarea");
let ends = false;
export default ({ data, parentElement }) => {
  const nav = parentElement.querySelector("nav");
  nav.onpointerdown = () => { ends = open(); };
  nav.onclick ??= event => {
    const link = event.target.closest("a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    nav.querySelector("details").open = false;
    const leave = () => {
      history.pushState(null, "", link.href);
      dispatchEvent(new PopStateEvent("popstate"));
    };
    const wait = pauses => pauses < FIRST || (pauses < MOST && !rests())
      ? setTimeout(wait, PAUSE, pauses + 1) : setTimeout(leave, PAUSE);
    if (ends) wait(0);
    else leave();
    ends = false;
  };
  for (const [name, links] of Object.entries(data)) {
    const box = nav.querySelector(`.${name}`);
    while (box.children.length > links.length) box.lastChild.remove();
    links.forEach(({ text, href, here }, k) => {
      const one = box.children[k] ?? box.appendChild(document.createElement(href ? "a" : "b"));
      if (one.textContent !== text) one.textContent = text;
      if (href) one.href = href;
      if (here) one.setAttribute("aria-current", "page");
      else one.removeAttribute("aria-current");
    });
  }
};
