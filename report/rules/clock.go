package rules

import "time"

// A Clock says when time went by, by the times of all frames of the capture.
type Clock struct {
	ticked int64 // when it ticked last, in nanoseconds since 1970, 0 for never
}

// Due reports whether the clock ticks, now that the newest frame is of a time, in
// nanoseconds since 1970: a second after it did last, or later. The first frame sets it.
func (k *Clock) Due(now int64) bool {
	if now-k.ticked < int64(time.Second) {
		return false
	}
	first := k.ticked == 0
	k.ticked = now
	return !first
}

// reminders are the connections of a Checker that wait for time to go by: those where
// nothing is outstanding cost nothing, however many there are.
type reminders struct {
	list   []*Conn // in the order in which they asked, nil for one that is over
	told   []*Conn // those of the tick before, for its room
	always bool    // whoever is open waits
}

// Remind has OnTick called once, when the clock ticks next: within a second of capture
// time, or with the first frame behind that. Who waits for longer asks again.
func (c *Conn) Remind() {
	if c.reminder == 0 {
		k := &c.Capture.waiting
		k.list = append(k.list, c)
		c.reminder = len(k.list)
	}
}

// forget drops a connection that is over.
func (k *reminders) forget(c *Conn) {
	if c.reminder > 0 {
		k.list[c.reminder-1], c.reminder = nil, 0
	}
}

// tick tells those that wait that time went by.
func (k *reminders) tick(now int64) {
	list := k.list
	k.list = k.told[:0]
	for _, c := range list {
		if c == nil {
			continue
		}
		if c.reminder = 0; k.always {
			c.Remind()
		}
		c.tables.tick.tell(c, &c.saying, 0, now)
	}
	clear(list)
	k.told = list
}
