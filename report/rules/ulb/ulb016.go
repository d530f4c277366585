package ulb

import (
	"encoding/binary"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs/numbers"
	"github.com/rdmacap/rdmacap/dissect/xdr"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

const (
	// enough is how many later calls must have used higher slots before one that
	// was not used is called lost.
	enough = 1000
)

func ulb016() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.Cut, rules.Protected)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{compounds()},
		On:          []rules.Event{onCompound(set(numbers.OpSequence), compound016), rules.OnPublished(lost016), rules.OnPublished(used016)},
	}
}

func compound016(c *rules.Conn, x *compound, _ rules.Reporter) {
	r, calls := x.rpc, 0
	if k := state.IfAny(c); k != nil {
		calls = k.calls
	}
	how, frame, time := failedBelow(c, r)
	quiet := noneOpen(rules.Immediate(c))
	if how == "" && calls >= firstUses && quiet {
		return
	}
	q, ok := sequenceOf(x.call)
	if !ok {
		return
	}
	if how != "" {
		rules.Publish(c, slot{session: q.session, slot: q.slot, xid: r.XID, how: how, frame: frame, time: time, sent: r.Call.Last,
			call: rules.AboutPart(r, r.Call)})
		return
	}
	u := use{session: q.session, slot: q.slot, time: r.Call.First, status: outOfSequence(c, r), first: calls < firstUses}
	if r.Reply != nil {
		u.frame = r.Reply.Frame()
	}
	if u.first {
		state.Of(c).calls++
	}
	if u.slot > 0 && !quiet {
		u.call = rules.AboutOneOfMany(r, r.Call)
	}
	if u.status != "" {
		u.answer = rules.AboutRPC(r)
	}
	rules.Publish(c, u)
}

// noneOpen reports whether it is known that there is no slot whose last call failed.
func noneOpen(a *rules.CrossConnection) bool { return a != nil && len(crossState(a).slots.open) == 0 }

// lost016 enters a slot whose call failed, unless it was used since.
func lost016(e *rules.ConnRef, lost *slot, report rules.Reporter) {
	s := &crossState(e.CrossConnection).slots
	lost.connection = e.ID()
	if u := s.after(lost, lost.connection); u == nil {
		s.addSlot(*lost)
	} else if u.status != "" {
		misordered016(e, report.About("b", lost.call, ""), lost, u)
	}
}

// used016 compares the use of a slot with those that failed.
func used016(e *rules.ConnRef, u *use, report rules.Reporter) {
	s := &crossState(e.CrossConnection).slots
	u.connection = e.ID()
	if u.first {
		s.used(u)
	}
	for i := range s.open {
		y := &s.open[i]
		if y.session != u.session || u.slot < y.slot || u.time < y.time {
			continue
		}
		if u.slot == y.slot {
			if u.status != "" {
				misordered016(e, report.About("b", u.answer, ""), y, u)
			}
			s.open = slices.Delete(s.open, i, i+1)
			return
		}
		if y.higher++; y.higher > enough {
			if f := report.About("a", u.call, ""); f != nil {
				f.Messagef("slot %d has not been used since the call with XID 0x%08x on connection %d failed (%s), while %s used higher slots",
					y.slot, y.xid, y.connection, y.how, field.Counted(y.higher, "call"))
				f.See("sa_slotid", u.slot, nil)
				y.show(e, f)
			}
			s.open = slices.Delete(s.open, i, i+1)
			return
		}
	}
}

// misordered016 reports the next call on the slot of one that failed.
func misordered016(e *rules.ConnRef, f *rules.Finding, y *slot, u *use) {
	if f == nil {
		return
	}
	f.Messagef("the call with XID 0x%08x on slot %d failed (%s); the next call on that slot, on connection %d, was answered with %s",
		y.xid, y.slot, y.how, u.connection, u.status)
	y.show(e, f)
	f.See("sr_status", u.status, "NFS4_OK").With(u.frame)
}

// show adds the call that failed to a finding on a connection.
func (s *slot) show(e *rules.ConnRef, f *rules.Finding) {
	if f.With(s.frame); s.connection == e.ID() {
		f.Also(s.xid)
	}
}

// outOfSequence is the status of a SEQUENCE that was refused as out of sequence,
// "" if it was not.
func outOfSequence(c *rules.Conn, r *dissect.RPC) string {
	if r.Reply == nil {
		return ""
	}
	if status, ok := firstSequence(r.Reply.BodyBytes()); ok && status != numbers.StatusSeqMisordered && status != numbers.StatusSeqFalseRetry {
		return "" // as nearly always
	}
	b := values.Walked(c, r.Reply)
	if b == nil {
		return ""
	}
	at := values.Next(b, 0, numbers.OpSequence)
	if at < 0 {
		return ""
	}
	e := values.Status(values.Within(b, at))
	switch {
	case e == nil:
	case e.Value == numbers.StatusSeqMisordered:
		return "NFS4ERR_SEQ_MISORDERED"
	case e.Value == numbers.StatusSeqFalseRetry:
		return "NFS4ERR_SEQ_FALSE_RETRY"
	}
	return ""
}

// firstSequence is the status of a SEQUENCE that is the first operation of a result, where
// it must be (RFC 8881, section 2.10.6), read without what stands after it.
func firstSequence(result []byte) (status uint64, ok bool) {
	const tag = xdr.WordSize // after the status of all
	if len(result) < tag+xdr.WordSize {
		return 0, false
	}
	at := tag + xdr.WordSize + xdr.Padded(binary.BigEndian.Uint32(result[tag:])) + xdr.WordSize
	if at+2*xdr.WordSize > uint64(len(result)) || uint64(binary.BigEndian.Uint32(result[at:])) != numbers.OpSequence {
		return 0, false
	}
	return uint64(binary.BigEndian.Uint32(result[at+xdr.WordSize:])), true
}
