package words

import (
	"strconv"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

// AppendOption appends what an RDMA2_OPTIONAL says: "INIT_XCHAR: XCHAR_RBSIZ 8192
// bytes, XCHAR_RQREMINV TRUE (will not change)", "RESP_XCHAR, done XCHAR_RBSIZ".
func AppendOption(b []byte, m *dissect.Message) []byte {
	o := m.Header.Option()
	b = append(b, o.Type.String()...)
	separator := ": "
	for i, x := range o.Characteristics {
		b = append(b, separator...)
		separator = ", "
		b = append(b, x.ID.String()...)
		b = append(b, ' ')
		b = o.AppendValue(b, x)
		if o.Has(o.NoChange, i) {
			b = append(b, " (will not change)"...)
		}
	}
	switch o.Type {
	case rpcrdma.RespXchar:
		asked := m.Optional()
		b = appendSubset(b, ", done", o, o.Done, asked)
		b = appendSubset(b, ", rejected", o, o.Rejected, asked)
		b = appendSubset(b, ", pending", o, o.Pending, asked)
	case rpcrdma.UpdXchar:
		if o.PendingClear {
			b = append(b, ", no longer pending"...)
		}
	case rpcrdma.InitXchar, rpcrdma.ReqXchar:
	default:
		b = append(b, separator...)
		b = AppendCount(b, int64(len(o.Info)), "byte")
	}
	if o.Known() && o.Left > 0 {
		b = append(b, ", "...)
		b = AppendCount(b, int64(o.Left), "byte")
		b = append(b, " more"...)
	}
	return b
}

// maxListed is how many elements of a subset a row has room for.
const maxListed = 8

// appendSubset appends the elements of a subset of a RESP_XCHAR, by the names that
// they have in the REQ_XCHAR if that is known, else by number.
func appendSubset(b []byte, word string, o *rpcrdma.Option, s rpcrdma.Subset, asked *dissect.Optional) []byte {
	listed := 0
	o.Elements(s, func(n int) bool {
		switch listed++; {
		case listed == 1:
			b = append(b, word...)
		case listed > maxListed:
			b = append(b, " …"...)
			return false
		}
		b = append(b, ' ')
		if asked != nil && n < len(asked.Characteristics) {
			b = append(b, asked.Characteristics[n].ID.String()...)
		} else {
			b = append(b, '#')
			b = strconv.AppendInt(b, int64(n), 10)
		}
		return true
	})
	return b
}

// appendShortage appends what an RDMA2_ERR_CANT_REPLY lacks.
func appendShortage(b []byte, h *rpcrdma.Header) []byte {
	b = append(b, " ("...)
	if h.SegmentIndex == 0 {
		b = append(b, "some segment"...)
	} else {
		b = append(b, "segment "...)
		b = strconv.AppendUint(b, uint64(h.SegmentIndex), 10)
	}
	b = append(b, " needs "...)
	b = AppendCount(b, int64(h.LengthNeeded), "byte")
	if h.Processed {
		b = append(b, ", the request was processed"...)
	}
	return append(b, ')')
}
