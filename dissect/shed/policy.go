package shed

import "time"

const (
	// after and farBehind are how full a ring is when frames have to be shed, calm how
	// full at most when there is room again.
	behind, farBehind, calm = 0.7, 0.85, 0.125
	// someRoom is the same of memory, of which 1 is too much.
	someRoom = 0.75
	// muchShort is where it does not do to let go of what is idle.
	muchShort = 1.2
	// lookEvery is how often it is looked, react how long a ring must go on filling: what
	// came together while nobody read, as of a writer that had to wait, is soon done.
	lookEvery, react = 2 * time.Millisecond, 5 * time.Millisecond
	// halfTime is in how much time frames come to count half.
	halfTime = 100 * time.Millisecond
	// minPatience and maxPatience are how long it must be calm before more is followed.
	minPatience, maxPatience = time.Second, time.Minute
	// idleEvery is how often connections without frames are let go.
	idleEvery = 10 * time.Second
)

// A Load says how far whoever follows connections is behind.
type Load struct {
	// Ring is which part of the ring has frames that wait, from 0 to 1.
	Ring float64
	// Memory is what is in use of the memory that may be, 1 for all, as of a Measure,
	// which changes with each.
	Memory  float64
	Measure uint64
}

// A Policy decides what is shed by the load.
type Policy struct {
	load   func(now time.Time) Load
	report func(what string)
	level  int
	idle   bool // Order.Idle
	lately *Frames

	looked, aged time.Time
	// The ring is behind since the time when it was as full; zero if it is not.
	full   float64
	since  time.Time
	quiet  time.Time // since when it is calm, zero if it is not
	raised time.Time
	could  uint64 // how many frames lately were to be followed still when more could not be
	// lowered is when more was followed last, and patience how long it must be calm.
	lowered  time.Time
	patience time.Duration
	measure  uint64 // Load.Measure when memory was too much last
	idled    time.Time
}

// NewPolicy returns a Policy that asks for the load now and then. Tell is told, in a
// sentence, when something begins to be shed and when all is followed again.
func NewPolicy(load func(now time.Time) Load, tell func(what string)) *Policy {
	return &Policy{load: load, report: tell, patience: minPatience}
}

// Decide returns what is to be done from now on.
func (p *Policy) Decide(now time.Time, lately *Frames) Order {
	if now.Sub(p.looked) < lookEvery {
		return Order{Below: p.level}
	}
	p.looked, p.lately = now, lately
	if now.Sub(p.aged) >= halfTime {
		p.aged = now
		for i := range lately {
			lately[i] /= 2
		}
	}
	p.decide(now, p.load(now))
	o := Order{p.level, p.idle}
	p.idle = false
	return o
}

// decide moves the level by what is to be done.
func (p *Policy) decide(now time.Time, l Load) {
	if l.Ring < behind {
		p.since = time.Time{}
	}
	if l.Ring > calm || l.Memory > someRoom {
		p.quiet = time.Time{}
	} else if p.quiet.IsZero() {
		p.quiet = now
	}
	switch {
	case l.Memory > 1 && l.Measure != p.measure:
		p.measure = l.Measure
		p.short(now, l.Memory)
	case l.Ring >= behind:
		p.late(now, l.Ring)
	case p.level > 0 && !p.quiet.IsZero() && now.Sub(p.quiet) >= p.patience:
		p.lower(now)
	}
}

// late sheds if the ring goes on filling.
func (p *Policy) late(now time.Time, full float64) {
	if !p.since.IsZero() && now.Sub(p.since) < react {
		return
	}
	share := 0.25
	if full >= farBehind {
		share = 0.5
	}
	if !p.since.IsZero() && full >= p.full {
		p.raise(now, share, "analysis cannot keep up")
	}
	p.since, p.full = now, full
}

// short lets go of connections that had no frame for long, or else sheds what brings
// memory down to where there is room.
func (p *Policy) short(now time.Time, memory float64) {
	if now.Sub(p.idled) >= idleEvery {
		p.idle, p.idled = true, now
		if memory < muchShort {
			return
		}
	}
	p.raise(now, max(0.125, 1-someRoom/memory), "memory is short (--memory)")
}

// raise sheds a share of the frames that are followed.
func (p *Policy) raise(now time.Time, share float64, why string) {
	followed := sum(p.lately[p.level:])
	if followed == 0 {
		return
	}
	if p.level == 0 {
		p.report(why + ": some connections are not followed until memory is free again")
	}
	for got := uint64(0); p.level < Buckets && float64(got) < share*float64(followed); p.level++ {
		got += uint64(p.lately[p.level])
	}
	if !p.lowered.IsZero() && now.Sub(p.lowered) < 4*p.patience {
		p.patience = min(2*p.patience, maxPatience)
	}
	p.could = uint64((1 - share) * float64(followed))
	p.raised, p.lowered, p.quiet = now, time.Time{}, time.Time{}
}

// lower takes in again what has at most an eighth of the frames that are followed, or one
// bucket that has more. Where traffic is much less than it was, more is taken in at once.
func (p *Policy) lower(now time.Time) {
	if p.lowered.After(p.raised) {
		p.patience = max(p.patience/2, minPatience) // the last time it was not too much
	}
	followed := sum(p.lately[p.level:])
	most := followed / 8
	if half := p.could / 2; followed < half {
		most = max(most, half-followed)
	}
	for got := uint64(0); p.level > 0; p.level-- {
		n := uint64(p.lately[p.level-1])
		if got > 0 && got+n > most {
			break
		}
		got += n
	}
	p.lowered, p.quiet = now, now
	if p.level == 0 {
		p.report("all connections are followed again")
	}
}

func sum(counts []uint32) (n uint64) {
	for _, c := range counts {
		n += uint64(c)
	}
	return n
}
