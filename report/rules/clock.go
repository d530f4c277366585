package rules

// reminders are the connections of a Checker that wait for time to go by: those where
// nothing is outstanding cost nothing, however many there are.
type reminders struct {
	list     []*Conn // in the order in which they asked, nil for one that is over
	previous []*Conn // those of the tick before, for its room
	always   bool    // whoever is open waits
}

// Remind has OnTick called once, when the clock ticks next: within a second of capture
// time, or with the first frame after that. Who waits for longer asks again.
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
	k.list = k.previous[:0]
	for _, c := range list {
		if c == nil {
			continue
		}
		if c.reminder = 0; k.always {
			c.Remind()
		}
		c.tables.tick.emit(c, &c.reportState, 0, now)
	}
	clear(list)
	k.previous = list
}
