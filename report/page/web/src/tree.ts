// The field tree of an exhibit: a tree as ARIA defines it, with one item in the
// order of the Tab key and the arrow keys to move in it. The line of a field is
// the item, and not what also holds the fields below: its words are its name.

import type { Node as Field } from "./model";
import { fieldAt, isBad, type Path } from "./bytes-layout";
import { make } from "./make";
import { markView, signView, type Mark } from "./mark";
import { plain } from "./text";

export interface Tree {
  root: HTMLElement;
  /** Called with the field that the pointer or the focus is on. */
  onPoint: (path: Path | null) => void;
  /** mark marks one field's line. */
  mark(path: Path | null): void;
  /** focus opens what hides a field and moves the focus to it. */
  focus(path: Path): void;
  focused(): Path | null;
}

/** A branch with more below it is closed at first, unless a fault is there. */
const mostOpen = 100;

export function treeView(nodes: Field[], bad: [number, number][], mark: Mark): Tree {
  const root = make("ul", { class: "tree", role: "tree", "aria-label": "Fields" });
  const items = new Map<string, HTMLElement>();
  const tree: Tree = {
    root,
    onPoint: () => {},
    mark: (path) => {
      root.querySelector(".marked")?.classList.remove("marked");
      if (path) itemAt(path)?.classList.add("marked");
    },
    focus: (path) => {
      for (let n = 1; n < path.length; n++) open(path.slice(0, n), true);
      const item = items.get(path.join("."));
      if (item) move(item);
    },
    focused: () => {
      const item = document.activeElement;
      return item instanceof HTMLElement && root.contains(item) ? pathOf(item) : null;
    },
  };

  /** itemAt is the line of a field, or of the closed branch that it is in. */
  function itemAt(path: Path): HTMLElement | undefined {
    let shown: HTMLElement | undefined;
    for (let n = 1; n <= path.length; n++) {
      shown = items.get(path.slice(0, n).join(".")) ?? shown;
      if (shown?.getAttribute("aria-expanded") === "false") break;
    }
    return shown;
  }

  function add(list: HTMLElement, fields: Field[], path: Path): void {
    fields.forEach((field, i) => {
      const here = [...path, i];
      const item = lineView(field, bad, mark), at = here.join(".");
      item.dataset["path"] = at;
      item.setAttribute("aria-level", String(here.length));
      items.set(at, item);
      list.append(make("li", { role: "none" }, item));
      if (!field[6] || field[6].length === 0) return;
      item.setAttribute("aria-expanded", "false");
      if (countBelow(field) <= mostOpen || holdsBad(field, bad)) open(here, true);
    });
  }

  // A branch is built when it is first opened: a directory's listing may have
  // thousands of fields that no one looks at.
  function open(path: Path, on: boolean): void {
    const item = items.get(path.join("."));
    if (!item || !item.hasAttribute("aria-expanded")) return;
    item.setAttribute("aria-expanded", String(on));
    if (!on || item.nextElementSibling) return;
    const group = make("ul", { role: "group" });
    item.after(group);
    add(group, fieldAt(nodes, path)?.[6] || [], path);
  }

  function move(to: HTMLElement | undefined | null): void {
    if (!to) return;
    for (const old of root.querySelectorAll('[tabindex="0"]')) old.setAttribute("tabindex", "-1");
    to.setAttribute("tabindex", "0");
    to.focus({ preventScroll: true });
    to.scrollIntoView({ block: "nearest" });
  }

  add(root, nodes, []);
  root.querySelector("[role=treeitem]")?.setAttribute("tabindex", "0");
  listen(tree, open, move);
  return tree;
}

function listen(
  tree: Tree,
  open: (path: Path, on: boolean) => void,
  move: (to: HTMLElement | undefined | null) => void,
): void {
  const { root } = tree;
  const itemOf = (e: Event) => (e.target instanceof Element ? e.target.closest<HTMLElement>("[role=treeitem]") : null);
  const shown = () =>
    [...root.querySelectorAll<HTMLElement>("[role=treeitem]")].filter((i) => !i.closest('[aria-expanded="false"] + ul'));
  root.addEventListener("mouseover", (e) => {
    const item = itemOf(e);
    if (item) tree.onPoint(pathOf(item));
  });
  root.addEventListener("mouseleave", () => tree.onPoint(tree.focused()));
  root.addEventListener("focusin", (e) => {
    const item = itemOf(e);
    if (item) tree.onPoint(pathOf(item));
  });
  root.addEventListener("focusout", () => tree.onPoint(null));
  root.addEventListener("click", (e) => {
    const item = itemOf(e);
    if (!item) return;
    const onSign = e.target instanceof Element && e.target.classList.contains("twist");
    if (onSign) open(pathOf(item), item.getAttribute("aria-expanded") === "false");
    move(item);
  });
  root.addEventListener("keydown", (e) => {
    const item = itemOf(e);
    if (!item || e.ctrlKey || e.metaKey || e.altKey) return;
    const expanded = item.getAttribute("aria-expanded");
    const parent = item.closest("ul")?.previousElementSibling;
    const list = shown();
    const at = list.indexOf(item);
    switch (e.key) {
      case "ArrowDown":
        move(list[at + 1]);
        break;
      case "ArrowUp":
        move(list[at - 1]);
        break;
      case "Home":
        move(list[0]);
        break;
      case "End":
        move(list[list.length - 1]);
        break;
      case "ArrowRight":
        if (expanded === "false") open(pathOf(item), true);
        else if (expanded === "true") move(list[at + 1]);
        break;
      case "ArrowLeft":
        if (expanded === "true") open(pathOf(item), false);
        else if (parent instanceof HTMLElement) move(parent);
        break;
      case "Enter":
      case " ":
        if (expanded) open(pathOf(item), expanded === "false");
        break;
      default:
        return;
    }
    e.preventDefault();
    e.stopPropagation();
  });
}

function pathOf(item: HTMLElement): Path {
  return (item.dataset["path"] ?? "").split(".").map(Number);
}

function lineView(field: Field, bad: [number, number][], mark: Mark): HTMLElement {
  const [name, value, , , key, fault, children] = field;
  const line = make("span", { class: "field", role: "treeitem", tabindex: -1 }, make("span", { class: "twist", "aria-hidden": "true" }));
  line.append(make("span", { class: children ? "name heading" : "name" }, plain(name)));
  if (value) line.append(": ", make("span", { class: "value" }, plain(value)));
  if (isBad(field, bad)) {
    line.classList.add("bad");
    line.append(" ", fault ? markView({ ...mark, words: plain(fault) }) : signView(mark));
  }
  if (key) line.title = key;
  return line;
}

function countBelow(field: Field): number {
  const children = field[6] || [];
  let n = children.length;
  for (const c of children) {
    n += countBelow(c);
    if (n > mostOpen) break;
  }
  return n;
}

function holdsBad(field: Field, bad: [number, number][]): boolean {
  return isBad(field, bad) || (field[6] || []).some((c) => holdsBad(c, bad));
}
