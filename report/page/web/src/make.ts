// Elements, made without markup: no text from a capture is ever parsed.

export type Attributes = Record<string, string | number | boolean>;

/** make returns an element with attributes and what stands in it. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...inside: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  set(e, attributes);
  e.append(...inside);
  return e;
}

/** makeSVG returns an SVG element. */
export function makeSVG(tag: string, attributes: Attributes): SVGElement {
  const e = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(e, attributes);
  return e;
}

function set(e: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== false) e.setAttribute(name, value === true ? "" : String(value));
  }
}

const fills = new WeakMap<HTMLDetailsElement, () => void>();

/** Fills a details element when it is first opened. */
export function fillWhenOpened(box: HTMLDetailsElement, inside: () => Node): void {
  const fill = () => {
    if (!box.open) return;
    box.removeEventListener("toggle", fill);
    if (fills.delete(box)) box.append(inside());
  };
  fills.set(box, fill);
  box.addEventListener("toggle", fill);
}

/** Opens a details element that fillWhenOpened was called for, and fills it at once. */
export function openNow(box: HTMLDetailsElement): void {
  box.open = true;
  fills.get(box)?.();
}

/** A table in a box that scrolls, by keys too, where the table is wider. */
export function scrolled(name: string, table: HTMLElement): HTMLElement {
  return make("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": name }, table);
}
