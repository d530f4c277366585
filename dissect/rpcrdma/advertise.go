package rpcrdma

import "github.com/rdmacap/rdmacap/dissect/flow"

// Advertise enters the segments of a call's header, which an end sent in a frame, at
// Now. The offer is empty, and the ledger's until Retire.
func (l *Ledger) Advertise(o *Offer, h *Header, owner flow.End, call flow.Ref) {
	o.fill(h)
	for i := range o.Regions {
		r := &o.Regions[i]
		r.offer, r.Owner, r.XID, r.Call, r.Since = o, owner, h.XID, call, l.Now
		l.list(r)
	}
	l.advertised += int64(len(o.Regions))
}

// Advertised is how many segments were advertised.
func (l *Ledger) Advertised() int64 { return l.advertised }

// Newest is the region with a handle that was advertised last, live or over, nil if
// none is remembered. It is valid until the next event.
func (l *Ledger) Newest(handle uint32) *Region {
	if r := l.newest[handle]; r != nil && !r.cut {
		return r
	}
	return nil
}

// End ends the regions of an offer that are live, by a frame that was captured at a
// time. Operations may be entered all the same: they may have been captured before.
func (l *Ledger) End(o *Offer, how Ending, by flow.Ref, time int64) {
	for i := range o.Regions {
		if r := &o.Regions[i]; r.Over == Live {
			r.Over, r.By, r.Until = how, by, time
		}
	}
}

// Invalidate ends the regions with a handle, as a Send With Invalidate does that a
// frame has which was captured at a time. If that is the reply, it does not count.
func (l *Ledger) Invalidate(handle uint32, by flow.Ref, time int64) {
	for r := l.Newest(handle); r != nil; r = r.Older() {
		if r.Over == Live || r.Over == Replied && r.By == by {
			r.Over, r.By, r.Until = Invalidated, by, time
		}
	}
}

// Expire lets no operation be entered for an offer any more, remembers what its
// segments were and what ended them, and empties it for the next call.
func (l *Ledger) Expire(o *Offer) {
	for i := range o.Regions {
		r := &o.Regions[i]
		if last := &l.last[r.Owner&1]; *last == r {
			*last = nil
		}
		if r.cut {
			l.unlist(r)
		} else {
			l.remember(r)
		}
		r.offer, r.older, r.newer = nil, nil, nil
	}
	l.store.bytes -= len(o.LongCall) + len(o.LongReply)
	o.reset()
}

// remember puts a copy of a region in its place.
func (l *Ledger) remember(r *Region) {
	t := l.over.Add(maxOver)
	if t.listed {
		l.unlist(t)
	}
	*t = *r
	t.offer, t.Asked, t.Seen = nil, nil, nil
	if t.Over == Live {
		t.Over, t.By, t.Until = Forgotten, t.Call, t.Since
	}
	if t.older != nil {
		t.older.newer = t
	}
	if t.newer != nil {
		t.newer.older = t
	} else {
		l.newest[t.Handle] = t
	}
}

// list puts a region before those with the same handle, and cuts what Older goes
// through: a handle that lasts is in very many. What is cut off and over is forgotten.
func (l *Ledger) list(r *Region) {
	if l.newest == nil {
		l.newest = make(map[uint32]*Region)
	}
	r.listed = true
	r.older = l.newest[r.Handle]
	l.newest[r.Handle] = r
	if r.older == nil {
		return
	}
	r.older.newer = r
	r.last = r.older.cut
	end := r
	for n := 1; n < maxSame; n++ {
		if end.last || end.older == nil {
			return
		}
		end = end.older
	}
	if end.last || end.older == nil {
		return
	}
	x := end.older
	end.more = x.more || x.Over == Live
	if x.offer == nil {
		end.last = x.last // and what is older stays cut off
		x.last = false
		l.unlist(x)
		return
	}
	end.last, x.last, x.cut = true, false, true
}

// unlist takes a region from the list of its handle.
func (l *Ledger) unlist(r *Region) {
	r.listed = false
	if r.older != nil {
		r.older.newer = r.newer
	}
	switch {
	case r.newer != nil:
		r.newer.older = r.older
		r.newer.last = r.newer.last && r.older != nil || r.last
	case r.older != nil:
		l.newest[r.Handle] = r.older
	default:
		delete(l.newest, r.Handle)
	}
}
