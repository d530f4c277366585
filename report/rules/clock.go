package rules

import "time"

// A clock has the connections that wait for time to go by: those where nothing is
// outstanding cost nothing, however many there are.
type clock struct {
	ticked  int64   // when it ticked last, in nanoseconds since 1970, 0 for never
	waiting []*Conn // in the order in which they asked, nil for one that is over
	told    []*Conn // those of the tick before, for its room
	always  bool    // whoever is open waits
}

// Remind has OnTick called once, when the clock ticks next: within a second of capture
// time, or with the first frame behind that. Who waits for longer asks again.
func (c *Conn) Remind() {
	if c.reminder == 0 {
		k := &c.Capture.clock
		k.waiting = append(k.waiting, c)
		c.reminder = len(k.waiting)
	}
}

// forget drops a connection that is over.
func (k *clock) forget(c *Conn) {
	if c.reminder > 0 {
		k.waiting[c.reminder-1], c.reminder = nil, 0
	}
}

// tick tells those that wait that time went by, if a second did.
func (k *clock) tick(now int64) {
	if now-k.ticked >= int64(time.Second) {
		k.tellWaiting(now)
	}
}

// tellWaiting tells those that wait, but for the first time.
func (k *clock) tellWaiting(now int64) {
	first := k.ticked == 0
	if k.ticked = now; first {
		return
	}
	list := k.waiting
	k.waiting = k.told[:0]
	for _, c := range list {
		if c == nil {
			continue
		}
		if c.reminder = 0; k.always {
			c.Remind()
		}
		c.tables.tick.tell(c, c, 0, now)
	}
	clear(list)
	k.told = list
}
