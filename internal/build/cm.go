package build

import (
	"encoding/binary"
	"net/netip"
)

// AttributeIDs of communication management messages (InfiniBand Architecture
// 1.3, volume 1, section 12.6).
const (
	AttrREQ  = 0x10
	AttrMRA  = 0x11
	AttrREJ  = 0x12
	AttrREP  = 0x13
	AttrRTU  = 0x14
	AttrDREQ = 0x15
	AttrDREP = 0x16
)

// madBody is the size of a CM message after its MAD header, always full;
// madLength that of the whole datagram.
const (
	madBody   = 232
	madLength = 256
)

// A MAD is a communication management datagram as a layer: BTH and DETH of
// queue pair 1 and 256 bytes of payload.
type MAD struct {
	Attribute     uint16
	TransactionID uint64
	PSN           uint32
	// Body is REQ, REP, ... .Bytes(); zeros fill the rest of 232.
	Body []byte
}

func (l MAD) addTo(p *parts) {
	const class, classVersion, send = 0x07, 2, 3
	BTH{OpCode: UDSendOnly, AckReq: true, DestQP: 1, PSN: l.PSN}.addTo(p)
	DETH{QKey: 0x80010000, SrcQP: 1}.addTo(p)
	b := append([]byte{1, class, classVersion, send}, make([]byte, 4)...)
	b = binary.BigEndian.AppendUint64(b, l.TransactionID)
	b = binary.BigEndian.AppendUint16(b, l.Attribute)
	b = append(b, make([]byte, 6)...)
	b = append(b, l.Body...)
	Payload(append(b, make([]byte, madBody-len(l.Body))...)).addTo(p)
}

// REQ is a connection request (section 12.6.5). RealREQ has what Linux writes
// into the fields that a test does not care about.
type REQ struct {
	LocalCommID                             uint32
	ServiceID                               uint64
	LocalCAGUID                             uint64
	LocalQPN                                uint32
	ResponderResources, InitiatorDepth      uint8
	RemoteResponseTimeout, TransportService uint8 // 5 bits; 2 bits, 0: RC
	StartingPSN                             uint32
	LocalResponseTimeout, RetryCount        uint8 // 5 and 3 bits
	PathMTU                                 int   // bytes: 256, 512, 1024, 2048 or 4096
	RNRRetryCount, MaxCMRetries             uint8 // 3 and 4 bits
	SRQ                                     bool
	ExtTransport                            uint8 // 3 bits
	LocalLID, RemoteLID                     uint16
	LocalGID, RemoteGID                     netip.Addr
	FlowLabel                               uint32 // 20 bits
	HopLimit, LocalACKTimeout               uint8  // LocalACKTimeout: 5 bits
	// PrivateData is what stands from byte 140, IP CM header included.
	PrivateData []byte
}

// RealREQ is a request with the timeouts and counts of a Linux 6.1 NFS client
// on Soft-RoCE.
func RealREQ() REQ {
	return REQ{
		ResponderResources: 128, RemoteResponseTimeout: 20,
		LocalResponseTimeout: 20, RetryCount: 6, PathMTU: 1024, MaxCMRetries: 15,
		LocalLID: 0xffff, RemoteLID: 0xffff, FlowLabel: 2, HopLimit: 64, LocalACKTimeout: 19,
	}
}

// Bytes is the message from its first byte to the end of its private data.
func (m REQ) Bytes() []byte {
	b := make([]byte, 140, madBody)
	be := binary.BigEndian
	be.PutUint32(b[0:], m.LocalCommID)
	be.PutUint64(b[8:], m.ServiceID)
	be.PutUint64(b[16:], m.LocalCAGUID)
	be.PutUint32(b[32:], m.LocalQPN<<8|uint32(m.ResponderResources))
	b[39] = m.InitiatorDepth
	b[43] = m.RemoteResponseTimeout<<3 | m.TransportService<<1
	be.PutUint32(b[44:], m.StartingPSN<<8|uint32(m.LocalResponseTimeout)<<3|uint32(m.RetryCount))
	be.PutUint16(b[48:], 0xffff) // partition key
	b[50] = mtuCode(m.PathMTU)<<4 | m.RNRRetryCount
	b[51] = m.MaxCMRetries<<4 | m.ExtTransport
	if m.SRQ {
		b[51] |= 1 << 3
	}
	be.PutUint16(b[52:], m.LocalLID)
	be.PutUint16(b[54:], m.RemoteLID)
	putGID(b[56:], m.LocalGID)
	putGID(b[72:], m.RemoteGID)
	be.PutUint32(b[88:], m.FlowLabel<<12)
	b[93] = m.HopLimit
	b[95] = m.LocalACKTimeout << 3
	return append(b, m.PrivateData...)
}

// REP is the reply to a REQ (section 12.6.8).
type REP struct {
	LocalCommID, RemoteCommID          uint32
	LocalQPN, StartingPSN              uint32
	ResponderResources, InitiatorDepth uint8
	TargetACKDelay, Failover           uint8 // 5 and 2 bits
	RNRRetryCount                      uint8 // 3 bits
	SRQ                                bool
	LocalCAGUID                        uint64
	PrivateData                        []byte
}

// RealREP is a reply with the values of a Linux 6.1 NFS server on Soft-RoCE.
func RealREP() REP {
	return REP{InitiatorDepth: 128, TargetACKDelay: 15, RNRRetryCount: 0}
}

// Bytes is the message from its first byte to the end of its private data.
func (m REP) Bytes() []byte {
	b := make([]byte, 36, madBody)
	be := binary.BigEndian
	be.PutUint32(b[0:], m.LocalCommID)
	be.PutUint32(b[4:], m.RemoteCommID)
	be.PutUint32(b[12:], m.LocalQPN<<8)
	be.PutUint32(b[20:], m.StartingPSN<<8)
	b[24], b[25] = m.ResponderResources, m.InitiatorDepth
	b[26] = m.TargetACKDelay<<3 | m.Failover<<1
	b[27] = m.RNRRetryCount << 5
	if m.SRQ {
		b[27] |= 1 << 4
	}
	be.PutUint64(b[28:], m.LocalCAGUID)
	return append(b, m.PrivateData...)
}

// CommIDs is the whole of an RTU and of a DREP: the sender's and the
// receiver's communication ID.
func CommIDs(local, remote uint32) []byte { return appendWords(nil, local, remote) }

// DREQ asks for the end of a connection; remoteQPN is the receiver's.
func DREQ(local, remote, remoteQPN uint32) []byte {
	return appendWords(nil, local, remote, remoteQPN<<8)
}

// REJ rejects a REQ (rejected 0) or REP (rejected 1); reason 8 is a service ID
// that nobody listens on, 28 the consumer's own refusal, with its private data.
func REJ(local, remote uint32, rejected uint8, reason uint16, private []byte) []byte {
	b := appendWords(nil, local, remote, uint32(rejected)<<30|uint32(reason))
	return append(append(b, make([]byte, 72)...), private...)
}

// mtuCode is how a REQ writes a path MTU.
func mtuCode(size int) (code uint8) {
	for ; size >= 256; size /= 2 {
		code++
	}
	return code
}

// putGID writes an address as a GID: IPv4 as ::ffff:a.b.c.d, none as zeros.
func putGID(b []byte, a netip.Addr) {
	if a.IsValid() {
		gid := a.As16()
		copy(b, gid[:])
	}
}
