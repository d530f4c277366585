// Package build makes the frames that tests feed to the decoders: single RoCE
// frames out of layers, and whole conversations of two hosts, over RoCE or iWARP,
// with the sequence numbers, acknowledgements and times that real ones have. It
// shares no code with what it tests: every byte is written here, from the
// documents.
//
// A frame is put together from layers, outermost first; what a test does not
// care about has a sensible default:
//
//	frame := build.RoCE(
//		build.VLAN{ID: 7},
//		build.BTH{OpCode: build.RCWriteOnly, DestQP: 0x11, PSN: 100},
//		build.RETH{VA: 0x1000, RKey: 0xc82, DMALen: 5},
//		build.Payload("hello"))
//
//	+----------+--------+----------------+-----+-----+-------------+---------+-----+------+
//	| Ethernet | VLAN * | IPv4/IPv6, UDP | BTH | ext. headers *    | payload | pad | ICRC |
//	|          |        | or GRH (v1)    |     | in the order given|         |     |      |
//	+----------+--------+----------------+-----+-------------------+---------+-----+------+
//
// A conversation reads like a story. This one is an NFS READ whose data the
// server places with RDMA Write:
//
//	c := build.NewConversation(build.Setup{})
//	c.Connect()
//	read := c.Call(build.NFS3Read(1, fh, 0, 3000),
//		build.WriteChunk{{Handle: 0xc82, Length: 4096, Offset: 0x1000}})
//	c.Wait(time.Millisecond)
//	c.Reply(read, build.NFS3ReadReply(1, data))
//	c.Disconnect()
//
// An iWARP conversation tells the same stories, and how TCP carries them. Here
// the server wants markers, both want CRCs, and the call's bytes arrive in three
// segments:
//
//	c := build.NewIWARP(build.IWARPSetup{MarkersToServer: true, CRC: true})
//	c.Connect()
//	c.Cut(build.ToServer, 100, 7)
//	c.Reply(c.Call(build.NFS3GetAttr(1, fh)), build.NFS3GetAttrReply(1, 3000))
//	c.Disconnect()
//
// What it is made of stands alone too: MPAStart, MPAStream, Untagged, Tagged and
// the payloads, each with Bytes.
//
//	+----------+--------+-----------+-----+---------------------------------------------+
//	| Ethernet | VLAN * | IPv4/IPv6 | TCP | a piece of the stream: MPAStart, then FPDUs |
//	+----------+--------+-----------+-----+---------------------------------------------+
//
// The frames are c.Frames. What happens to them on the way is told afterwards,
// on copies:
//
//	lost := c.Frames.Drop(7)             // the capture lacks one
//	late := c.Frames.Swap(7, 8)          // reordered
//	short := c.Frames.Cut(96)            // a snap length
//	half := c.Frames.Only(build.ToServer)
//	err := build.WritePcap(w, lost)
package build
