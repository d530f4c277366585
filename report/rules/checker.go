package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A Checker is a dissect.Sink, and a dissect.AccessSink, that asks the rules. Its
// memory is bounded by what is in flight: of a connection that is over it keeps
// nothing.
type Checker struct {
	rules   []*Rule
	tables  [protocols]*tables // by what a connection was seen to speak
	whole   captureTables
	out     Output
	capture Capture
	conns   map[*dissect.Connection]*Conn
	newest  *Conn // the one that was asked for last
	opcodes opcodeClasses
	watcher Watcher
	gates   *gateLog
}

// Output takes the findings of a connection that is over, in the order in which
// they were said, tied to their causes. Of those of the whole capture, which come
// last, c is nil.
type Output func(c *dissect.Connection, findings []*Finding)

// NewChecker returns a Checker that asks the rules and tells out what they find.
func NewChecker(list []*Rule, config Config, out Output) *Checker {
	k := &Checker{rules: list, out: out, conns: make(map[*dissect.Connection]*Conn), opcodes: newOpcodeClasses()}
	k.capture.Config, k.capture.whole = config, &Conn{Capture: &k.capture}
	k.tables, k.whole = compile(list, place{})
	return k
}

// IgnoreNeeds has all rules called for every event, from the first frame of each
// connection on, as tests do that hold that nothing is missed for the sake of speed. It is
// to be called before the first event.
func (k *Checker) IgnoreNeeds() {
	k.capture.clock.always = true
	k.tables, k.whole = compile(k.rules, place{all: true})
}

// Several says that the frames are of several files. It is to be called before the
// first.
func (k *Checker) Several() { k.capture.Several = true }

// conn is the rules' view of a connection, made when it is first seen.
func (k *Checker) conn(c *dissect.Connection) *Conn {
	if k.newest != nil && k.newest.Connection == c {
		return k.newest
	}
	return k.other(c)
}

// other is the rules' view of a connection that is not the newest.
func (k *Checker) other(c *dissect.Connection) *Conn {
	v := k.conns[c]
	if v == nil {
		v = &Conn{Connection: c, Capture: &k.capture, tables: k.tables[AnyProtocol], gates: k.gates}
		k.conns[c] = v
		k.newest = v
		if k.capture.clock.always {
			v.Remind()
		}
		v.tables.begin.since(-1, v, v, nothing{})
	}
	k.newest = v
	return v
}

// spoken is the rules' view of a connection of which a message or an RPC of a class is
// told.
func (k *Checker) spoken(d *dissect.Connection, class Class) *Conn {
	c := k.conn(d)
	if p := spokenIn(class); p > c.speaks {
		c.service = classOfService(c.TransportService())
		after := int(c.speaks)
		c.speaks, c.tables = p, k.tables[p]
		c.tables.begin.since(after, c, c, nothing{})
	}
	if !c.setUp {
		c.settled()
	}
	return c
}

// settled calls OnSetUp once, when there is something to look at.
func (c *Conn) settled() {
	if c.setUp || !c.Established && c.Setup != flow.SetupInferred && c.Closing == flow.Open {
		return
	}
	c.tellSetUp()
}

func (c *Conn) tellSetUp() {
	c.setUp = true
	c.tables.setUp.tell(c, c, 0, nothing{})
}

// Connection implements dissect.Sink.
func (k *Checker) Connection(c *dissect.Connection, final bool) {
	v := k.conn(c)
	v.settled()
	if !final {
		k.tellNews()
		return
	}
	if !v.setUp {
		v.tellSetUp()
	}
	v.tables.end.tell(v, v, 0, nothing{})
	v.ended()
	delete(k.conns, c)
	k.capture.clock.forget(v)
	k.newest = nil
	k.tellNews()
	tie(v.book.list)
	k.out(c, v.book.list)
}

// Frame implements dissect.Sink.
func (k *Checker) Frame(v *dissect.FrameView) {
	k.capture.Now = max(k.capture.Now, v.Frame.Time)
	class := k.opcodes.of(v)
	if v.Connection == nil {
		k.wholeFrame(v, class|Unconnected)
	} else {
		k.conn(v.Connection).frame(k, v, class)
	}
	k.capture.clock.tick(k.capture.Now)
	k.tellNews()
}

// frame takes a frame of the connection.
func (c *Conn) frame(k *Checker, v *dissect.FrameView, class FrameClass) {
	class = c.class(v, class)
	if k.whole.frame.asks(Class(class)) {
		k.wholeFrame(v, class)
	}
	if !c.setUp {
		c.settled()
	}
	c.tables.frame.tell(c, c, Class(class), v)
	c.heard[v.Verdict.From&1].note(v, class)
	if class&Refusing != 0 {
		c.refused(v)
	}
}

// wholeFrame tells a frame to the rules that look at the whole capture.
func (k *Checker) wholeFrame(v *dissect.FrameView, class FrameClass) {
	k.whole.frame.tell(&k.capture, k.capture.whole, Class(class), v)
}

// Message implements dissect.Sink.
func (k *Checker) Message(m *dissect.Message) {
	class := classOf(m)
	c := k.spoken(m.Connection, class)
	if c.awaitsMessages != 0 {
		class |= AwaitedMessage
	}
	class |= c.service
	c.order.told(m)
	c.unsettled = true
	c.tables.message.tell(c, c, class, m)
	k.tellNews()
}

// Access implements dissect.AccessSink.
func (k *Checker) Access(a *dissect.Access) {
	c := k.conn(a.Connection)
	if !c.setUp {
		c.settled()
	}
	c.tables.access.tell(c, c, classOfAccess(a), a)
	k.tellNews()
}

// RPC implements dissect.Sink.
func (k *Checker) RPC(r *dissect.RPC) {
	class := classOfRPC(r)
	c := k.spoken(r.Connection, class)
	if r.Reply == nil {
		c.Unanswered[r.Requester]++
	}
	if ns, ok := r.Latency(); ok && ns > int64(k.capture.Config.Unanswered) {
		class |= Slow
	}
	c.tables.rpc.tell(c, c, class, r)
	if len(c.said[r]) > 0 {
		class |= Suspect
	}
	c.tables.judged.tell(c, c, class, r)
	if said, ok := c.said[r]; ok {
		c.outcome(r, said)
		if k.watcher != nil {
			k.watcher.Judged(r, said)
		}
		delete(c.said, r)
	}
	k.tellNews()
}

// Over says that the capture has no more frames. It is to be called before
// Dissector.Flush.
func (k *Checker) Over() { k.capture.Over = true }

// Finish tells the findings of the whole capture, after Dissector.Flush.
func (k *Checker) Finish() {
	k.whole.end.tell(&k.capture, k.capture.whole, 0, nothing{})
	k.tellNews()
	tie(k.capture.whole.book.list)
	k.out(nil, k.capture.whole.book.list)
}
