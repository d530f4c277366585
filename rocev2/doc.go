// Package rocev2 decodes the InfiniBand transport as RoCEv2, RoCEv1 and native
// InfiniBand frames carry it, from the Base Transport Header to the ICRC.
//
// The layout is the same over all three; all fields are in network byte order:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------+-+-+---+-------+-------------------------------+
//	|    OpCode     |S|M|Pad| TVer  |             P_Key             |  BTH
//	+-+-+-----------+-+-+---+-------+-------------------------------+  12 bytes
//	|F|B| reserved  |                    DestQP                     |
//	+-+-+-----------+-----------------------------------------------+
//	|A|  reserved   |                      PSN                      |
//	+-+-------------+-----------------------------------------------+
//	| extended headers, as the opcode says, in this order:          |
//	|   RDETH 4  DETH 8  XRCETH 4  FETH 4  RETH 16  AtomicETH 28    |
//	|   AETH 4  AtomicAckETH 8  ImmDt 4  IETH 4                     |
//	+---------------------------------------------------------------+
//	| payload                                                       |
//	|                                       +-----------------------+
//	|                                       | pad, 0 to 3 bytes    |
//	+---------------------------------------+-----------------------+
//	| ICRC, least significant byte first                           |
//	+---------------------------------------------------------------+
//
// There are two speeds. Packet.Decode and the accessors beside it run for every
// frame: they fill offsets and scalars, copy nothing and allocate nothing.
// Packet.Nodes builds the tree of fields for the one packet that someone looks
// at, from the tables in this package; tests hold the two against each other.
//
//	frame ──link.Packet──> Packet.Decode ──> scalars, offsets ──> dissect/flow
//	                            │   └──> Payload of a MAD ──> CM.Decode
//	                            └──> Nodes (on demand)
//
// A malformed packet is a field.Fault in the Packet, never an error and never a
// panic. Package layers, below this one, has the same headers as gopacket layers.
//
// References are to the InfiniBand Architecture Specification, volume 1 (IBA),
// chapter 9 of which defines the headers, to its Annex A14 (XRC) and to its
// Annexes A16 (RoCE) and A17 (RoCEv2).
//
// Other programs may import this package. While rdmacap is at version 0, a minor version may
// change what it exports; CHANGELOG.md lists each such change.
package rocev2
