package rocev2

import "encoding/binary"

// The sizes of what every packet begins and ends with, in bytes.
const (
	BTHSize  = 12 // Base Transport Header (IBA 9.2)
	ICRCSize = 4  // invariant CRC (IBA 7.8.1)
)

// Port is the UDP destination port of RoCEv2 (Annex A17).
const Port = 4791

// The bytes of one extended header each (IBA 9.3, Annexes A14 and A19), with
// reads of its fields; all are in network byte order. Packet's accessors and
// package layers share them, so that each offset is written once beside the
// header's table. As with encoding/binary, the slice must hold the whole
// header, of which ExtSet.Size tells the bytes; it may be longer.
type (
	RDETH        []byte // reserved 1, EE-Context 3
	DETH         []byte // Q_Key 4, reserved 1, SrcQP 3
	XRCETH       []byte // reserved 1, XRCSRQ 3
	FETH         []byte // reserved, SEL and PLT 4
	RETH         []byte // VA 8, R_Key 4, DMALen 4
	AtomicETH    []byte // VA 8, R_Key 4, SwapDt 8, CmpDt 8
	AETH         []byte // Syndrome 1, MSN 3
	AtomicAckETH []byte // OrigRemDt 8
	ImmDt        []byte // immediate data 4
	IETH         []byte // R_Key 4
)

func be24(b []byte) uint32 { return binary.BigEndian.Uint32(b) & 0xFFFFFF }

// EEContext is the 24-bit end-to-end context.
func (h RDETH) EEContext() uint32 { return be24(h) }

// QKey is the Q_Key: the right to send to the queue.
func (h DETH) QKey() uint32 { return binary.BigEndian.Uint32(h) }

// SrcQP is the sender's 24-bit queue pair number.
func (h DETH) SrcQP() uint32 { return be24(h[4:]) }

// SRQ is the 24-bit number of the receiver's shared receive queue (XRCSRQ).
func (h XRCETH) SRQ() uint32 { return be24(h) }

// Selectivity is the two-bit SEL.
func (h FETH) Selectivity() uint8 { return h[3] >> 4 & 3 }

// Placement is the four-bit PLT.
func (h FETH) Placement() uint8 { return h[3] & 15 }

// VA is the remote virtual address.
func (h RETH) VA() uint64 { return binary.BigEndian.Uint64(h) }

// RKey is the R_Key: the right to the memory.
func (h RETH) RKey() uint32 { return binary.BigEndian.Uint32(h[8:]) }

// DMALen is the length of the whole operation in bytes.
func (h RETH) DMALen() uint32 { return binary.BigEndian.Uint32(h[12:]) }

// VA is the remote virtual address.
func (h AtomicETH) VA() uint64 { return binary.BigEndian.Uint64(h) }

// RKey is the R_Key: the right to the memory.
func (h AtomicETH) RKey() uint32 { return binary.BigEndian.Uint32(h[8:]) }

// Swap is what CmpSwap stores or FetchAdd adds (SwapDt).
func (h AtomicETH) Swap() uint64 { return binary.BigEndian.Uint64(h[12:]) }

// Compare is what CmpSwap compares with (CmpDt).
func (h AtomicETH) Compare() uint64 { return binary.BigEndian.Uint64(h[20:]) }

// Syndrome is the answer's kind and code.
func (h AETH) Syndrome() Syndrome { return Syndrome(h[0]) }

// MSN is the 24-bit message sequence number.
func (h AETH) MSN() uint32 { return be24(h) }

// Original is the remote value before the operation (OrigRemDt).
func (h AtomicAckETH) Original() uint64 { return binary.BigEndian.Uint64(h) }

// Data is the immediate data as a big-endian number.
func (h ImmDt) Data() uint32 { return binary.BigEndian.Uint32(h) }

// RKey is the R_Key to invalidate.
func (h IETH) RKey() uint32 { return binary.BigEndian.Uint32(h) }
