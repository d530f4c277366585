package size

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// Item is the most bytes that the item for the k-th Write chunk of a call can have, by
// what the call asks for; not known where that is not said, and after a READ_PLUS,
// which may have several items. H is the header of the call of r, which is not
// protected.
func (v *Estimate) Item(h *rpc.Call, r *dissect.RPC, k int) (size uint64, known bool) {
	if h.Program != rpc.ProgramNFS || h.Version < 3 {
		return 0, false
	}
	b := values.Of(r.Call)
	if b == nil {
		return 0, false
	}
	if h.Version == 3 {
		return v.read3.Number(b, b.Events), k == 0 && h.Procedure == numbers.ProcRead
	}
	order := 0
	for i := range b.Events {
		e := &b.Events[i]
		if e.Kind != walk.Operation {
			continue
		}
		switch e.Value {
		case numbers.OpRead:
			if order == k {
				return v.read.Number(b, values.Within(b, i)), true
			}
			order++
		case numbers.OpReadlink:
			order++
		case numbers.OpReadPlus:
			return v.readPlus.Number(b, values.Within(b, i)), order == k
		}
		if order > k {
			break
		}
	}
	return 0, false
}
