package tcp

// A Census is what a Tracker keeps, by counting it anew. It costs time: tests hold the
// limits against it.
type Census struct {
	Connections, Marks, Candidates int
	KeptFound, AssembledFound      int // in bytes
	MostPending, MostEarly         int // of one direction
}

// Census counts what the tracker keeps.
func (t *Tracker) Census() Census {
	c := Census{Connections: len(t.tcp), Marks: len(t.tcpMarks), Candidates: len(t.candidates)}
	for _, tc := range t.tcp {
		for _, s := range tc.directions {
			if s != nil {
				c.addDirection(s)
			}
		}
	}
	return c
}

func (c *Census) addDirection(s *direction) {
	_, size := s.stream.Waiting()
	c.KeptFound += size + len(s.head) + originCost*len(s.origins)
	if s.phase == framing {
		c.KeptFound += int(s.framer.Position() - s.framer.Held())
	}
	for _, e := range s.postponed.list {
		c.KeptFound += e.size
	}
	for i := range s.early {
		c.KeptFound += len(s.early[i].data.Bytes)
	}
	if s.message != nil {
		c.AssembledFound += cap(s.message.Bytes)
	}
	c.MostPending = max(c.MostPending, len(s.reads.list))
	c.MostEarly = max(c.MostEarly, len(s.early))
}
