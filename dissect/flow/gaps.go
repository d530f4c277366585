package flow

// Gaps are what a connection shows to be missing from the capture.
//
// A gap is open while frames are missing that may still come: the capture has
// them out of order, or they were lost on the wire and will be sent again. One
// that is filled is no hole. It becomes a hole when it is given up: what lay
// there, messages or RDMA operations, is never told.
type Gaps struct {
	// Holes is how often something was given up as missing. A stretch of the
	// capture may count more than once.
	Holes int64
	// of is the same for what each end sent; last are the latest holes in that.
	of   [2]int64
	last [2]Moment
	// sends are those of the holes of which nothing shows that no Send was in them, before
	// what they were at MarkSends.
	sends, before sendHoles
}

// sendHoles are the holes of each end in which a Send may have been: how many, and the
// latest.
type sendHoles struct {
	of   [2]int64
	last [2]Moment
}

// AddHole notes a hole in what an end sent, before a frame.
func (g *Gaps) AddHole(of End, before Moment) {
	if last := &g.last[of&1]; last.Ref.Number == 0 || before.Time >= last.Time {
		*last = before
	}
	g.of[of&1]++
	g.Holes++
	g.sends.of[of&1]++
	g.sends.last[of&1] = g.last[of&1]
}

// AddHoleInData notes a hole that lay in an RDMA Write, or in the responses to an RDMA Read, and nowhere
// else.
func (g *Gaps) AddHoleInData(of End, before Moment) {
	sends := g.sends
	g.AddHole(of, before)
	g.sends = sends
}

// MarkSends remembers which holes of an end may have had a Send, for LostSends.
func (g *Gaps) MarkSends(of End) {
	g.before.of[of&1], g.before.last[of&1] = g.sends.of[of&1], g.sends.last[of&1]
}

// LostSends notes how many Sends of an end were in holes since MarkSends, as the number of the
// next one shows: each counts as a hole.
func (g *Gaps) LostSends(of End, n int64) {
	if g.sends.of[of&1] = g.before.of[of&1] + n; n == 0 {
		g.sends.last[of&1] = g.before.last[of&1]
	}
}

// SendHolesOf is HolesOf, without those of which it is known that no Send was in them, and with
// each of several Sends in one as far as that is known.
func (g *Gaps) SendHolesOf(e End) int64 { return g.sends.of[e&1] }

// LastSendHoleOf is LastHoleOf, of the holes in which a Send may have been.
func (g *Gaps) LastSendHoleOf(e End) Moment { return g.sends.last[e&1] }

// AddHoles notes that both ends may lack frames before one.
func (g *Gaps) AddHoles(before Moment) {
	g.AddHole(0, before)
	g.AddHole(1, before)
	g.Holes--
}

// HolesOf is how often something that an end sent was given up as missing.
func (g *Gaps) HolesOf(e End) int64 { return g.of[e&1] }

// LastHoleOf is the latest frame of which it is known that something which an end sent
// before it is missing: the first that was captured of what the end sent after a hole, or
// its peer's that acknowledged what is missing, if that came before. The number of the frame is
// 0 if there is no hole.
func (g *Gaps) LastHoleOf(e End) Moment { return g.last[e&1] }

// LastHole is the later one of both ends.
func (g *Gaps) LastHole() Moment {
	if a, b := g.last[0], g.last[1]; a.Ref.Number != 0 && (b.Ref.Number == 0 || a.Time >= b.Time) {
		return a
	}
	return g.last[1]
}

// Gap reports whether frames are missing so far that may still come: before some
// that wait for them, or of what the peer acknowledged. It may be true a little
// longer than that, but never while messages are told in their order and nothing
// of the connection waits.
func (c *Conn) Gap() bool { return c.GapOf(0) || c.GapOf(1) }

// GapOf is the same for the frames of one end.
func (c *Conn) GapOf(e End) bool { return c.carrier != nil && c.carrier.Gap(e) }
