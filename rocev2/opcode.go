package rocev2

// An OpCode is the first byte of the BTH: the transport in the upper three
// bits, the operation in the lower five (IBA 9.2.1). It says which extended
// headers follow.
type OpCode uint8

// A Transport is the transport service of an opcode: its upper three bits.
type Transport uint8

// The transport services, numbered as on the wire. CNP is not a service but has
// a number of its own (Annex A17); 6 and 7 are left to manufacturers and are
// both TransportManufacturer here.
const (
	TransportRC           Transport = iota // Reliable Connection
	TransportUC                            // Unreliable Connection
	TransportRD                            // Reliable Datagram
	TransportUD                            // Unreliable Datagram
	TransportCNP                           // congestion notification
	TransportXRC                           // Extended Reliable Connection
	TransportManufacturer                  // manufacturer-specific, 0xC0 to 0xFF
)

// String is the short name that begins an opcode's name: "RC".
func (t Transport) String() string {
	names := [...]string{"RC", "UC", "RD", "UD", "CNP", "XRC", "manufacturer-specific"}
	if int(t) < len(names) {
		return names[t]
	}
	return ""
}

// A Kind is what a packet does, without transport and without position.
type Kind uint8

// The kinds of operation (IBA 9.2.1, FLUSH and ATOMIC WRITE as release 1.5 adds
// them). KindUnknown is that of reserved and of manufacturer-specific opcodes.
const (
	KindUnknown Kind = iota
	KindSend
	KindWrite
	KindReadRequest
	KindReadResponse
	KindAcknowledge // ACK, NAK or RNR NAK: see Syndrome
	KindAtomicAcknowledge
	KindCompareSwap
	KindFetchAdd
	KindResync
	KindFlush
	KindAtomicWrite
	KindCNP
)

// String is the operation as opcode names spell it: "RDMA WRITE".
func (k Kind) String() string {
	names := [...]string{"unknown", "SEND", "RDMA WRITE", "RDMA READ Request", "RDMA READ Response",
		"Acknowledge", "ATOMIC Acknowledge", "CmpSwap", "FetchAdd", "RESYNC", "FLUSH", "ATOMIC WRITE", "CNP"}
	if int(k) < len(names) {
		return names[k]
	}
	return ""
}

// A Position is a packet's place in its message.
type Position uint8

// The positions. An operation whose opcode names none takes one packet and is
// PositionOnly; an unknown opcode has PositionNone.
const (
	PositionNone Position = iota
	PositionFirst
	PositionMiddle
	PositionLast
	PositionOnly
)

// String is the position as opcode names spell it: "First".
func (p Position) String() string {
	names := [...]string{"", "First", "Middle", "Last", "Only"}
	if int(p) < len(names) {
		return names[p]
	}
	return ""
}

// Transport is the transport service.
func (o OpCode) Transport() Transport { return min(Transport(o>>5), TransportManufacturer) }

// Kind is what the packet does; KindUnknown for reserved and
// manufacturer-specific opcodes.
func (o OpCode) Kind() Kind { return opcodes[o].kind }

// Position is the packet's place in its message.
func (o OpCode) Position() Position { return opcodes[o].position }

// IsRequest reports whether the packet travels from requester to responder. A
// CNP and an unknown opcode are neither request nor response.
func (o OpCode) IsRequest() bool { return opcodes[o].flags&flagRequest != 0 }

// IsResponse reports whether the packet travels from responder to requester
// and so carries a PSN of the requester's.
func (o OpCode) IsResponse() bool { return opcodes[o].flags&flagResponse != 0 }

// Known reports whether this package knows the opcode's layout. A
// manufacturer-specific opcode is legal but not known.
func (o OpCode) Known() bool { return opcodes[o].kind != KindUnknown }

// Reserved reports whether the opcode is one that nobody may send: neither
// defined nor left to manufacturers.
func (o OpCode) Reserved() bool { return !o.Known() && o.Transport() != TransportManufacturer }

// Extended is the set of extended headers that follow the BTH.
func (o OpCode) Extended() ExtSet { return opcodes[o].ext }

// HasImm reports whether the packet carries immediate data.
func (o OpCode) HasImm() bool { return opcodes[o].ext.Has(ExtImmDt) }

// HasInv reports whether the packet names an R_Key to invalidate.
func (o OpCode) HasInv() bool { return opcodes[o].ext.Has(ExtIETH) }

// String is the opcode's name: "RC SEND Only with Invalidate", "CNP", or
// "reserved opcode 0x18", "manufacturer-specific opcode 0xc0".
func (o OpCode) String() string { return opcodeNames()[o] }
