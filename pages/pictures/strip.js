// A square for every statement, in rows by paper; a press opens one. Of them all the tabulator stops
// at one, and arrows go on from there.
export default redrawn((component, root, data) => {
  root.replaceChildren();
  for (const [paper, squares] of Object.entries(data)) {
    const row = add(root, "div", { class: "strip" });
    add(row, "b", {}, paper);
    for (const [id, told, colour, mark] of squares) {
      const look = { type: "button", title: told, "aria-label": told, style: `background: ${colour}`, tabindex: -1 };
      add(row, "button", look, mark).addEventListener("click", () => component.setTriggerValue("released", { id }));
    }
  }
  const all = [...root.querySelectorAll("button")];
  if (all.length) all[0].tabIndex = 0;
  root.onkeydown = event => {
    const step = (event.key === "ArrowRight") - (event.key === "ArrowLeft");
    if (step) all[all.indexOf(document.activeElement) + step]?.focus();
  };
});
