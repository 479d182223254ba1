// A link into a folded part opens it; what is chosen stays in the address.
const openTarget = (target) => {
  const place = target ? document.getElementById(target) : null;
  const folded = place?.closest("details");
  if (folded) folded.open = true;
  if (place && (folded || location.hash.includes("="))) place.scrollIntoView();
};
addEventListener("hashchange", () => {
  const { target, address } = readAddress();
  const before = JSON.stringify(chosen);
  if (address) takeFromAddress();
  else writeAddress(target);
  if (JSON.stringify(chosen) !== before) showChoice();
  openTarget(target);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showReports);

const menu = document.getElementById("menu");
const narrow = matchMedia("(max-width: 64rem)");
const foldMenu = () => { menu.open = !narrow.matches; };
narrow.addEventListener("change", foldMenu);
foldMenu();
menu.addEventListener("click", (event) => { if (narrow.matches && event.target.closest("a")) menu.open = false; });

takeFromAddress();
showFilters();
for (const heading of document.querySelectorAll("details thead th")) {
  if (heading.textContent && !heading.querySelector(".sort")) heading.append(sortButton(heading.textContent));
}
if (JSON.stringify(chosen) === JSON.stringify(standard)) {
  showSparklines();
  showReports();
} else showChoice();
openTarget(readAddress().target);
