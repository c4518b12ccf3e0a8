"use strict";
// Optional: without scripts, everything is visible, and the check boxes still filter.
document.documentElement.classList.add("js");
const field = document.getElementById("search");
if (field) {
  const items = Array.from(document.querySelectorAll("#findings .finding, #findings tr.row"));
  const texts = items.map((item) => item.textContent.toLowerCase());
  const status = document.getElementById("search-status");
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    items.forEach((item, at) => {
      const matches = words.every((word) => texts[at].includes(word));
      item.classList.toggle("hidden", !matches);
      shown += matches ? 1 : 0;
      const more = words.length && matches && item.closest("details.more");
      if (more) more.open = true;
    });
    status.textContent = words.length ? `${shown} of ${items.length}` : "";
  };
  let waiting = 0;
  field.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, 120);
  });
  for (const [name, open] of [["open-all", true], ["close-all", false]]) {
    document.getElementById(name).addEventListener("click", () => {
      document.querySelectorAll("#findings details").forEach((one) => { one.open = open; });
    });
  }
}
const openTarget = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const details = target && target.closest("details");
  if (details) {
    details.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", openTarget);
openTarget();
addEventListener("beforeprint", () => {
  document.querySelectorAll("details.more").forEach((one) => { one.open = true; });
});
