// Package layers offers the headers of package iwarp as gopacket layers, so
// that any program built on gopacket can have them:
//
//	TCP ── MPA ─┬─ MPAStart ── private data
//	port 20049  └─ FPDU ── DDP ─┬─ payload                       ── FPDU ── DDP ── ...
//	                            ├─ ReadRequest, Terminate        ── FPDU ── DDP ── ...
//	                            └─ AtomicRequest, AtomicResponse, Immediate
//
// The contents of an FPDU layer are the ULPDU_Length, its payload is the ULPDU; pad
// and CRC are fields of the layer, and in no layer's contents. Those of a DDP
// layer are the tagged or untagged header with RDMAP's control byte.
//
// # Segments
//
// Call RegisterTCPPort once, and TCP hands its payload to these layers. For
// packets gopacket does that only if it treats segments as datagrams:
//
//	gopacket.NewPacket(data, layers.LayerTypeEthernet, gopacket.DecodeOptions{DecodeStreamsAsDatagrams: true})
//
// What TCP carries is a stream, and a segment may begin anywhere in it. So MPA,
// which has no bytes of its own and is no layer of a packet, looks first. A
// segment with the key of a start-up frame is an MPAStart. One is a run of FPDUs
// if it begins with one whose DDP header is whole and plausible (see
// iwarp.Plausible), and so is, where the lengths lead to others, each of theirs.
// All else is payload, as is a segment that begins inside an FPDU.
//
// Each FPDU of a segment comes as layers of its own, one after the other as they
// stand: after the payload of the first or its message is the next FPDU. Where
// the segment ends within an FPDU, the packet is truncated in gopacket's sense,
// and the FPDU, its CRC 0, has what is there; the rest is in another segment.
// Where it ends within a header, that is an error layer.
//
// A gopacket.DecodingLayerParser holds one FPDU: it stops after the
// first, and FPDU.Next is where the next call continues, with a parser that
// begins with LayerTypeFPDU. Nothing is allocated.
//
// # Streams
//
// A program that reassembles, by gopacket/reassembly or gopacket/tcpassembly,
// cuts a direction's bytes with Split, from the first byte or from any place
// where an FPDU begins, and decodes each piece from TypeOf it:
//
//	reassembly:  data := sg.Fetch(available); n, piece, err := layers.Split(data[at:], false); ... sg.KeepFrom(at)
//	tcpassembly: scanner := bufio.NewScanner(&readerStream); scanner.Split(layers.Split)
//
// None of this knows markers, which some receivers ask for (MPAStart.Markers),
// and a gap in a stream loses the place where FPDUs begin. iwarp.Framer deals
// with both; it is given the bytes in order, and the gaps, and the ULPDUs that it
// finds are decoded from LayerTypeDDP.
//
// All layers can also be serialized; to have the lengths of FPDUs made, one at a
// time.
//
// The package stands apart because importing gopacket's own layers costs a
// program several milliseconds before main begins. Whoever needs only the
// headers imports iwarp and does not pay for it. No header is decoded here that
// iwarp decodes: layers take their fields from its types.
//
// Other programs may import this package. While rdmacap is at version 0, a minor version may
// change what it exports; CHANGELOG.md lists each such change.
package layers
