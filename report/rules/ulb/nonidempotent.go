package ulb

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// openCreate is there if an OPEN creates the file.
const openCreate = "OPEN4args.openhow.how.mode"

// changes are the operations of NFS version 4 that have another outcome when they
// are done twice. WRITE and SETATTR are not among them (draft-dnoveck-nfsv4-nfsulb-01,
// section 3.2); OPEN is if it creates.
func changes() operations {
	return set(numbers.OpCreate, numbers.OpLink, numbers.OpLock, numbers.OpLocku, numbers.OpOpen, numbers.OpRemove, numbers.OpRename)
}

// nonIdempotent is the name of the first operation or procedure that a call must
// not do twice, "" if there is none.
func nonIdempotent(c *rules.Conn, h *rpc.Call, x *compound) string {
	switch {
	case h.Program != rpc.ProgramNFS:
	case legacy(h):
		return values.NonIdempotent(h.Version, h.Procedure)
	case x.call != nil:
		some := changes()
		if !x.has.any(&some) {
			return ""
		}
		for i := range x.call.Events {
			if e := &x.call.Events[i]; e.Kind == walk.Operation {
				if name := nonIdempotent4(x.call, i, e.Value, &all(c).create); name != "" {
					return name
				}
			}
		}
	}
	return ""
}

func nonIdempotent4(b *dissect.Body, i int, op uint64, create *values.Field) string {
	switch op {
	case numbers.OpCreate, numbers.OpLink, numbers.OpLock, numbers.OpLocku, numbers.OpRemove, numbers.OpRename:
		return numbers.OperationName(op)
	case numbers.OpOpen:
		if create.In(b, values.Within(b, i)) != nil {
			return "OPEN with create"
		}
	}
	return ""
}
