package link

import (
	"encoding/binary"

	"github.com/rdmacap/rdmacap/field"
)

// tcpSize is the bytes of a TCP header without options.
const tcpSize = 20

// A Segment is what a TCP header says of the segment that it begins.
type Segment struct {
	// Seq is the sequence number of the first byte, or of the SYN; Ack the
	// byte that the sender expects next, with the flag ACK.
	Seq, Ack uint32
	// Checksum and Window are the fields of these names, Window before scaling.
	Checksum, Window uint16
	// Flags are the low eight control bits, CWR to FIN.
	Flags TCPFlags
	// HasTSval says that there are time stamps; sack is the offset of the SACK
	// option in the header, 0 for none, and size the bytes of the header, 0 if it
	// is not whole or malformed.
	HasTSval   bool
	sack, size uint8
	// TSval and TSecr are the time stamps (RFC 7323 section 3.2).
	TSval, TSecr uint32
}

// TCPData is the offset in the frame of the bytes that a TCP segment carries,
// which reach to End; 0 if the header is not whole or malformed, and without TCP.
func (p *Packet) TCPData() int {
	if p.TCP.size == 0 {
		return 0
	}
	return int(p.start) + int(p.TCP.size)
}

// TCPFlags are the control bits of a TCP header (RFC 9293 section 3.1).
type TCPFlags uint8

const (
	FIN TCPFlags = 1 << iota
	SYN
	RST
	PSH
	ACK
	URG
	ECE
	CWR
)

// Has reports whether any of the flags is set.
func (f TCPFlags) Has(flags TCPFlags) bool { return f&flags != 0 }

// Control is those of the flags that open, close or abort the connection.
func (f TCPFlags) Control() TCPFlags { return f & (SYN | FIN | RST) }

// AppendTo appends the names of the flags that are set: "SYN, ACK".
func (f TCPFlags) AppendTo(dst []byte) []byte {
	names := [...]string{"FIN", "SYN", "RST", "PSH", "ACK", "URG", "ECE", "CWR"}
	at := len(dst)
	for i, name := range names {
		if !f.Has(1 << i) {
			continue
		}
		if len(dst) > at {
			dst = append(dst, ", "...)
		}
		dst = append(dst, name...)
	}
	return dst
}

// tcpTable is the TCP header without its options:
//
//	| Source Port 2 | Destination Port 2 | Sequence Number 4 |
//	| Acknowledgment Number 4 | DOffset 4 bits | Rsrvd 4 bits | flags 8 bits |
//	| Window 2 | Checksum 2 | Urgent Pointer 2 |
var tcpTable = field.Table{
	Key: "tcp", Name: "TCP", Title: "Transmission Control Protocol", Ref: "RFC 9293 section 3.1",
	Fields: []field.Field{
		{Name: "Source Port", Key: "srcport", Bit: 0, Width: 16, Doc: "the sender's port"},
		{Name: "Destination Port", Key: "dstport", Bit: 16, Width: 16, Doc: "the receiver's port"},
		{Name: "Sequence Number", Key: "seq", Bit: 32, Width: 32, Doc: "of the first byte of the segment"},
		{Name: "Acknowledgment Number", Key: "ack", Bit: 64, Width: 32, Doc: "the byte that is expected next"},
		{Name: "DOffset", Key: "hdr_len", Bit: 96, Width: 4, Doc: "header length in units of four bytes, options included"},
		{Name: "Rsrvd", Key: "reserved", Bit: 100, Width: 4, Doc: "0"},
		{Name: "CWR", Key: "cwr", Bit: 104, Width: 1, Format: field.Flag, Doc: "congestion window reduced"},
		{Name: "ECE", Key: "ece", Bit: 105, Width: 1, Format: field.Flag, Doc: "ECN echo"},
		{Name: "URG", Key: "urg", Bit: 106, Width: 1, Format: field.Flag, Doc: "the urgent pointer counts"},
		{Name: "ACK", Key: "ackflag", Bit: 107, Width: 1, Format: field.Flag, Doc: "the acknowledgment number counts"},
		{Name: "PSH", Key: "psh", Bit: 108, Width: 1, Format: field.Flag, Doc: "pass on without waiting"},
		{Name: "RST", Key: "rst", Bit: 109, Width: 1, Format: field.Flag, Doc: "the connection is reset"},
		{Name: "SYN", Key: "syn", Bit: 110, Width: 1, Format: field.Flag, Doc: "the connection is opened"},
		{Name: "FIN", Key: "fin", Bit: 111, Width: 1, Format: field.Flag, Doc: "the sender has no more to send"},
		{Name: "Window", Key: "window", Bit: 112, Width: 16, Doc: "bytes that the sender will take, before scaling"},
		{Name: "Checksum", Key: "checksum", Bit: 128, Width: 16, Format: field.Hex, Doc: "sum over the segment"},
		{Name: "Urgent Pointer", Key: "urgent", Bit: 144, Width: 16, Doc: "end of the urgent data"},
	},
}

// tcp reads a TCP header in the IP packet that ends at ipEnd.
func (d *decoder) tcp(at int) {
	d.protocol = isTCP
	if at+tcpSize > d.ipEnd {
		d.blame(at, tcpBeyondPacket)
		return
	}
	h := d.header(kindTCP, at, tcpSize)
	if h == nil {
		return
	}
	d.SrcPort, d.DstPort = binary.BigEndian.Uint16(h), binary.BigEndian.Uint16(h[2:])
	d.Transport = TCP
	d.place(d.ip, at, d.ipEnd)
	d.TCP.header(h)
	size := int(h[12]>>4) * 4
	switch {
	case size < tcpSize:
		d.blame(at+12, tcpOffsetLess)
		return
	case at+size > d.ipEnd:
		d.blame(at+12, tcpOffsetBeyond)
		return
	case size > tcpSize:
		whole := d.header(kindTCPOptions, at+tcpSize, size-tcpSize) != nil
		d.options(at+tcpSize, size-tcpSize, whole)
	}
	d.TCP.size = uint8(size)
}

// header takes what the header without its options says, but for its size.
func (s *Segment) header(h []byte) {
	s.Seq, s.Ack = binary.BigEndian.Uint32(h[4:]), binary.BigEndian.Uint32(h[8:])
	s.Window, s.Checksum = binary.BigEndian.Uint16(h[14:]), binary.BigEndian.Uint16(h[16:])
	s.Flags = TCPFlags(h[13])
}
