package build

import "encoding/binary"

// An RTR (ready to receive) is the message by which the client of a peer-to-peer
// connection lets the server send (RFC 6581, section 9).
type RTR uint8

const (
	NoRTR    RTR = iota
	RTRSend      // B: a Send of no bytes
	RTRWrite     // C: an RDMA Write of no bytes
	RTRRead      // D: an RDMA Read of no bytes
)

// An MPAStart is an MPA Request or Reply frame (RFC 5044, section 7.1.1): a key of
// 16 bytes, flags, the revision, the length of the private data and that.
//
//	+------------------------+---------+-----+---------------+-----------------------------+---------
//	| MPA ID Req Frame  (16) | M C R S | Rev | PD_Length (2) | A B IRD (2) | C D ORD (2)   | private
//	+------------------------+---------+-----+---------------+--- only if Enhanced --------+---------
type MPAStart struct {
	Reply    bool
	Markers  bool  // M: the sender wants to receive markers
	CRC      bool  // C: the sender wants the CRC used
	Reject   bool  // R: only of a reply
	Reserved uint8 // further flags (mask 0x0f), zero by the RFC
	Revision uint8 // as it is written
	// Enhanced is S: four bytes of the enhanced setup stand before the
	// private data (RFC 6581, section 9), made of what follows.
	Enhanced                      bool
	PeerToPeer                    bool   // A
	ZeroSend, ZeroWrite, ZeroRead bool   // B, C, D: the RTR that is offered or chosen
	IRD, ORD                      uint16 // 14 bits each
	Private                       []byte
}

// Bytes is the frame.
func (m MPAStart) Bytes() []byte {
	key := "MPA ID Req Frame"
	if m.Reply {
		key = "MPA ID Rep Frame"
	}
	flags := flag(m.Markers, 0x80) | flag(m.CRC, 0x40) | flag(m.Reject, 0x20) | flag(m.Enhanced, 0x10) | m.Reserved
	private := m.Private
	if m.Enhanced {
		ird := uint16(flag(m.PeerToPeer, 0x80)|flag(m.ZeroSend, 0x40))<<8 | m.IRD&0x3fff
		ord := uint16(flag(m.ZeroWrite, 0x80)|flag(m.ZeroRead, 0x40))<<8 | m.ORD&0x3fff
		private = append(appendWords(nil, uint32(ird)<<16|uint32(ord)), private...)
	}
	b := append([]byte(key), flags, m.Revision)
	b = binary.BigEndian.AppendUint16(b, uint16(len(private)))
	return append(b, private...)
}
