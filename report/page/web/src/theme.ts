// Light or dark: as the system says, or as the button says.

import { make } from "./make";

const key = "rdmacap-theme";

/** Sent to the document when colours have changed: what is drawn on a canvas is drawn again. */
export const themeChange = "rdmacap-theme";

/** Takes the theme that was chosen before, and makes the button that changes it. */
export function startTheme(): void {
  const root = document.documentElement;
  const chosen = stored();
  if (chosen) root.dataset["theme"] = chosen;
  const button = make("button", { type: "button", class: "theme" });
  const say = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", isDark() ? "Light colours" : "Dark colours");
  };
  say();
  button.addEventListener("click", () => {
    root.dataset["theme"] = isDark() ? "light" : "dark";
    try {
      localStorage.setItem(key, root.dataset["theme"]);
    } catch {
      // A page that was opened from a disk may keep nothing: it is light or dark until it is closed.
    }
    say();
    changed();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    say();
    changed();
  });
  document.getElementById("menu")?.append(button);
}

function isDark(): boolean {
  const theme = document.documentElement.dataset["theme"];
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function stored(): string | null {
  try {
    const theme = localStorage.getItem(key);
    return theme === "dark" || theme === "light" ? theme : null;
  } catch {
    return null;
  }
}

function changed(): void {
  document.dispatchEvent(new Event(themeChange));
}

/** Paper is light: colours are those of paper until restore is called. */
export function lightForPaper(): () => void {
  const root = document.documentElement;
  const before = root.dataset["theme"];
  root.dataset["theme"] = "light";
  changed();
  return () => {
    if (before === undefined) delete root.dataset["theme"];
    else root.dataset["theme"] = before;
    changed();
  };
}
