// Package link finds the transport packet in a captured frame: it reads what
// lies below, from the link header to UDP, TCP, GRH or LRH.
//
//	frame (capture.Frame: link type, captured bytes, length on the wire)
//	  │
//	  │   Ethernet  802.1Q tags   IPv4, IPv6   UDP      transport packet        trailer
//	  │  ┌────────┬─────────────┬────────────┬─────┬──────────────────────────┬ ─ ─ ─ ─┐
//	  └─>│        │             │            │     │ BTH ...            ICRC  │ padding
//	     └────────┴─────────────┴────────────┴─────┴──────────────────────────┴ ─ ─ ─ ─┘
//	                            ^Network           ^Start                     ^End
//
//	RoCEv1       Ethernet, tags, GRH, BTH ... ICRC             Network = GRH
//	InfiniBand   LRH, perhaps GRH, BTH ... ICRC, VCRC          Network = LRH
//	TCP          ..., IP, TCP header, segment                  Start = TCP header
//	around them  SLL, SLL2, raw IP, loopback; ERF with Ethernet, IP or LRH within
//	tunnels      ERSPAN, GRE, VXLAN, Geneve, MPLS, IP in IP, PPPoE, NSH and others
//	             (Tunnels): what they carry is found as if nothing were around it
//
// Packet.Decode runs for every frame. It fills offsets and scalars, copies
// nothing but the addresses and allocates nothing; RoCEv2 and TCP in plain
// Ethernet and IPv4 have a straight-line route of their own. Packet.Nodes builds
// the tree of fields for the one frame that someone looks at, from the tables
// that are next to each header's decoder.
//
// The end of a transport packet is what the length fields of its headers say,
// never the end of the frame: a short Ethernet frame is padded, an InfiniBand
// frame ends in a VCRC, and taking those for the ICRC would make good frames
// bad. Where the length fields contradict each other or the frame, Packet.Fault
// says so and names the byte.
//
// Other programs may import this package. While rdmacap is at version 0, a minor version may
// change what it exports; CHANGELOG.md lists each such change.
package link
