package rocev2

import "encoding/binary"

// The octets of one header each, long enough for it, and reads of its fields
// (IBA 9.3; sizes in octets). Packet's accessors and the gopacket layers
// share them, so that each offset is written once beside the header's table.
type (
	rdethOctets     []byte // rsvd 1, EE context 3
	dethOctets      []byte // Q_Key 4, rsvd 1, SrcQP 3
	xrcethOctets    []byte // rsvd 1, XRCSRQ 3
	fethOctets      []byte // rsvd and SEL and PLT 4
	rethOctets      []byte // VA 8, R_Key 4, DMALen 4
	atomicOctets    []byte // VA 8, R_Key 4, SwapDt 8, CmpDt 8
	aethOctets      []byte // Syndrome 1, MSN 3
	atomicAckOctets []byte // OrigRemDt 8
	immDtOctets     []byte // 4
	iethOctets      []byte // R_Key 4
)

const bthSize, icrcSize = 12, 4

func be24(b []byte) uint32 { return binary.BigEndian.Uint32(b) & 0xFFFFFF }

func (h rdethOctets) eeContext() uint32    { return be24(h) }
func (h dethOctets) qKey() uint32          { return binary.BigEndian.Uint32(h) }
func (h dethOctets) srcQP() uint32         { return be24(h[4:]) }
func (h xrcethOctets) srq() uint32         { return be24(h) }
func (h fethOctets) selectivity() uint8    { return h[3] >> 4 & 3 }
func (h fethOctets) placement() uint8      { return h[3] & 15 }
func (h rethOctets) va() uint64            { return binary.BigEndian.Uint64(h) }
func (h rethOctets) rKey() uint32          { return binary.BigEndian.Uint32(h[8:]) }
func (h rethOctets) dmaLen() uint32        { return binary.BigEndian.Uint32(h[12:]) }
func (h atomicOctets) va() uint64          { return binary.BigEndian.Uint64(h) }
func (h atomicOctets) rKey() uint32        { return binary.BigEndian.Uint32(h[8:]) }
func (h atomicOctets) swap() uint64        { return binary.BigEndian.Uint64(h[12:]) }
func (h atomicOctets) compare() uint64     { return binary.BigEndian.Uint64(h[20:]) }
func (h aethOctets) syndrome() Syndrome    { return Syndrome(h[0]) }
func (h aethOctets) msn() uint32           { return be24(h) }
func (h atomicAckOctets) original() uint64 { return binary.BigEndian.Uint64(h) }
func (h immDtOctets) immediate() uint32    { return binary.BigEndian.Uint32(h) }
func (h iethOctets) rKey() uint32          { return binary.BigEndian.Uint32(h) }
