import { announce } from "./announce";
import type { Data } from "./data";
import { factsOf, latencyOf, peers, transferOf } from "./columns";
import { Comparison } from "./compare";
import { evidenceBody } from "./evidence";
import { missingNote, evidenceOrNote } from "./row-evidence";
import { make, openNow } from "./make";
import { fault, noted } from "./mark";
import type { Evidence } from "./model";
import { severityLabel } from "./severity";
import { plain } from "./text";
import { frameName, byteCount, seconds } from "./units";

/** What stands in the panel below the list: one RPC, or the evidence that shows a frame. */
export class Panel {
  readonly root = make("section", { class: "rpc-panel", "aria-labelledby": "rpc-panel-title" });
  private readonly title = make("h3", { id: "rpc-panel-title", tabindex: -1 });
  private readonly body = make("div");
  private readonly tools = make("span", { class: "rpc-panel-tools" });
  private readonly note = make("span", { class: "aside" });
  private readonly comparison: Comparison;

  /** setAnchor is called with the target of the address when a comparison begins or ends. */
  constructor(private readonly data: Data, close: () => void, step: (n: number) => void, setAnchor: (anchor: string) => void) {
    this.comparison = new Comparison(data, setAnchor);
    const button = (text: string, label: string, act: () => void) => {
      const b = make("button", { type: "button", "aria-label": label }, text);
      b.addEventListener("click", act);
      this.tools.append(b);
    };
    button("Previous", "Previous RPC of the list", () => step(-1));
    button("Next", "Next RPC of the list", () => step(1));
    button("Close", "Close this RPC", close);
    this.tools.prepend(this.note);
    this.root.append(make("div", { class: "rpc-panel-head" }, this.title, this.tools), this.comparison.tools, this.body, this.comparison.root);
    this.root.addEventListener("keydown", (e) => {
      if (e.key === "Escape") close();
    });
    this.root.hidden = true;
  }

  hide(): void {
    this.root.hidden = true;
    this.comparison.clear();
    this.body.replaceChildren();
  }

  /** Shows beside the buttons why one of them did nothing, until something else is shown. */
  showNote(text: string): void {
    this.note.textContent = text;
    announce(text);
  }

  focus(): void {
    this.title.focus({ preventScroll: true });
    this.title.scrollIntoView({ block: "start" });
  }

  /** Shows an RPC. */
  showRow(row: number): void {
    const { rows } = this.data;
    this.begin(`${plain(rows.named("name", row))}, XID ${rows.xid(row)}`, rows.link(row));
    this.body.append(this.facts(row));
    this.comparison.offer(row);
    const mark = rows.numbers("severity")[row] === 1 ? noted : fault, item = evidenceOrNote(this.data, row, "bytes");
    this.body.append(item instanceof HTMLElement ? item : evidenceBody(item, mark));
  }

  /** Shows the RPC that is open beside another. */
  compare(row: number, other: number): void {
    this.comparison.show(row, other);
  }

  /** Shows evidence that is of no row. */
  showEvidence(item: Evidence): void {
    this.begin(plain(item.title));
    const finding = this.data.findingNumber(item);
    if (finding > 0) {
      this.body.append(make("p", {}, "It belongs to ", make("a", { href: `#finding-${finding}` }, `finding ${finding}`), "."));
    }
    const note = document.getElementById(`finding-${finding}`)?.classList.contains("note");
    this.body.append(evidenceBody(item, note ? noted : fault));
  }

  /** Shows that something is not in the page, and which command shows it. */
  showMissing(title: string, text: string, command: string): void {
    this.begin(title);
    this.body.append(missingNote(this.data.meta, text, command));
  }

  /**
   * Scrolls to a frame: its bytes or those of its message if the page has them, else its step in the
   * ladder. If bytes are missing, it shows the command that prints them. It reports whether the page has the frame at all.
   */
  reveal(frame: string, command: string): boolean {
    const found = [...this.body.querySelectorAll<HTMLDetailsElement>("details[data-frame]")].find((e) => e.dataset["frame"] === frame);
    const summary = found?.querySelector("summary") ?? null;
    const part = found?.dataset["part"] !== undefined;
    this.body.querySelector(".rpc-frame")?.remove();
    if (!found || part) {
      const here = part ? "These are the bytes of the message that it completed. " : "";
      const missing = missingNote(this.data.meta, `${here}The page does not have all bytes of frame ${frame}.`, command);
      missing.classList.add("rpc-frame");
      if (summary) summary.after(missing);
      else this.body.prepend(missing);
      announce(missing.textContent ?? "");
    }
    if (found) {
      openNow(found);
      show(found, summary);
      return true;
    }
    const step = this.body.querySelector<HTMLElement>(`.ladder a[href="#frame-${CSS.escape(frame)}"]`);
    if (step) show(step.closest("tr") ?? step, step);
    return step !== null;
  }

  private begin(title: string, link?: string): void {
    this.title.replaceChildren(title);
    if (link) this.title.append(" ", make("a", { class: "self", href: "#" + link, "aria-label": "link to this RPC" }, "#"));
    this.note.textContent = "";
    this.comparison.clear();
    this.body.replaceChildren();
    this.root.hidden = false;
  }

  private facts(row: number): HTMLElement {
    const { rows } = this.data;
    const n = (column: string) => rows.numbers(column)[row]!;
    const list = make("dl", { class: "facts" });
    const fact = (name: string, ...value: (string | Node)[]) => {
      if (value.join("") !== "") list.append(make("dt", {}, name), make("dd", {}, ...value));
    };
    const frame = (column: string, file: string) => {
      if (n(column) === 0) return "not in the capture";
      const name = frameName(n(column), rows.hasColumn(file) ? n(file) : undefined);
      return make("a", { href: "#frame-" + name }, name);
    };
    const findings = findingsOf(rows.link(row));
    fact("Findings", severityLabel(n("severity")), ...findings.flatMap((f) => [" ", f]));
    fact("Time", `${seconds(n("start"))} s`);
    fact("Connection", make("a", { href: `#connection-${n("connection")}` }, String(n("connection"))), `: ${peers(rows, row)}`);
    if (n("reverse")) fact("Direction", "a call from server to client");
    if (n("program") >= 0) fact("Procedure", `program ${n("program")}, version ${n("version")}, procedure ${n("procedure")}`);
    fact("Credential", plain(rows.named("auth", row)));
    for (const [title, text] of factsOf(row, this.data)) fact(title, text);
    fact("Status", plain(rows.named("status", row)));
    fact("Latency", latencyOf(rows, row));
    for (const half of ["call", "reply"] as const) {
      const length = n(`${half}_length`);
      fact(half === "call" ? "Call" : "Reply", "frame ", frame(half === "call" ? "frame" : "reply_frame", half === "call" ? "file" : "reply_file"),
        length >= 0 ? `, ${byteCount(length)}, ${transferOf(rows, half, row)}` : "");
    }
    fact("Moved", [[n("read_bytes"), "RDMA Reads"], [n("write_bytes"), "RDMA Writes"]].filter(([v]) => Number(v) > 0)
      .map(([v, by]) => `${byteCount(Number(v))} by ${by}`).join(", "));
    if (!n("complete")) fact("Complete", "no: part of it is not in the capture");
    fact("Operations", plain(rows.text("detail")[row] ?? ""));
    return list;
  }
}

function show(what: Element, focused: HTMLElement | null): void {
  what.scrollIntoView({ block: "nearest" });
  focused?.focus({ preventScroll: true });
}

/** Links to the findings that name an RPC. */
function findingsOf(link: string): HTMLElement[] {
  const found = new Set([...document.querySelectorAll(`#findings a[href="#${CSS.escape(link)}"]`)]
    .map((a) => a.closest(".finding")).filter((f) => f !== null));
  return [...found].map((f) => make("a", { href: "#" + f.id }, f.querySelector(".rule")?.textContent || f.id));
}
