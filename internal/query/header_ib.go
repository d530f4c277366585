package query

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/rocev2"
)

// ibHeader finds a header of the InfiniBand transport.
func ibHeader(t *field.Table) finder {
	key := t.Key
	return func(v *dissect.FrameView, f *field.Field, to *filter.Values) {
		if v.IB == nil {
			return
		}
		if at, ok := ibOffset(v, key); ok && at <= len(v.IB.Bytes) {
			to.Header(f, v.IB.Bytes[at:])
		}
	}
}

// ibOffset is where the header of a table begins in the packet; not ok if it
// has none.
func ibOffset(v *dissect.FrameView, key string) (at int, ok bool) {
	p := v.IB
	switch key {
	case "bth":
		return 0, true
	case "icrc":
		at = v.Link.End() - v.Link.Start() - rocev2.ICRCSize
		return at, at >= rocev2.BTHSize && at >= p.PayloadEnd()
	case "rdeth":
		at = p.RDETH()
	case "deth":
		at = p.DETH()
	case "xrceth":
		at = p.XRCETH()
	case "feth":
		at = p.FETH()
	case "reth":
		at = p.RETH()
	case "atomiceth":
		at = p.Atomic()
	case "aeth":
		at = p.AETH()
	case "atomicacketh":
		at = p.AtomicAck()
	case "immdt":
		at = p.ImmDt()
	case "ieth":
		at = p.IETH()
	}
	return at, at > 0
}

// cm decodes the MAD that a frame carries to the general services interface.
func cm(v *dissect.FrameView) (c rocev2.CM, mad []byte, ok bool) {
	p := v.IB
	if p == nil || p.DETH() == 0 || !rocev2.IsCM(p.DestQP, p.QKey()) {
		return c, nil, false
	}
	mad = p.Payload()
	c.Decode(mad)
	return c, mad, true
}

// cmHeader finds the MAD header, the message after it, or the IP CM header in
// that; i is the table's index in rocev2.CMTables, which has the MAD header
// first, the IP CM header last and the messages by kind between them.
func cmHeader(t *field.Table, i int) finder {
	tables := rocev2.CMTables()
	last := len(tables) - 1
	return func(v *dissect.FrameView, f *field.Field, to *filter.Values) {
		c, mad, ok := cm(v)
		switch {
		case !ok:
		case i == 0:
			to.Header(f, mad)
		case c.PrivateDataOffset == 0 || len(mad) < rocev2.MADHeaderSize:
		case i < last:
			if c.Kind == rocev2.CMReq+rocev2.CMKind(i-1) {
				to.Header(f, mad[rocev2.MADHeaderSize:])
			}
		default:
			at := rocev2.MADHeaderSize + tables[1+c.Kind-rocev2.CMReq].Size()
			if at >= c.PrivateDataOffset || at >= len(mad) {
				return
			}
			switch {
			case c.IP.Valid && f.Key == "src": // an IPv4 address is one there
				to.Addr(c.IP.Src.IP())
			case c.IP.Valid && f.Key == "dst":
				to.Addr(c.IP.Dst.IP())
			default:
				to.Header(f, mad[at:])
			}
		}
	}
}
