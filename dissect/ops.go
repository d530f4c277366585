package dissect

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// An Op is one operation of a COMPOUND, or the one that any other procedure is.
type Op struct {
	// Name is the operation's, without the prefix that the text gives it
	// ("READ"), or its number; Program that of its program in the text.
	Name, Program string
	// Rank is how much it says of what a COMPOUND is for, as the text has it.
	Rank uint8
	// Status is the name of its status ("NFS4_OK"), "" if the reply does not have
	// the operation, or is not there. OK says that it is success.
	Status string
	OK     bool
	// Args and Result are the indices of its Operation events in the bodies of
	// call and reply, -1 where that does not have it or is no COMPOUND.
	Args, Result int
}

// Status is the name of the status with which the program answered ("NFS3_OK",
// "NFS4ERR_NOENT"), "" if the result is not there or has none; ok says that
// it is success.
func (r *RPC) Status() (name string, ok bool) {
	if r.Reply == nil {
		return "", false
	}
	b := r.Reply.Body()
	if b == nil {
		return "", false
	}
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Status {
			return b.name(e), e.OK
		} else if e.Kind == walk.Operation {
			break
		}
	}
	return "", false
}

// names are those of an event's value, nil if it has none.
func (b *Body) names(e *walk.Event) *types.Names { return b.Binding.plan.Fields[e.Field].Type.Names }

// name is the name of an event's value, or its number.
func (b *Body) name(e *walk.Event) string {
	names := b.names(e)
	if names == nil {
		return ""
	}
	name := names.Name(e.Value)
	if name == "" {
		return strconv.FormatInt(int64(e.Value), 10)
	}
	return strings.TrimPrefix(name, names.Prefix)
}

// Ops appends the operations of the RPC to ops: those that were called and, if
// their call is not known, those that were answered.
func (r *RPC) Ops(ops []Op) []Op {
	start := len(ops)
	var args, result *Body
	if r.Call != nil {
		args = r.Call.Body()
	}
	if r.Reply != nil {
		result = r.Reply.Body()
	}
	if args != nil {
		ops = args.operations(ops)
	}
	if result != nil {
		ops = result.answer(ops, start)
	}
	if len(ops) == start && (args != nil || result != nil) {
		op := Op{Args: -1, Result: -1}
		if b := r.binding(); b != nil {
			op.Name, op.Program = b.Label(), b.Version.ProgramName
		}
		op.Status, op.OK = r.Status()
		ops = append(ops, op)
	}
	return ops
}

// binding is that of the procedure, nil if it is not known.
func (r *RPC) binding() *Binding {
	for _, m := range [...]*Message{r.Call, r.Reply} {
		if m != nil {
			if b := m.Body(); b != nil {
				return b.Binding
			}
		}
	}
	return nil
}

// operations appends the operations that a call has.
func (b *Body) operations(ops []Op) []Op {
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Operation {
			ops = append(ops, Op{Name: b.name(e), Rank: b.names(e).Rank(e.Value), Args: i, Result: -1})
		}
	}
	return ops
}

// Main is the name of the operation that a COMPOUND is for, of those that the call
// with this body has, as MainOperation finds it; not ok if it has none.
func (b *Body) Main() (main string, ok bool) {
	highest := -1
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Operation {
			if rank := int(b.names(e).Rank(e.Value)); rank >= highest {
				main, highest = b.name(e), rank
			}
		}
	}
	return main, highest >= 0
}

// answer adds to the operations from start on what the result says of them.
func (b *Body) answer(ops []Op, start int) []Op {
	at := start - 1
	for i := range b.Events {
		e := &b.Events[i]
		switch {
		case e.Kind == walk.Operation:
			at++
			if at == len(ops) {
				ops = append(ops, Op{Name: b.name(e), Args: -1})
			}
			ops[at].Result = i
		case e.Kind == walk.Status && at >= start:
			ops[at].Status, ops[at].OK = b.name(e), e.OK
		}
	}
	return ops
}
