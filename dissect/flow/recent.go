package flow

import "github.com/rdmacap/rdmacap/rocev2"

// recent remembers the last requests of a half connection, to tell a frame
// that the capture has twice from one that was sent twice.
type recent struct {
	ring [64]struct {
		sighting
		number uint32 // PSN or sequence number
		opcode rocev2.OpCode
		valid  bool
	}
	at int
}

// sighting is a frame by its identity, and when it was seen.
type sighting struct {
	ident uint32
	time  int64
}

// same reports whether the frame is the one that was seen, captured again.
func (s sighting) same(f *Frame) bool {
	now := sightingOf(f)
	return s.near(now.ident, now.time)
}

func sightingOf(f *Frame) sighting {
	ident, _ := identity(f)
	return sighting{ident, f.Time}
}

func (s sighting) near(ident uint32, time int64) bool {
	d := time - s.time
	return s.ident == ident && -mirrorDelay <= d && d <= mirrorDelay
}

// mirrorDelay is how far apart, in nanoseconds, a mirror gives the two copies
// of a frame.
const mirrorDelay = 50_000

func (r *recent) add(p *packet) { r.note(sighting{p.ident, p.time}, p.ib.PSN, p.ib.OpCode) }

// note remembers a frame by its PSN or, over TCP, its sequence number.
func (r *recent) note(s sighting, number uint32, opcode rocev2.OpCode) {
	e := &r.ring[r.at%len(r.ring)]
	e.sighting, e.number, e.opcode, e.valid = s, number, opcode, true
	r.at++
}

// has reports whether a frame is one that was seen, captured again.
func (r *recent) has(s sighting, number uint32, opcode rocev2.OpCode) bool {
	for i := range r.ring {
		e := &r.ring[i]
		if e.valid && e.number == number && e.opcode == opcode && e.near(s.ident, s.time) {
			return true
		}
	}
	return false
}

// repeated says how a packet whose PSN was seen before came to be seen again,
// and remembers it if it was sent again.
func (r *recent) repeated(p *packet) Note {
	if r.has(sighting{p.ident, p.time}, p.ib.PSN, p.ib.OpCode) {
		return Duplicate
	}
	r.add(p)
	return Retransmission
}

// forget is called when the receiver asked for a repetition: what comes again
// from here on was sent again, however soon.
func (r *recent) forget() {
	for i := range r.ring {
		r.ring[i].valid = false
	}
}
