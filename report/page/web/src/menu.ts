/** Marks the visible section in the menu: the last one that has reached the menu, or the last of all at the end of the page. */
export function startMenu(): void {
  const menu = document.getElementById("menu")!;
  const links = [...document.querySelectorAll<HTMLAnchorElement>("#menu a")];
  const sections = links.map((a) => document.getElementById(a.hash.slice(1)));
  let waiting = false;
  const say = () => {
    waiting = false;
    const edge = 2 * menu.offsetHeight;
    let now = 0;
    sections.forEach((s, i) => {
      if (s && s.getBoundingClientRect().top < edge) now = i;
    });
    if (scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2) now = links.length - 1;
    links.forEach((a, i) => {
      if (i !== now) return a.removeAttribute("aria-current");
      if (a.hasAttribute("aria-current")) return;
      a.setAttribute("aria-current", "true");
      menu.scrollLeft = a.offsetLeft - (menu.clientWidth - a.offsetWidth) / 2; // in a narrow window it does not have room for all
    });
  };
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(say);
  }, { passive: true });
  say();
}
