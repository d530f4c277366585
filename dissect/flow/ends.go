package flow

import "github.com/rdmacap/rdmacap/rocev2"

// letGoAfter is how many frames, of whatever connection, a disconnected
// connection is kept for what is still to come of it.
const letGoAfter = 256

// newConn makes a connection and gives it its number.
func (t *Tracker) newConn(s Setup) *Conn {
	if len(t.conns) >= maxConns {
		oldest := t.conns[0]
		for _, c := range t.conns {
			if c.lastSeen < oldest.lastSeen {
				oldest = c
			}
		}
		t.close(oldest)
	}
	t.nextID++
	c := &Conn{ID: t.nextID, Setup: s, lastSeen: t.frames, transport: rocev2.TransportRC}
	t.conns = append(t.conns, c)
	return c
}

// open announces a connection once.
func (t *Tracker) open(c *Conn) {
	if c.opened {
		return
	}
	c.opened = true
	t.sink.Opened(c)
}

// disconnect notes how a connection ended; it is let go a little later.
func (t *Tracker) disconnect(c *Conn, how Closing) {
	if c.Closing != Open || c.closed {
		return
	}
	c.Closing = how
	c.closeAt = t.frames + letGoAfter
	t.closing = append(t.closing, c)
}

// letGo closes the disconnected connections whose time has come.
func (t *Tracker) letGo() {
	for len(t.closing) > 0 && t.closing[0].closeAt <= t.frames {
		c := t.closing[0]
		t.closing = t.closing[1:]
		t.close(c)
	}
}

// close settles what a connection still waits for and lets it go. Its halves
// stay as marks, so that a late frame is not taken for a new connection.
func (t *Tracker) close(c *Conn) {
	if c.closed {
		return
	}
	c.settle(true)
	for _, h := range c.halves {
		if h != nil {
			h.broken("the connection ends in the middle of it")
		}
	}
	c.closed = true
	t.open(c)
	t.sink.Closed(c)
	c.User = nil
	for i := range t.conns {
		if t.conns[i] == c {
			t.conns = append(t.conns[:i], t.conns[i+1:]...)
			break
		}
	}
	for e, has := range c.hasComm {
		if k := (commKey{c.Ends[e].Addr, c.commID[e]}); has && t.setups[k] == c {
			delete(t.setups, k)
		}
	}
	for _, h := range c.halves {
		if h != nil {
			*h = half{t: t, key: h.key, conn: c, next: h.next, known: h.known}
		}
	}
	if len(t.halves) > maxMarks {
		t.last = [2]*half{}
		for k, h := range t.halves {
			if h.conn != nil && h.conn.closed {
				delete(t.halves, k)
			}
		}
	}
}
