package metrics

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/rocev2"
)

// A counter counts what one goroutine receives.
type counter struct {
	figures
	connections map[*dissect.Connection]*connection
	last        *connection // that of lastOf, tried before the map
	lastOf      *dissect.Connection
	changed     []*connection // of which other calls are the oldest than others were told
	operations  operations
	errors      names
	ops         []dissect.Op // of the RPC that is told, to be used again
	name        []byte       // its name, to be used again
}

// figures are the numbers without names.
type figures struct {
	frames, bytes, malformed, badICRC uint64
	begun, open                       uint64 // connections
	wire                              wire
	credits                           [2]credits                     // by requester
	messages                          [2][len(procedures) + 1]uint64 // by sender
}

func newCounter() (c counter) {
	c.connections = make(map[*dissect.Connection]*connection)
	c.operations.known = make(map[string]*operation)
	c.errors.known = make(map[string]int)
	return c
}

// connection counts one that begins, or is over.
func (m *counter) connection(c *dissect.Connection, final bool) {
	if !final {
		m.begun++
		m.open++
		m.last, m.lastOf = new(connection), c
		m.connections[c] = m.last
		return
	}
	if s := m.connectionOf(c); s != nil {
		s.wired(c, &m.wire)
		s.spend([2]credits{}, &m.credits)
		m.waits(s, since{})
		m.open--
		delete(m.connections, c)
		m.last, m.lastOf = nil, nil
	}
}

// connectionOf is what is known of a connection that is open, nil if it is not.
func (m *counter) connectionOf(c *dissect.Connection) *connection {
	if m.lastOf != c {
		m.last, m.lastOf = m.connections[c], c
	}
	return m.last
}

// frame counts a frame, which may be faulty.
func (m *counter) frame(v *dissect.FrameView, faulty bool) {
	m.frames++
	m.bytes += uint64(v.Length)
	if faulty {
		m.malformed++
	}
	if v.IB != nil && v.IB.Check == rocev2.ICRCWrong {
		m.badICRC++
	}
	if c := v.Connection; c != nil {
		if s := m.connectionOf(c); s != nil { // there are frames after the end of one
			s.wired(c, &m.wire)
			m.stand(s, c)
		}
	}
}

// stand counts how a connection stands.
func (m *counter) stand(s *connection, c *dissect.Connection) {
	now, oldest := s.state(c)
	s.spend(now, &m.credits)
	m.waits(s, oldest)
}

// lookAgain counts how the connections stand on which calls wait. Frames that were dropped while they were captured may
// have been replies, on whichever, and none of its frames needs to come for that.
func (m *counter) lookAgain() {
	for c, s := range m.connections {
		if s.oldest != (since{}) {
			m.stand(s, c)
		}
	}
}

// waits notes since when the oldest calls of a connection wait.
func (m *counter) waits(s *connection, oldest since) {
	if s.oldest == oldest {
		return
	}
	if s.oldest = oldest; !s.changed {
		s.changed = true
		m.changed = append(m.changed, s)
	}
}

// message counts a message.
func (m *counter) message(msg *dissect.Message) {
	from := server
	if msg.ToServer() {
		from = client
	}
	m.messages[from][procedure(msg)]++
	if s := m.connectionOf(msg.Connection); s != nil {
		s.granting(msg)
	}
}

// call finds what an RPC is called, for rpc.
func (m *counter) call(r *dissect.RPC) {
	m.ops = r.Ops(m.ops[:0])
	m.name = r.AppendName(m.name[:0], m.ops)
}

// rpc counts it.
func (m *counter) rpc(r *dissect.RPC) {
	m.operations.named(m.name).addRPC(r, &m.errors)
	if r.Reply == nil { // it may have been given up without a frame of its connection
		if s := m.connectionOf(r.Connection); s != nil {
			m.stand(s, r.Connection)
		}
	}
}

// merge adds what another has counted, which has nothing counted then.
func (m *counter) merge(o *counter) {
	m.figures.addFigures(&o.figures)
	o.figures = figures{}
	for _, x := range o.operations.list {
		if x.RPCs > 0 {
			m.operations.named([]byte(x.name)).merge(x)
			*x = operation{name: x.name}
		}
	}
	for i := range o.errors.list {
		if x := &o.errors.list[i]; x.count > 0 {
			m.errors.addSome(x.name, x.count)
			x.count = 0
		}
	}
}

// addFigures adds others. What may fall is less than 0 in those of a part, and of unsigned numbers
// what comes out is right all the same.
func (f *figures) addFigures(o *figures) {
	f.frames += o.frames
	f.bytes += o.bytes
	f.malformed += o.malformed
	f.badICRC += o.badICRC
	f.begun += o.begun
	f.open += o.open
	f.wire.addWire(&o.wire)
	for i := range f.credits {
		f.credits[i].addCredits(&o.credits[i])
		for k := range f.messages[i] {
			f.messages[i][k] += o.messages[i][k]
		}
	}
}
