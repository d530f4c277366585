/** Says in the menu which section is in sight: the last one that has come up to the menu, at the end of the page the last. */
export function startMenu(): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>("#menu a")];
  const sections = links.map((a) => document.getElementById(a.hash.slice(1)));
  let waiting = false;
  const say = () => {
    waiting = false;
    const edge = 2 * document.getElementById("menu")!.offsetHeight;
    let now = 0;
    sections.forEach((s, i) => {
      if (s && s.getBoundingClientRect().top < edge) now = i;
    });
    if (scrollY > 0 && scrollY + innerHeight >= document.documentElement.scrollHeight - 2) now = links.length - 1;
    links.forEach((a, i) => {
      if (i === now) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    });
  };
  addEventListener("scroll", () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(say);
  }, { passive: true });
  say();
}
