package flow

// A Census is what a Tracker keeps, for tests.
type Census struct {
	Halves, Marks, Conns, Setups, Waiting, Closing, Trusted int
	Evicted                                                 int // keys of what is left of those
	Unpaired                                                int // halves in all its lists
	Queued, Kept, Assembled                                 int // as the tracker counts them
	QueuedFound, KeptFound, AssembledFound                  int // as they are
	MostReads, MostHeld                                     int // of one half
	TCP, TCPMarks, Candidates                               int // TCP connections
	MostPending, MostEarly                                  int // of one direction of one
}

// The limits that a Census is held against.
const (
	MaxConns     = maxConns
	MaxMarks     = maxMarks
	MaxWaiting   = maxWaiting
	MaxQueued    = maxQueued
	MaxKept      = maxKept
	MaxAssembled = maxAssembled
	MaxSend      = maxSend
	MaxPieces    = maxPieces
	MaxReads     = maxReads
	MaxHeld      = maxHeld
	MaxTrusted   = maxTrusted

	MaxCandidates = maxCandidates
	MaxOthers     = maxOthers
	MaxPending    = maxPending
	MaxEarly      = maxEarlyResponses
)

// Census counts what the tracker keeps.
func (tracker *Tracker) Census() Census {
	t := tracker.queuePairs
	c := Census{
		Halves: len(t.halves), Marks: len(t.marks), Evicted: len(t.evicted), Conns: t.all.n, Setups: len(t.setups),
		Waiting: t.waiting.n, Closing: len(t.closing), Trusted: len(t.trusted),
		Queued: t.queued, Kept: t.kept, Assembled: t.assembled,
	}
	for _, u := range t.unpaired {
		c.Unpaired += u.halves.n
	}
	for _, h := range t.halves {
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
			c.AssembledFound += cap(h.message.octets)
		}
		c.MostReads = max(c.MostReads, len(h.reads.list))
		c.MostHeld = max(c.MostHeld, len(h.held))
	}
	tracker.tcp.census(&c)
	return c
}

func (t *tcpTracker) census(c *Census) {
	c.TCP, c.TCPMarks, c.Candidates = len(t.tcp), len(t.tcpMarks), len(t.candidates)
	for _, tc := range t.tcp {
		for _, s := range tc.sides {
			if s == nil {
				continue
			}
			_, octets := s.stream.Waiting()
			c.KeptFound += octets + len(s.head) + originCost*len(s.origins)
			if s.phase == framing {
				c.KeptFound += int(s.framer.Position() - s.framer.Held())
			}
			for _, e := range s.postponed.list {
				c.KeptFound += e.size
			}
			for i := range s.early {
				c.KeptFound += len(s.early[i].data.Octets)
			}
			if s.message != nil {
				c.AssembledFound += cap(s.message.octets)
			}
			c.MostPending = max(c.MostPending, len(s.reads.list))
			c.MostEarly = max(c.MostEarly, len(s.early))
		}
	}
}
