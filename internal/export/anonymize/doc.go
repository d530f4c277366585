// Package anonymize replaces what frames say of people, machines and files, so that captures can be
// given to others. What is not known to be harmless is replaced.
//
//	captures ──> Planner ──> Plan: which bytes of each chosen frame are known, and what becomes of them
//	captures ──> Sealer  ──> Plan: the CRCs of FPDUs of what they are now
//	captures ──> extract.Copy ──> Plan.Rewrite: blank bytes, what is known on top, checksums
//
// A frame begins as bytes out of a keyed stream, of its length. On it goes what a table or a type in
// XDR language says to be a number, as it is, and what is reported to be an address, a name, an id or a
// handle, replaced by a keyed function of it. All else stays a part of the stream: file data,
// what cannot be decoded, other protocols, pad that is not zero.
//
// A Plan holds a few hundred bytes for each frame that was chosen, and the messages of the
// RPCs in them, but no file data.
package anonymize
