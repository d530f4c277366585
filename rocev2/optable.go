package rocev2

import (
	"fmt"
	"sync"
)

// An opInfo is what Decode needs to know of one opcode, in sixteen bytes.
type opInfo struct {
	ext      ExtSet
	kind     Kind
	position Position
	flags    uint8
	// size is the number of bytes of BTH and extended headers.
	size uint8
	// at is each extended header's offset from the BTH's first byte, by the
	// number of its bit; 0 where the opcode has it not.
	at [extCount]uint8
}

const (
	flagRequest uint8 = 1 << iota
	flagResponse
	flagNoPayload // the opcode never carries payload
)

// opcodes and opcodeNames describe all 256 opcodes; they are never written
// after they are made, the names when somebody first reads one.
var (
	opcodes     = makeOpcodes()
	opcodeNames = sync.OnceValue(makeOpcodeNames)
)

// An operation is a row of IBA's table of opcodes: the lower five bits, for
// all transports that have it.
type operation struct {
	suffix   string // what the name has after kind and position
	kind     Kind
	position Position
	ext      ExtSet // the headers that RC has; other transports add their own
	flags    uint8
	on       transports
}

// transports is a set of Transport values, one bit each.
type transports uint8

const (
	rc  = transports(1) << TransportRC
	uc  = transports(1) << TransportUC
	rd  = transports(1) << TransportRD
	ud  = transports(1) << TransportUD
	xrc = transports(1) << TransportXRC
)

// operations are the rows of the table of opcodes (IBA 9.2.1, Annex A14 for
// XRC, release 1.5 for FLUSH and ATOMIC WRITE), by the lower five bits.
var operations = [32]operation{
	0x00: {"", KindSend, PositionFirst, 0, flagRequest, rc | uc | rd | xrc},
	0x01: {"", KindSend, PositionMiddle, 0, flagRequest, rc | uc | rd | xrc},
	0x02: {"", KindSend, PositionLast, 0, flagRequest, rc | uc | rd | xrc},
	0x03: {" with Immediate", KindSend, PositionLast, ExtImmDt, flagRequest, rc | uc | rd | xrc},
	0x04: {"", KindSend, PositionOnly, 0, flagRequest, rc | uc | rd | ud | xrc},
	0x05: {" with Immediate", KindSend, PositionOnly, ExtImmDt, flagRequest, rc | uc | rd | ud | xrc},
	0x06: {"", KindWrite, PositionFirst, ExtRETH, flagRequest, rc | uc | rd | xrc},
	0x07: {"", KindWrite, PositionMiddle, 0, flagRequest, rc | uc | rd | xrc},
	0x08: {"", KindWrite, PositionLast, 0, flagRequest, rc | uc | rd | xrc},
	0x09: {" with Immediate", KindWrite, PositionLast, ExtImmDt, flagRequest, rc | uc | rd | xrc},
	0x0A: {"", KindWrite, PositionOnly, ExtRETH, flagRequest, rc | uc | rd | xrc},
	0x0B: {" with Immediate", KindWrite, PositionOnly, ExtRETH | ExtImmDt, flagRequest, rc | uc | rd | xrc},
	0x0C: {"", KindReadRequest, PositionOnly, ExtRETH, flagRequest | flagNoPayload, rc | rd | xrc},
	0x0D: {"", KindReadResponse, PositionFirst, ExtAETH, flagResponse, rc | rd | xrc},
	0x0E: {"", KindReadResponse, PositionMiddle, 0, flagResponse, rc | rd | xrc},
	0x0F: {"", KindReadResponse, PositionLast, ExtAETH, flagResponse, rc | rd | xrc},
	0x10: {"", KindReadResponse, PositionOnly, ExtAETH, flagResponse, rc | rd | xrc},
	0x11: {"", KindAcknowledge, PositionOnly, ExtAETH, flagResponse | flagNoPayload, rc | rd | xrc},
	0x12: {"", KindAtomicAcknowledge, PositionOnly, ExtAETH | ExtAtomicAckETH, flagResponse | flagNoPayload, rc | rd | xrc},
	0x13: {"", KindCompareSwap, PositionOnly, ExtAtomicETH, flagRequest | flagNoPayload, rc | rd | xrc},
	0x14: {"", KindFetchAdd, PositionOnly, ExtAtomicETH, flagRequest | flagNoPayload, rc | rd | xrc},
	0x15: {"", KindResync, PositionOnly, 0, flagRequest | flagNoPayload, rd},
	0x16: {" with Invalidate", KindSend, PositionLast, ExtIETH, flagRequest, rc | xrc},
	0x17: {" with Invalidate", KindSend, PositionOnly, ExtIETH, flagRequest, rc | xrc},
	0x1C: {"", KindFlush, PositionOnly, ExtFETH | ExtRETH, flagRequest | flagNoPayload, rc | rd},
	0x1D: {"", KindAtomicWrite, PositionOnly, ExtRETH, flagRequest, rc},
}

// lookup is the opcode's row, false for CNP and for opcodes that have none.
func (o OpCode) lookup() (operation, bool) {
	row := operations[o&0x1F]
	return row, row.on&(1<<o.Transport()) != 0
}

func makeOpcodes() (table [256]opInfo) {
	for i := range table {
		o, info := OpCode(i), &table[i]
		info.size = BTHSize
		row, ok := o.lookup()
		if !ok {
			continue
		}
		info.kind, info.position, info.flags = row.kind, row.position, row.flags
		info.ext = row.ext | transportHeaders(o.Transport(), row.flags&flagRequest != 0)
		for h, size := range extSizes {
			if info.ext&(1<<h) != 0 {
				info.at[h] = info.size
				info.size += uint8(size)
			}
		}
	}
	table[OpCNP].kind, table[OpCNP].position = KindCNP, PositionOnly
	return table
}

// transportHeaders are the headers that a transport adds to those of RC.
// Responses of XRC carry no XRCETH, and those of RD no DETH.
func transportHeaders(t Transport, request bool) ExtSet {
	switch {
	case t == TransportRD && request:
		return ExtRDETH | ExtDETH
	case t == TransportRD:
		return ExtRDETH
	case t == TransportUD:
		return ExtDETH
	case t == TransportXRC && request:
		return ExtXRCETH
	}
	return 0
}

func makeOpcodeNames() *[256]string {
	names := new([256]string)
	for i := range names {
		o := OpCode(i)
		row, ok := o.lookup()
		switch {
		case o == OpCNP:
			names[i] = "CNP"
		case ok && (row.kind == KindSend || row.kind == KindWrite || row.kind == KindReadResponse):
			names[i] = o.Transport().String() + " " + row.kind.String() + " " + row.position.String() + row.suffix
		case ok:
			names[i] = o.Transport().String() + " " + row.kind.String()
		case o.Transport() == TransportManufacturer:
			names[i] = fmt.Sprintf("manufacturer-specific opcode 0x%02x", i)
		default:
			names[i] = fmt.Sprintf("reserved opcode 0x%02x", i)
		}
	}
	return names
}
