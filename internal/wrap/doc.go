// Package wrap wraps the frames of a capture as mirrors, switches and overlays do, for
// tests of what looks into that. Bytes are written here by hand from the RFCs and
// drafts that capture/link names, and nothing of the module is imported: it does not
// trust what it tests.
//
//	Ethernet, IPv4, UDP ...  ──>  Ethernet, IPv4, GRE, ERSPAN, Ethernet, IPv4, UDP ...
package wrap
