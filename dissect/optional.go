package dissect

import (
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/ring"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
)

const (
	// maxOptionals is how many RDMA2_OPTIONALs of an end are remembered, for what
	// answers them.
	maxOptionals = 16
	// maxAsked is how many characteristics of one are.
	maxAsked = 64
)

// An Optional is an RDMA2_OPTIONAL without RPC message, as long as it is remembered
// for what answers it: a RESP_XCHAR, or an RDMA2_ERROR. It may also be a message of a
// version that is not known, which may be answered by ERR_VERS; its Type is 0.
type Optional struct {
	XID  uint32
	Type rpcrdma.OptionType
	// Frame is its last frame, Time when that was captured.
	Frame flow.Ref
	Time  int64
	// Characteristics are those of a REQ_XCHAR, or the first of them: Count is how
	// many there are. Their bytes are not remembered. Sound is false if the message
	// is malformed or not whole in the capture.
	Characteristics []rpcrdma.Characteristic
	Count           int
	Sound           bool
	// Answers is how many RESP_XCHARs and RDMA2_ERRORs have answered it, that one
	// included which a Sink receives.
	Answers int
}

// optionals are the last ones of an end.
type optionals struct{ ring.Ring[Optional] }

// findOptional returns the last one with an XID, nil if there is none.
func (l *optionals) findOptional(xid uint32) *Optional {
	for o := range l.Backward() {
		if o.XID == xid {
			return o
		}
	}
	return nil
}

// request returns the last REQ_XCHAR with an XID.
func (l *optionals) request(xid uint32) *Optional {
	if o := l.findOptional(xid); o != nil && o.Type == rpcrdma.ReqXchar {
		return o
	}
	return nil
}

// Optional is the RDMA2_OPTIONAL that the message answers as a RESP_XCHAR or
// RDMA2_ERROR, nil if it does not or if that is not known. It is valid only while a
// Sink receives the message.
func (m *Message) Optional() *Optional { return m.optional }

// option takes an RDMA2_OPTIONAL.
func (v *version2) option(m *Message, o *rpcrdma.Option) {
	if m.role != RoleNone {
		return // it is an RPC message, and of no operation that is known
	}
	sound := m.Whole && !m.Header.Fault.Bad() && !o.Fault.Bad()
	switch o.Type {
	case rpcrdma.InitXchar, rpcrdma.UpdXchar:
		v.announced(m, o, sound)
	case rpcrdma.RespXchar:
		v.responded(m, o, sound)
		return // it is an answer itself
	}
	s := v.remember(m)
	s.Type, s.Sound = o.Type, sound
	if o.Type == rpcrdma.ReqXchar {
		s.Count = len(o.Characteristics)
		s.Characteristics = append(s.Characteristics, o.Characteristics[:min(s.Count, maxAsked)]...)
	}
}

// remember keeps a message for what answers it.
func (v *version2) remember(m *Message) *Optional {
	o := v.sent[m.From].Add(maxOptionals)
	*o = Optional{XID: m.Header.XID, Frame: m.Frame(), Time: m.Last, Characteristics: o.Characteristics[:0]}
	return o
}

// refusal takes an RDMA2_ERROR that answers no call.
func (v *version2) refusal(m *Message) {
	asker := m.From.Peer()
	if m.optional = v.sent[asker].findOptional(m.Header.XID); m.optional == nil {
		return
	}
	m.optional.Answers++
	if m.optional.Type == rpcrdma.InitXchar && m.Header.Error == rpcrdma.Err2InvalidOption {
		v.refused[asker] = true
	}
}

// defined are the characteristics that a Timeline keeps.
func defined() [3]rpcrdma.CharacteristicID {
	return [...]rpcrdma.CharacteristicID{rpcrdma.XcharRBSIZ, rpcrdma.XcharRQREMINV, rpcrdma.XcharBRS}
}

// announced takes what an end says of itself in an INIT_XCHAR or UPD_XCHAR.
func (v *version2) announced(m *Message, o *rpcrdma.Option, sound bool) {
	change := Change{By: o.Type, Frame: m.Frame(), Time: m.Last}
	t := &v.timelines[m.From]
	if !m.Whole && (o.Type == rpcrdma.InitXchar || len(o.Characteristics) == 0) {
		// What the capture lacks may be any of them.
		for _, change.ID = range defined() {
			t.addChange(change)
		}
	}
	for i, x := range o.Characteristics {
		if x.ID.Name() == "" {
			continue
		}
		change.ID, change.Value, change.Known = x.ID, x.Value, x.Decoded && (sound || !m.Whole)
		change.NoChange = o.Has(o.NoChange, i)
		t.addChange(change)
	}
}

// responded takes what an end says that it changed as it was asked to.
func (v *version2) responded(m *Message, o *rpcrdma.Option, sound bool) {
	asked := v.sent[m.From.Peer()].request(m.Header.XID)
	change := Change{By: o.Type, Frame: m.Frame(), Time: m.Last}
	t := &v.timelines[m.From]
	unknown := !sound
	if m.optional = asked; asked != nil {
		asked.Answers++
	}
	o.Elements(o.Done, func(n int) bool {
		if asked == nil || !asked.Sound || n >= len(asked.Characteristics) {
			unknown = unknown || asked == nil || !asked.Sound || n < asked.Count
			return asked != nil
		}
		if x := asked.Characteristics[n]; x.ID.Name() != "" {
			change.ID, change.Value, change.Known = x.ID, x.Value, x.Decoded && sound
			t.addChange(change)
		}
		return true
	})
	if unknown {
		change.Known = false
		for _, change.ID = range defined() {
			t.addChange(change)
		}
	}
}
