package qp

// A Census is what a Tracker keeps, by counting it anew. It costs time: tests hold the
// limits against it.
type Census struct {
	Requesters, Marks, Setups, Waiting     int
	Evicted                                int // keys of what is left of those
	Unpaired                               int // halves in all its lists
	Queued                                 int // as the tracker counts it, in bytes
	QueuedFound, KeptFound, AssembledFound int // as they are, in bytes
	MostReads, MostHeld                    int // of one half
}

// Census counts what the tracker keeps.
func (t *Tracker) Census() Census {
	c := Census{
		Requesters: len(t.requesters), Marks: len(t.marks), Evicted: len(t.evicted), Setups: len(t.setups),
		Waiting: t.waiting.N, Queued: t.queued,
	}
	for _, u := range t.unpaired {
		c.Unpaired += u.requesters.N
	}
	for _, h := range t.requesters {
		for _, k := range h.queue {
			c.QueuedFound += k.cost()
		}
		for _, k := range h.held {
			c.KeptFound += k.cost()
		}
		for _, k := range h.early {
			c.KeptFound += k.cost()
		}
		if h.message != nil {
			c.AssembledFound += cap(h.message.Bytes)
		}
		c.MostReads = max(c.MostReads, len(h.reads.list))
		c.MostHeld = max(c.MostHeld, len(h.held))
	}
	return c
}
