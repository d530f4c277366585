package watch

import "github.com/rdmacap/rdmacap/dissect/flow"

// taken takes the event that was noted last, which is the only one.
func (w *Watch) taken() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.takeNotes(w.noter.now, 0)
	w.noter.now.reset()
}

// takeNotes takes an event. The lock is held.
func (w *Watch) takeNotes(n *notes, index int) {
	switch e := &n.events[index]; e.kind {
	case begins:
		w.seen++
		w.list(e, &n.identities[e.more])
	case ends:
		w.ends(e, &n.identities[e.more])
	case frame:
		w.frame(e)
	case message:
		w.message(e, &n.identities[e.more])
	case rpc:
		w.rpc(e, &n.rpcs[e.more])
	}
}

// ends takes that a connection is over.
func (w *Watch) ends(e *event, x *identity) {
	if r := w.row(e.conn); r != nil {
		w.endConnection(r, e, x)
		return
	}
	w.unlisted--
	if e.closing != flow.Open {
		w.over++
	}
	w.gone.addLosses(e.losses)
}

// frame takes a frame.
func (w *Watch) frame(e *event) {
	w.clock.frame(e.time)
	w.frames++
	w.bytes += e.bytes
	if e.conn == nil {
		return
	}
	w.window.at(w.clock.newest).carried(e.bytes, e.toServer)
	if r := w.row(e.conn); r != nil {
		s := r.window.at(w.clock.newest)
		s.carried(e.bytes, e.toServer)
		r.count(&e.standing)
		w.closing(r, e.closing)
		s.mostOpen = max(s.mostOpen, r.Open)
		r.seen = w.clock.newest
	}
}

// carried counts a frame.
func (s *slot) carried(size int64, toServer bool) {
	if toServer {
		s.toServer += size
	} else {
		s.toClient += size
	}
}

// message takes a message.
func (w *Watch) message(e *event, x *identity) {
	w.clock.frame(e.time)
	r := w.row(e.conn)
	if r == nil && w.unlisted > 0 && (len(w.rows) < mostRows || w.ended > 0) {
		w.unlisted-- // now there is room
		w.list(e, x)
		r = w.row(e.conn)
	}
	if e.call {
		w.window.at(w.clock.newest).calls++
	}
	if r == nil {
		return
	}
	if e.call {
		s := r.window.at(w.clock.newest)
		s.calls++
		s.mostOpen = max(s.mostOpen, e.open+1)
	}
	r.refresh(x)
	r.count(&e.standing)
	if e.grants {
		r.granted[e.requester] = grant{e.granted, true}
	}
	if g := &r.granted[x.client]; g.known {
		r.Granted, r.HasGranted = g.credits, true
	}
}

// rpc takes an RPC that is over.
func (w *Watch) rpc(e *event, x *rpcNote) {
	w.rpcs++
	if x.latency >= 0 {
		w.window.at(w.clock.newest).latency.Add(x.latency)
	}
	r := w.row(e.conn)
	if r == nil {
		return
	}
	if x.latency >= 0 {
		r.window.at(w.clock.newest).latency.Add(x.latency)
	}
	w.stats.Count(e.conn, &x.fact)
	r.RPCs = w.stats.Open(e.conn).RPCs
	if x.matched {
		r.matched = true
		l := r.rpcs.Add(mostRPCs)
		*l, x.line = x.line, *l // the memory of one for the other
	}
}

// addFinding takes a finding. The lock is held.
func (w *Watch) addFinding(x *reported) {
	w.tally.Add(x.Severity)
	*w.findings.Add(mostFindings) = x.Finding
	if x.conn == nil {
		return
	}
	if r := w.row(x.conn); r != nil {
		r.Findings.Add(x.Severity)
		*r.findings.Add(mostFindings) = x.Finding
	}
}
