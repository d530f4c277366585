// The address of the page: its target, followed by the view state, so that a copied address has both:
//
//	#rpc-0x3a2b1c00;t=13.5..15.25;y=rpc.latency%20%3E%201ms;sort=-latency;at=120
//
// It is untrusted input: what cannot be parsed is ignored.

/** The target of an address and its view state. */
interface AddressParts {
  anchor: string;
  state: Map<string, string>;
}

/** What is named by a fragment, without the #. */
export function anchorOf(hash: string): string {
  return parseAddress(hash).anchor;
}

export function parseAddress(hash: string): AddressParts {
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

export function writeAddress({ anchor, state }: AddressParts): string {
  // A comma and a colon mean nothing in a fragment: lists of columns can be read.
  const written = (value: string) => encodeURIComponent(value).replace(/%2C/g, ",").replace(/%3A/g, ":");
  return "#" + anchor + [...state].map(([name, value]) => `;${name}=${written(value)}`).join("");
}

/** The address of this page. A link changes what it names, and leaves how the page is shown. */
export class Address {
  private parts: AddressParts;
  /** The address as it was when it was read or written last. */
  private known: string;
  private readonly listeners: (() => void)[] = [];

  constructor() {
    this.parts = parseAddress(location.hash);
    this.known = location.hash;
    // With view state after it, the anchor is not the id of an element, so the browser does not find it.
    if (this.parts.state.size > 0 && document.getElementById(this.parts.anchor)) {
      location.replace("#" + this.parts.anchor);
      this.known = location.hash;
      this.write();
    }
    addEventListener("hashchange", () => {
      this.known = location.hash;
      const { anchor, state } = parseAddress(location.hash);
      const same = writeAddress({ anchor, state }) === writeAddress(this.parts);
      this.parts.anchor = anchor;
      if (same) return;
      if (state.size === 0) {
        this.write();
        return;
      }
      this.parts.state = state;
      for (const f of this.listeners) f();
    });
  }

  get(name: string): string {
    return this.parts.state.get(name) ?? "";
  }

  /** Sets one value of the view state, "" for the default. */
  set(name: string, value: string): void {
    if (this.get(name) === value) return;
    if (value) this.parts.state.set(name, value);
    else this.parts.state.delete(name);
    this.write();
  }

  /** Sets the target. */
  setAnchor(anchor: string): void {
    this.parts.anchor = anchor;
    this.write();
  }

  /** Calls f when the reader navigates to another view state, as with the browser's Back button. */
  onChange(f: () => void): void {
    this.listeners.push(f);
  }

  private write(): void {
    // A link has just been followed, and its event is to come: what it names must not be lost. What is not written here, the event writes.
    if (location.hash !== this.known) return;
    const hash = writeAddress(this.parts);
    if (hash === location.hash || hash === "#" && !location.hash) return;
    try {
      history.replaceState(null, "", hash);
      this.known = location.hash;
    } catch {
      // Some browsers refuse this to files. The panel has the link to its RPC, too.
    }
  }
}
