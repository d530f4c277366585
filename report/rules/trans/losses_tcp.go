package trans

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

// segmentsAgain are segments that were sent again, of which the receiver may say that it had
// them already: by a block of SACK that lies before its acknowledgement (RFC 2883).
type segmentsAgain struct {
	list  [2]rules.Ring[segmentAgain] // by the end that sent them
	twice [2]bool                     // the receiver of what an end sends said so of something
	sacks [2]bool                     // it has sent blocks of SACK
}

// mostResent is how many of an end are remembered; of more, what became of the oldest is taken
// as settled.
const mostResent = 16

// A segmentAgain is one of them.
type segmentAgain struct {
	seq     uint32
	payload int
	last    int64 // when it was sent last
	waited  bool  // it was retransmitted after a time-out
	open    bool
}

// awaits reports whether a segment may say what became of one that was retransmitted.
func (l *losses) awaits(v *dissect.FrameView) bool {
	return v.Link.HasSACK() && l.tcp != nil && l.tcp.list[v.Verdict.From&1^1].Len() > 0
}

// checkSegment notes a segment whose checksum is wrong, and not just left to the adapter, which fills it in after a
// capture on the host that sends. That of a link.ShortSegment is looked at in any case; that of data costs too much, unless
// something was retransmitted.
func (w *wire) checkSegment(c *rules.Conn, v *dissect.FrameView) {
	if v.Verdict.Note != flow.Duplicate && v.Link.WrongTCPChecksum(v.Frame.Data) {
		c.Changed(rules.Ref(v))
		rules.Some(&w.losses).changed(v.Verdict.From&1, v.Link.TCP.Seq)
	}
}

// disturbed reports whether a segment of TCP, or one before it in whose FPDUs it may still lie, was changed on its way.
func (w *wire) disturbed(v *dissect.FrameView) bool {
	const longest = 2 << 16 // bytes of two FPDUs
	if v.Link.WrongTCPChecksum(v.Frame.Data) {
		return true
	}
	if w.losses == nil {
		return false
	}
	for seq := range w.losses.wrong[v.Verdict.From&1].Backward() {
		if n := int32(v.Link.TCP.Seq - *seq); n >= 0 && n < longest {
			return true
		}
	}
	return false
}

// segment takes a segment of TCP that was retransmitted, or that may say what became of one.
func (l *losses) segment(c *rules.Conn, v *dissect.FrameView) {
	from := v.Verdict.From & 1
	if l.awaits(v) {
		l.tcp.acknowledged(v, &l.Ways[from^1])
	}
	way := &l.Ways[from]
	switch v.Verdict.Note {
	case flow.LostOnWire:
		way.At(rules.Moment(v))
		way.Before++
		way.Again++
	case flow.Retransmission:
		way.At(rules.Moment(v))
		way.Again++
		l.segmentAgain(c, v, from, c.LastSeen(from).Carried)
	}
}

// segmentAgain takes one that the capture has already; carried is when its sender last sent
// anything.
func (l *losses) segmentAgain(c *rules.Conn, v *dissect.FrameView, from flow.End, carried int64) {
	t, way, now, seq := &l.tried[from], &l.Ways[from], v.Frame.Time, v.Link.TCP.Seq
	if t.psn != seq || t.n == 0 {
		*t = tried{psn: seq, first: carried, last: carried, n: 1}
	}
	pause := now - t.last
	t.last = now
	t.n++
	waited := t.first > 0 && pause >= impatience
	if waited {
		way.Vain(pause, now-t.first, t.n)
	}
	all := rules.Some(&l.tcp)
	for x := range all.list[from].Backward() {
		if x.seq == seq && x.open {
			x.waited, x.last = x.waited || waited, now
			return
		}
	}
	x := all.list[from].Add(mostResent)
	all.over(c, x, way, from)
	if l.wasChanged(from, seq) {
		way.Changed++
		*x = segmentAgain{}
		return
	}
	*x = segmentAgain{seq, v.Link.End() - v.Link.TCPData(), now, waited, true}
}

// acknowledged takes what the receiver says.
func (s *segmentsAgain) acknowledged(v *dissect.FrameView, way *finding.Way) {
	sender := v.Verdict.From&1 ^ 1
	var room [link.MaxSACKBlocks]link.SACKBlock
	blocks := v.Link.AppendSACK(room[:0], v.Frame.Data)
	if len(blocks) == 0 {
		return
	}
	s.sacks[sender] = true
	if int32(blocks[0].Start-v.Link.TCP.Ack) >= 0 {
		return
	}
	s.twice[sender] = true
	for x := range s.list[sender].Backward() {
		if x.open && int32(x.seq-blocks[0].Start) >= 0 && int32(x.seq-blocks[0].End) < 0 {
			x.open = false
			way.Late++
			way.Slowest = max(way.Slowest, v.Frame.Time-x.last)
			return
		}
	}
}

// over counts what its receiver never said that it had it already.
func (s *segmentsAgain) over(c *rules.Conn, x *segmentAgain, way *finding.Way, from flow.End) {
	if !x.open {
		return
	}
	x.open = false
	if c.OneDirection() || c.Lossy() {
		return // it may have said so in a segment that the capture lacks
	}
	way.LostBehind(x.payload, x.last)
	if x.waited || !s.twice[from] && !s.sacks[from] {
		way.Unsure++
	}
}

// countLeft counts all that are left.
func (s *segmentsAgain) countLeft(c *rules.Conn, p *finding.Path) {
	for from := range s.list {
		for x := range s.list[from].All() {
			s.over(c, x, &p.Ways[from], flow.End(from))
		}
	}
}
