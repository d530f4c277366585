package rpcrdma

import (
	"encoding/binary"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/field"
)

// A CharacteristicID is an xcharid: which transport characteristic a value is of
// (draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 3).
type CharacteristicID uint32

const (
	XcharRBSIZ    CharacteristicID = 1 // XCHAR_RBSIZ: Receive Buffer Size, bytes
	XcharRQREMINV CharacteristicID = 2 // XCHAR_RQREMINV: Requester Remote Invalidation
	XcharBRS      CharacteristicID = 3 // XCHAR_BRS: Backward Request Support

	// XcharExperimental and all above it are for experiments (section 6.3).
	XcharExperimental CharacteristicID = 0xffffff00
)

// Name is the draft's name of the constant ("XCHAR_RBSIZ"), "" for one that is
// not defined.
func (id CharacteristicID) Name() string { return xcharName(uint64(id)) }

func xcharName(v uint64) string {
	switch CharacteristicID(v) {
	case XcharRBSIZ:
		return "XCHAR_RBSIZ"
	case XcharRQREMINV:
		return "XCHAR_RQREMINV"
	case XcharBRS:
		return "XCHAR_BRS"
	}
	return ""
}

// Default is the value of a characteristic that is defined and that a peer has not
// announced (section 3): 4096 bytes, FALSE, BKRQSUP_UNKNOWN.
func (id CharacteristicID) Default() uint32 {
	if id == XcharRBSIZ {
		return Version2Threshold
	}
	return 0
}

// Experimental reports whether the identifier is reserved for experiments.
func (id CharacteristicID) Experimental() bool { return id >= XcharExperimental }

// String is the name, or the number: "xcharid 9", "xcharid 0xffffff01" of one for
// experiments.
func (id CharacteristicID) String() string {
	if name := id.Name(); name != "" {
		return name
	}
	if id.Experimental() {
		return "xcharid 0x" + strconv.FormatUint(uint64(id), 16)
	}
	return "xcharid " + strconv.FormatUint(uint64(id), 10)
}

// A ReverseSupport is bkrqsup, the value of XCHAR_BRS (section 3.3): which
// messages of the reverse direction an end takes.
type ReverseSupport uint32

const (
	ReverseUnknown     ReverseSupport = iota // BKRQSUP_UNKNOWN
	ReverseNone                              // BKRQSUP_NONE: none
	ReverseSizeLimited                       // BKRQSUP_SZLIM: those of RFC 8167, without chunks
	ReverseGeneral                           // BKRQSUP_GENL: the same as in the forward direction
)

// String is the draft's name, or the number: "bkrqsup 9".
func (s ReverseSupport) String() string {
	if name := bkrqsupName(uint64(s)); name != "" {
		return name
	}
	return "bkrqsup " + strconv.FormatUint(uint64(s), 10)
}

func bkrqsupName(v uint64) string {
	switch ReverseSupport(v) {
	case ReverseUnknown:
		return "BKRQSUP_UNKNOWN"
	case ReverseNone:
		return "BKRQSUP_NONE"
	case ReverseSizeLimited:
		return "BKRQSUP_SZLIM"
	case ReverseGeneral:
		return "BKRQSUP_GENL"
	}
	return ""
}

// A Characteristic is an xcharval: the value of a transport characteristic.
type Characteristic struct {
	ID CharacteristicID
	// Start and Length bound xchv_data in Option.Info, in bytes.
	Start, Length int
	// Value is the value if Decoded: of XCHAR_RBSIZ bytes, of XCHAR_RQREMINV 0
	// or 1, of XCHAR_BRS a ReverseSupport. Others, and those whose bytes are
	// not of the type, are bytes only.
	Value   uint32
	Decoded bool
}

// Bytes are xchv_data of one of the option's characteristics.
func (o *Option) Bytes(c Characteristic) []byte { return o.Info[c.Start : c.Start+c.Length] }

// AppendValue appends the value as a person reads it: "8192 bytes", "TRUE",
// "BKRQSUP_SZLIM", or bytes in hex.
func (o *Option) AppendValue(b []byte, c Characteristic) []byte {
	if c.Decoded {
		return AppendXcharValue(b, c.ID, c.Value)
	}
	const lower = "0123456789abcdef"
	for _, x := range o.Bytes(c) {
		b = append(b, lower[x>>4], lower[x&15])
	}
	return b
}

// AppendXcharValue appends the value of a characteristic that is defined, as a
// person reads it.
func AppendXcharValue(b []byte, id CharacteristicID, value uint32) []byte {
	switch id {
	case XcharRQREMINV:
		return append(b, trueName(uint64(value))...)
	case XcharBRS:
		return append(b, ReverseSupport(value).String()...)
	}
	b = strconv.AppendUint(b, uint64(value), 10)
	return append(b, " bytes"...)
}

// trueName is the value of a Boolean as RFC 4506, section 4.4, has it.
func trueName(v uint64) string {
	switch v {
	case 0:
		return "FALSE"
	case 1:
		return "TRUE"
	}
	return ""
}

// characteristic reads an xcharval: xchv_which, xchv_data<>.
func (o *Option) characteristic(c *xdr.Cursor) {
	id := CharacteristicID(c.Uint32())
	at := c.Offset()
	length := c.Uint32()
	if c.Bad() {
		return
	}
	if uint64(length) > uint64(c.Remaining()) {
		c.Overrun(at, "xchv_data runs past rdma_optinfo")
		return
	}
	x := Characteristic{ID: id, Start: c.Offset(), Length: int(length)}
	o.value(&x, o.Info[x.Start:x.Start+x.Length])
	o.Characteristics = append(o.Characteristics, x)
	c.Fixed(x.Length)
}

// value decodes the bytes of a characteristic that is defined. They may go on
// after its value, and nobody reads the rest.
func (o *Option) value(x *Characteristic, data []byte) {
	if x.ID.Name() == "" {
		return
	}
	at := o.Start + x.Start
	if len(data) < 4 {
		o.wrong(field.Fault{Offset: at - 4, Reason: "xchv_data is too short for its type"})
		return
	}
	x.Value = binary.BigEndian.Uint32(data)
	switch {
	case x.ID == XcharRQREMINV && x.Value > 1:
		o.wrong(field.Fault{Offset: at, Reason: "XCHAR_RQREMINV is neither 0 nor 1"})
	case x.ID == XcharBRS && x.Value > uint32(ReverseGeneral):
		o.wrong(field.Fault{Offset: at, Reason: "XCHAR_BRS is not defined"})
	default:
		x.Decoded = true
	}
}
