// Package iwarp decodes iWARP: MPA start-up frames and FPDUs in a TCP stream
// (RFC 5044, RFC 6581), and the DDP segments (RFC 5041) and RDMAP messages
// (RFC 5040, RFC 7306) that FPDUs carry.
//
// A direction of the stream begins with one start-up frame; FPDUs follow, one
// after the other and without regard to TCP segments:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+---------------------------------------------------------------+
//	| key: "MPA ID Req Frame" or "MPA ID Rep Frame"                 |  MPA Request
//	| 16 bytes                                                     |  or Reply:
//	+-+-+-+-+-------+---------------+-------------------------------+  20 bytes,
//	|M|C|R|S| resvd |      Rev      |           PD_Length           |  then the
//	+-+-+-+-+-------+---------------+-------------------------------+  private data
//	:A|B|           IRD             |C|D|           ORD             :  (with S)
//	+---------------------------------------------------------------+
//
//	+-------------------------------+-------------------------------+
//	|         ULPDU_Length          | ULPDU: one DDP segment        |  FPDU
//	+-------------------------------+                               |
//	|                                       +-----------------------+
//	|                                       | pad, 0 to 3 bytes    |
//	+---------------------------------------+-----------------------+
//	| CRC32c, least significant byte first                         |
//	+---------------------------------------------------------------+
//
//	+-------------------------------+-------------------------------+
//	|        reserved, zero         |            FPDUPTR            |  marker
//	+-------------------------------+-------------------------------+
//
// A marker stands before every 512th byte of a direction whose receiver asked
// for markers, wherever in an FPDU that is. FPDUPTR is the distance back to the
// ULPDU_Length of the FPDU around it.
//
// The ULPDU is a DDP header, tagged or untagged, whose second byte is RDMAP's,
// and its payload. All fields are in network byte order:
//
//	+-+-+-------+---+---+---+-------+-------------------------------+
//	|1|L| resvd |DV |RV |res|OpCode |             STag              |  tagged
//	+-+-+-------+---+---+---+-------+-------------------------------+  14 bytes
//	|             STag              |              TO               |
//	+-------------------------------+                               +
//	|                                                               |
//	+                               +-------------------------------+
//	|              TO               | payload                       |
//	+-------------------------------+-------------------------------+
//
//	+-+-+-------+---+---+---+-------+-------------------------------+
//	|0|L| resvd |DV |RV |res|OpCode |        Invalidate STag        |  untagged
//	+-+-+-------+---+---+---+-------+-------------------------------+  18 bytes
//	|        Invalidate STag        |              QN               |
//	+-------------------------------+-------------------------------+
//	|              QN               |              MSN              |
//	+-------------------------------+-------------------------------+
//	|              MSN              |              MO               |
//	+-------------------------------+-------------------------------+
//	|              MO               | payload                       |
//	+-------------------------------+-------------------------------+
//
// There are two speeds. Start.Decode, Framer and PDU.Decode run for every
// byte of a stream: they hand on slices of what they are given, fill scalars
// and allocate nothing once they run. StartNodes, FPDUNodes and PDUNodes build
// the tree of fields for the one frame that someone looks at, from the tables
// in this package; tests hold the two against each other.
//
//	TCP stream ──┬─> Start.Decode ──> markers? CRC? depths, private data
//	             └─> Framer ──FPDU──> PDU.Decode ──> scalars, Payload
//
// What is malformed is a field.Fault in what was decoded, never an error and
// never a panic.
//
// Other programs may import this package. While rdmacap is at version 0, a minor version may
// change what it exports; CHANGELOG.md lists each such change.
package iwarp
