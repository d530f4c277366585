// Package layers offers the headers of package rocev2 as gopacket layers, so
// that any program built on gopacket can have them:
//
//	Ethernet ── IPv4, IPv6 ── UDP ── BTH ── RDETH ── DETH ── XRCETH ── FETH ── RETH
//	               port 4791 ──┘              ── AtomicETH ── AETH ── AtomicAckETH
//	                                          ── ImmDt ── IETH ── payload or CM
//
// After the BTH come those of the extended headers that its opcode names. The
// payload is without pad and ICRC, which belong to the BTH; what is sent to
// communication management is a CM, with its private data as payload.
//
// Call RegisterUDPPort once and gopacket.NewPacket finds the layers; give the
// layers of NewSet to a gopacket.DecodingLayerParser to decode without
// allocations. All but CM can also be serialized.
//
// The package stands apart because importing gopacket's own layers costs a
// program several milliseconds before main begins. Whoever needs only the headers,
// as rdmacap itself, imports rocev2 and does not pay for it. Nothing is
// decoded here: layers take their fields from rocev2's types.
//
// Other programs may import this package. While rdmacap is at version 0, a minor version may
// change what it exports; CHANGELOG.md lists each such change.
package layers
