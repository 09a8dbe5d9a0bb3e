// 53 bits of a toss, as a double has them, against the chance that the answer passes unchanged.
export default function (component) {
  const { data, parentElement, setTriggerValue } = component;
  const buttons = [...parentElement.querySelectorAll("button")];
  const toss = () => {
    const [high, low] = crypto.getRandomValues(new Uint32Array(2));
    return (high * 2 ** 21 + (low >>> 11)) / 2 ** 53;
  };
  buttons.forEach((button, place) => {
    button.onclick = () => {
      buttons.forEach((one) => { one.disabled = true; });
      const yes = place === 0;
      setTriggerValue("bit", Number(toss() < data.kept ? yes : !yes));
    };
  });
}
