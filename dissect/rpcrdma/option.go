package rpcrdma

import (
	"math"
	"strconv"

	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/field"
)

// An OptionType is rdma_opttype: the operation that an RDMA2_OPTIONAL is for.
// Those of transport characteristics are known here
// (draft-dnoveck-nfsv4-rpcrdma-xcharext-00, section 4).
type OptionType uint32

const (
	InitXchar OptionType = 1 + iota // ROPT_INITXCH: specify initial characteristics
	ReqXchar                        // ROPT_REQXCH: request modification of characteristics
	RespXchar                       // ROPT_RESPXCH: respond to such a request
	UpdXchar                        // ROPT_UPDXCH: update a characteristic
)

// Name is what the draft calls the operation ("INIT_XCHAR"), "" for one that is
// not known.
func (t OptionType) Name() string {
	switch t {
	case InitXchar:
		return "INIT_XCHAR"
	case ReqXchar:
		return "REQ_XCHAR"
	case RespXchar:
		return "RESP_XCHAR"
	case UpdXchar:
		return "UPD_XCHAR"
	}
	return ""
}

// String is the name, or the number: "rdma_opttype 9".
func (t OptionType) String() string {
	if name := t.Name(); name != "" {
		return name
	}
	return "rdma_opttype " + strconv.FormatUint(uint64(t), 10)
}

// An Option is what an RDMA2_OPTIONAL says. Offsets are in Info.
//
//	INIT_XCHAR  xcharspec optixc_start | xcharsubset optixc_nochg
//	REQ_XCHAR   xcharspec optrqxc_want
//	RESP_XCHAR  xcharsubset optrsxc_done | optrsxc_rej | optrsxc_pend
//	UPD_XCHAR   xcharval optuxc_now | bool optuxc_pendclr
type Option struct {
	Type OptionType
	// Info is rdma_optinfo without padding, or what there is of it, copied; Start
	// is the byte of the message at which it begins.
	Info  []byte
	Start int
	// Characteristics are those of an INIT_XCHAR or REQ_XCHAR, or the one of an
	// UPD_XCHAR.
	Characteristics []Characteristic
	// NoChange is that of an INIT_XCHAR; Done, Rejected and Pending are those of
	// a RESP_XCHAR, about the characteristics of the REQ_XCHAR with its XID.
	NoChange, Done, Rejected, Pending Subset
	// PendingClear is optuxc_pendclr of an UPD_XCHAR.
	PendingClear bool
	// Left is how many bytes of Info stand after what is known of it.
	Left int
	// Fault is the first thing wrong in Info, with its byte in the message.
	// What stood before it is kept, and so are characteristics after one whose
	// value is wrong.
	Fault field.Fault

	words []uint32 // of all subsets
}

// Option is what an RDMA2_OPTIONAL says, as far as it was decoded; nil for
// another message. It is valid until h is decoded again.
func (h *Header) Option() *Option {
	if h.Version != Version2 || h.Proc != RDMA2Optional {
		return nil
	}
	return h.option
}

// Known reports whether the operation is one of transport characteristics.
func (o *Option) Known() bool { return o.Type >= InitXchar && o.Type <= UpdXchar }

func (o *Option) reset() {
	*o = Option{Info: o.Info[:0], Characteristics: o.Characteristics[:0], words: o.words[:0]}
}

// decode reads rdma_optinfo; cut says that info is only the front of it.
func (o *Option) decode(info []byte, cut bool) {
	o.Info = append(o.Info, info...)
	c := xdr.NewCursor(o.Info, "rdma_optinfo is too short for its operation")
	switch o.Type {
	case InitXchar:
		o.spec(&c, cut)
		o.NoChange = o.subset(&c)
	case ReqXchar:
		o.spec(&c, cut)
	case RespXchar:
		o.Done = o.subset(&c)
		o.Rejected = o.subset(&c)
		o.Pending = o.subset(&c)
	case UpdXchar:
		o.characteristic(&c)
		at := c.Offset()
		v := c.Uint32()
		o.PendingClear = v == 1
		if v > 1 {
			c.Fail(at, "optuxc_pendclr is neither 0 nor 1")
		}
	default:
		return // its bytes are all that is known
	}
	if f := c.Fault(); f.Bad() && !(cut && c.Cut()) {
		f.Offset += o.Start
		o.wrong(f)
	}
	o.Left = c.Remaining()
}

// wrong notes a fault, if it is before the one that is known.
func (o *Option) wrong(f field.Fault) {
	if !o.Fault.Bad() || f.Offset < o.Fault.Offset {
		o.Fault = f
	}
}

// spec reads an xcharspec; of one that is cut, what there is.
func (o *Option) spec(c *xdr.Cursor, cut bool) {
	const least = 8 // bytes of an xcharval without data
	n := 0
	if cut {
		n = int(min(c.Uint32(), uint32(len(o.Info)/least)))
	} else {
		n = c.Count(math.MaxInt, least)
	}
	for i := 0; i < n && !c.Bad(); i++ {
		o.characteristic(c)
	}
}
