package build

import "encoding/binary"

// BTH is the base transport header, 12 bytes (InfiniBand Architecture 1.3,
// volume 1, section 9.2). PadCnt follows from the payload.
type BTH struct {
	OpCode     uint8
	SE, M      bool // solicited event, migration state
	TVer       uint8
	PKey       uint16 // 0 is written as 0xffff
	FECN, BECN bool
	DestQP     uint32 // 24 bits
	AckReq     bool
	PSN        uint32 // 24 bits
}

// The extended transport headers (section 9.3 to 9.5), 24-bit fields right-aligned.
type (
	// DETH: 8 bytes, of datagrams.
	DETH struct{ QKey, SrcQP uint32 }
	// XRCETH: 4 bytes, of the extended reliable connection.
	XRCETH struct{ SRQ uint32 }
	// RETH: 16 bytes, of RDMA Write and RDMA Read requests; DMALen in bytes.
	RETH struct {
		VA           uint64
		RKey, DMALen uint32
	}
	// AtomicETH: 28 bytes.
	AtomicETH struct {
		VA                 uint64
		RKey               uint32
		SwapOrAdd, Compare uint64
	}
	// AETH: 4 bytes, of acknowledgements and RDMA Read responses.
	AETH struct {
		Syndrome uint8
		MSN      uint32
	}
	// AtomicAckETH: 8 bytes.
	AtomicAckETH struct{ Original uint64 }
	// ImmDt: 4 bytes of immediate data.
	ImmDt struct{ Data uint32 }
	// IETH: 4 bytes, the R_Key that a Send invalidates.
	IETH struct{ RKey uint32 }
)

func (l BTH) addTo(p *parts) { p.bth = l }

func (l BTH) append(b []byte, pad int) []byte {
	bit := func(set bool, n uint) byte {
		if set {
			return 1 << n
		}
		return 0
	}
	b = append(b, l.OpCode, bit(l.SE, 7)|bit(l.M, 6)|byte(pad)<<4|l.TVer&0xf)
	b = binary.BigEndian.AppendUint16(b, or(l.PKey, 0xffff))
	b = append(b, bit(l.FECN, 7)|bit(l.BECN, 6))
	b = append24(b, l.DestQP)
	b = append(b, bit(l.AckReq, 7))
	return append24(b, l.PSN)
}

func (l DETH) addTo(p *parts) {
	p.ext = binary.BigEndian.AppendUint32(p.ext, l.QKey)
	p.ext = append24(append(p.ext, 0), l.SrcQP)
}

func (l XRCETH) addTo(p *parts) { p.ext = append24(append(p.ext, 0), l.SRQ) }

func (l RETH) addTo(p *parts) {
	p.ext = binary.BigEndian.AppendUint64(p.ext, l.VA)
	p.ext = appendWords(p.ext, l.RKey, l.DMALen)
}

func (l AtomicETH) addTo(p *parts) {
	p.ext = binary.BigEndian.AppendUint64(p.ext, l.VA)
	p.ext = appendWords(p.ext, l.RKey)
	p.ext = binary.BigEndian.AppendUint64(p.ext, l.SwapOrAdd)
	p.ext = binary.BigEndian.AppendUint64(p.ext, l.Compare)
}

func (l AETH) addTo(p *parts)         { p.ext = append24(append(p.ext, l.Syndrome), l.MSN) }
func (l AtomicAckETH) addTo(p *parts) { p.ext = binary.BigEndian.AppendUint64(p.ext, l.Original) }
func (l ImmDt) addTo(p *parts)        { p.ext = appendWords(p.ext, l.Data) }
func (l IETH) addTo(p *parts)         { p.ext = appendWords(p.ext, l.RKey) }

// append24 writes the low 24 bits of v, big-endian.
func append24(b []byte, v uint32) []byte {
	return append(b, byte(v>>16), byte(v>>8), byte(v))
}

// appendWords writes 32-bit words, big-endian: what XDR calls unsigned ints.
func appendWords(b []byte, words ...uint32) []byte {
	for _, w := range words {
		b = binary.BigEndian.AppendUint32(b, w)
	}
	return b
}
