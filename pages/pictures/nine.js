// Nine small maps on the axes of a larger one, which stands beside or above them; one is pressed.
export default picture(component => {
  const root = component.parentElement.querySelector(".picture");
  root.classList.add("map", "nine");
  return data => {
    const focus = [...root.children].indexOf(document.activeElement);
    root.replaceChildren();
    for (const name of ["", ...data.across]) add(root, "span", { class: "quiet" }, name);
    data.maps.forEach((regions, k) => {
      const [down, across] = [data.down[Math.floor(k / 3)], data.across[k % 3]];
      if (k % 3 === 0) add(root, "span", { class: "quiet" }, down);
      const press = add(root, "button", { "aria-label": `${across}, ${down}`, "aria-pressed": k === 4 });
      const small = add(press, "svg", { viewBox: "0 0 100 75", "aria-hidden": true });
      for (const { cause, depth, paths } of regions)
        add(small, "path", { class: `${cause} d${depth}`, d: outline(paths, 100, 75) });
      press.addEventListener("click", () => component.setTriggerValue("released", { nine: k }));
    });
    root.children[focus]?.focus();
  };
});
