package xchar

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr"
)

const (
	xcharvalSize = 2 * xdr.WordSize // an xcharval without data: xchv_which, and the length of xchv_data
	atInfoLength = rpcrdma.FixedSize + 2*xdr.WordSize
)

// fault is the case of XCHAR-001 that the bytes of a whole message are, "" if they are
// none, or its header is malformed itself; id is the characteristic that is wrong by
// itself, 0 if it is something else.
func fault(m *dissect.Message, o *rpcrdma.Option) (letter string, id rpcrdma.CharacteristicID) {
	if m.Header.Fault.Bad() || !o.Fault.Bad() {
		return "", 0
	}
	at := o.Fault.Offset - o.Start
	next := 0 // where what follows the characteristics begins
	if o.Type != rpcrdma.UpdXchar {
		next = xdr.WordSize // their count
	}
	for _, x := range o.Characteristics {
		switch {
		case x.ID.Name() == "" || x.Decoded:
		case at == x.Start-xdr.WordSize:
			return "b", x.ID
		case at == x.Start:
			return "c", x.ID
		}
		next = int(xdr.Padded(uint32(x.Start + x.Length)))
	}
	word, there := xdr.WordAt(o.Info, at)
	switch {
	case o.Type == rpcrdma.RespXchar || !there:
	case at == next+xdr.WordSize && uint64(word) > uint64(len(o.Info)-at-xdr.WordSize):
		return "a", 0
	case o.Type == rpcrdma.UpdXchar && at == next && len(o.Characteristics) > 0:
		return "c", 0 // optuxc_pendclr
	}
	return "d", 0
}
