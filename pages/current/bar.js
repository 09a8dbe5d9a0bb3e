// The bar: doors, the views of the open one, the study, a menu of all for a phone. Its links are
// followed as Back is, within the session; with another button or a key held they are any link.
const PAUSE = 50, MOST = 12, REST = 8; // milliseconds; pauses at most, and left when it is looked at
const rests = () => document.querySelector("[data-test-script-state=notRunning]");
const open = () => document.querySelector("[data-testid=stPopoverBody]") || document.activeElement?.matches("input, textarea");
let ends = false; // whether a press ends something, as a box that shuts or a number that is typed
// What a press ends is told first and answered, or its answer would lead back to the page that is
// left; so on every link to a page.
const pressed = event => {
  const link = event.target.closest(".st-key-bar a, [data-testid=stPageLink] a"), bar = link?.closest("nav");
  if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || !(bar || ends)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const follow = () => {
    if (!bar) return link.click();
    bar.querySelector("details").open = false;
    history.pushState(null, "", link.href);
    dispatchEvent(new PopStateEvent("popstate"));
  };
  const wait = left => setTimeout(left && (left > REST || !rests()) ? wait : follow, PAUSE, left - 1);
  if (!ends) return follow();
  ends = false;
  document.body.click(); // shuts the box
  wait(MOST);
};
window.onpointerdown = () => { ends = open(); };
removeEventListener("click", window.pressed, true); // of the last time that this was loaded
addEventListener("click", window.pressed = pressed, true);
export default ({ data, parentElement }) => {
  for (const [name, links] of Object.entries(data)) {
    const box = parentElement.querySelector(`.${name}`);
    while (box.children.length > links.length) box.lastChild.remove();
    links.forEach(({ text, href, here }, k) => {
      const one = box.children[k] ?? box.appendChild(document.createElement(href ? "a" : "b"));
      if (one.textContent !== text) one.textContent = text;
      if (href) one.href = href;
      one.ariaCurrent = here ? "page" : null;
    });
  }
};
