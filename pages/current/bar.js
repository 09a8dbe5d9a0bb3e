// The bar: doors, the views of the open one, the study, a menu of all for a phone. A link is
// followed as Back is, within the session; with another button or a key held it is any link.
export default ({ data, parentElement }) => {
  const nav = parentElement.querySelector("nav");
  nav.onclick ??= event => {
    const link = event.target.closest("a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    nav.querySelector("details").open = false;
    history.pushState(null, "", link.href);
    dispatchEvent(new PopStateEvent("popstate"));
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
