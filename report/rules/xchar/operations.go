package xchar

import (
	"hash/maphash"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/setup"
)

const (
	// mostOperations is how many operations of an end are remembered.
	mostOperations = 64
	// mostItems is how many characteristics of one are.
	mostItems = 64
)

// An item is a characteristic of an operation as it is remembered.
type item struct {
	id      rpcrdma.CharacteristicID
	value   uint32 // if decoded
	decoded bool
	sum     uint64 // of its bytes, but for those after a value that is decoded
}

// same reports whether two items have the same value.
func (x *item) same(y *item) bool { return x.id == y.id && x.decoded == y.decoded && x.sum == y.sum }

// An operation is an RDMA2_OPTIONAL of transport characteristics as it is remembered.
type operation struct {
	rules.PastMessage
	kind rpcrdma.OptionType
	// whole says that all its bytes are in the capture, sound that it can be decoded
	// too, clean that nothing is left over.
	whole, sound, clean bool
	// items are its characteristics, or the first of them; count is how many there are.
	items []item
	count int
	// fault is the case of XCHAR-001 that it is, "" for none; faulty is the
	// characteristic that is wrong by itself, 0 if it is something else.
	fault  string
	faulty rpcrdma.CharacteristicID
	// stranger is the number of the first characteristic that nobody defines, -1 if
	// there is none.
	stranger int
	// responses and errors count what answered it.
	responses, errors int
}

// operations are what the ends of one connection said of characteristics, the newest of each.
type operations struct {
	c    *rules.Conn
	list [2]rules.Ring[operation] // of each end
	// newest is when each end sent the last message of version 2 that was told; cut says
	// that one of another than version 1 is not whole in the capture, and may have been an
	// operation.
	newest [2]int64
	cut    bool
	seed   maphash.Seed
}

// operationsSlot is where each connection keeps it.
const operationsSlot = rules.ConnSlot[operations](rules.KeepsXCHAROperations)

// An event is an operation, or an RDMA2_ERROR that answers one.
type event struct {
	m *dissect.Message
	// op is the operation that the message is, option what it says; both are nil for an
	// RDMA2_ERROR.
	op     *operation
	option *rpcrdma.Option
	// to is the operation that the message answers, as a RESP_XCHAR or RDMA2_ERROR; nil
	// if it answers none that is known.
	to *operation
}

// onEvent calls do for each event, for rules that need knownOperations.
func onEvent(do func(c *rules.Conn, e *event, report rules.Reporter)) rules.Event {
	return rules.On(0, do)
}

// operationsOf are those of a connection.
func operationsOf(c *rules.Conn) *operations {
	b := operationsSlot.Of(c)
	b.c = c
	return b
}

// knownOperations takes the messages.
func knownOperations() rules.Knowledge {
	return rules.Knowledge{Keeping: rules.KeepsXCHAROperations, Limitations: []rules.Limitation{rules.Cut}, On: []rules.Event{
		rules.OnMessage(rules.OtherVersion, func(c *rules.Conn, m *dissect.Message, _ rules.Reporter) { operationsOf(c).message(m) }),
	}}
}

func (b *operations) message(m *dissect.Message) {
	h := &m.Header
	b.cut = b.cut || setup.Cut(m)
	if h.Version != rpcrdma.Version2 {
		return
	}
	b.newest[m.From&1] = max(b.newest[m.From&1], m.Last)
	e := event{m: m}
	switch {
	case h.Proc == rpcrdma.RDMA2Optional:
		e.option = h.Option()
		if e.option == nil || !e.option.Known() || m.Role() != dissect.RoleNone {
			return
		}
		e.op = b.addOperation(m, e.option)
		if e.op.kind == rpcrdma.RespXchar {
			if e.to = b.findOperation(m.From.Peer(), h.XID, true); e.to != nil {
				e.to.responses++
			}
		}
	case h.Proc == rpcrdma.RDMAError && !h.Fault.Bad() && (m.RPC() == nil || m.RPC().Call == nil):
		if e.to = b.findOperation(m.From.Peer(), h.XID, false); e.to == nil {
			return
		}
		e.to.errors++
	default:
		return
	}
	rules.Raise(b.c, 0, &e)
}

// addOperation remembers an operation.
func (b *operations) addOperation(m *dissect.Message, o *rpcrdma.Option) *operation {
	if b.seed == (maphash.Seed{}) {
		b.seed = maphash.MakeSeed()
	}
	op := b.list[m.From&1].Add(mostOperations)
	*op = operation{
		PastMessage: rules.Past(m), kind: o.Type, whole: !b.c.Cut(m),
		sound: !b.c.Cut(m) && !m.Header.Fault.Bad() && !o.Fault.Bad(), items: op.items[:0], count: len(o.Characteristics), stranger: -1,
	}
	op.clean = op.sound && o.Left == 0
	for i, x := range o.Characteristics {
		if x.ID.Name() == "" && op.stranger < 0 {
			op.stranger = i
		}
		if len(op.items) < mostItems {
			op.items = append(op.items, b.item(o, x))
		}
	}
	if m.Whole {
		op.fault, op.faulty = fault(m, o)
	}
	return op
}

// item is a characteristic as it is remembered.
func (b *operations) item(o *rpcrdma.Option, x rpcrdma.Characteristic) item {
	data := o.Bytes(x)
	if x.Decoded {
		data = data[:4]
	}
	return item{x.ID, x.Value, x.Decoded, maphash.Bytes(b.seed, data)}
}

// findOperation is the operation of an end that an answer with an XID is for. A RESP_XCHAR is for
// the oldest REQ_XCHAR that has no answer, an error for the newest operation that has
// none; if there is no such, for the newest that has.
func (b *operations) findOperation(from flow.End, xid uint32, request bool) (found *operation) {
	open := false
	for op := range b.list[from&1].All() {
		if op.XID != xid || request && op.kind != rpcrdma.ReqXchar {
			continue
		}
		unanswered := op.responses+op.errors == 0
		if unanswered && request {
			return op
		}
		if unanswered || !open {
			found, open = op, unanswered
		}
	}
	return found
}

// forgot reports whether operations of an end are remembered no more.
func (b *operations) forgot(e flow.End) bool { return b.list[e&1].Forgot() }

// silent reports whether an end sent messages for some time after an operation of the
// other, and the capture has all of them.
func (b *operations) silent(e flow.End, op *operation) bool {
	return b.newest[e&1]-op.Time >= int64(patience) && !b.c.Limited(rules.AnyCut, b.cut) && !b.c.Disordered() && !b.c.OneDirection() && !b.c.LostOf(e, op.Ref)
}

// lacking is rules.Conn's Lacking, of a capture that has all messages whole.
func (b *operations) lacking(e flow.End, around flow.Ref) (doubt string, ok bool) {
	if b.c.Limited(rules.AnyCut, b.cut) {
		return "", false
	}
	return b.c.Lacking(e, around, 0)
}
