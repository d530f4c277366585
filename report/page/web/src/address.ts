// The address of the page: what it names, and behind it how the page is shown, so that who copies it has both:
//
//	#rpc-0x3a2b1c00;t=13.5..15.25;y=rpc.latency%20%3E%201ms;sort=-latency;at=120
//
// It comes from a stranger: what cannot be understood is left alone.

/** What an address says. */
interface Said {
  anchor: string;
  state: Map<string, string>;
}

/** What is named by a fragment, without the #. */
export function anchorOf(hash: string): string {
  return parseAddress(hash).anchor;
}

export function parseAddress(hash: string): Said {
  const [anchor = "", ...pairs] = hash.replace(/^#/, "").split(";");
  const state = new Map<string, string>();
  for (const pair of pairs) {
    const [, name, value] = /^([a-z]+)=(.+)$/.exec(pair) ?? [];
    try {
      if (name && value) state.set(name, decodeURIComponent(value));
    } catch {
      // It is cut, or no encoding.
    }
  }
  return { anchor, state };
}

export function writeAddress({ anchor, state }: Said): string {
  // A comma and a colon mean nothing in a fragment: lists of columns can be read.
  const written = (value: string) => encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":");
  return "#" + anchor + [...state].map(([name, value]) => `;${name}=${written(value)}`).join("");
}

/** The address of this page. A link changes what it names, and leaves how the page is shown. */
export class Address {
  private said: Said;
  /** The address as it was when it was read or written last. */
  private known: string;
  private readonly listeners: (() => void)[] = [];

  constructor() {
    this.said = parseAddress(location.hash);
    this.known = location.hash;
    // With more behind it, it is no element's name: so the browser does not find it.
    if (this.said.state.size > 0 && document.getElementById(this.said.anchor)) {
      location.replace("#" + this.said.anchor);
      this.known = location.hash;
      this.write();
    }
    addEventListener("hashchange", () => {
      this.known = location.hash;
      const { anchor, state } = parseAddress(location.hash);
      const same = writeAddress({ anchor, state }) === writeAddress(this.said);
      this.said.anchor = anchor;
      if (same) return;
      if (state.size === 0) {
        this.write();
        return;
      }
      this.said.state = state;
      for (const f of this.listeners) f();
    });
  }

  get(name: string): string {
    return this.said.state.get(name) ?? "";
  }

  /** Says how something is shown, "" as it is at first. */
  set(name: string, value: string): void {
    if (this.get(name) === value) return;
    if (value) this.said.state.set(name, value);
    else this.said.state.delete(name);
    this.write();
  }

  /** Says what is named. */
  name(anchor: string): void {
    this.said.anchor = anchor;
    this.write();
  }

  /** Calls f when somebody comes to another state, as by the browser's way back. */
  onChange(f: () => void): void {
    this.listeners.push(f);
  }

  private write(): void {
    // A link has just been followed, and its event is to come: what it names must not be lost. What is not written here, the event writes.
    if (location.hash !== this.known) return;
    const hash = writeAddress(this.said);
    if (hash === location.hash || hash === "#" && !location.hash) return;
    try {
      history.replaceState(null, "", hash);
      this.known = location.hash;
    } catch {
      // Some browsers refuse this to files. The panel has the link to its RPC, too.
    }
  }
}
