package rules

import (
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A Checker is a dissect.Sink, and a dissect.AccessSink, that asks the rules. Its
// memory is bounded by what is in flight: of a connection that is over it keeps
// nothing.
type Checker struct {
	rules   []*Rule
	out     Output
	capture Capture
	conns   map[*dissect.Connection]*Conn
	newest  *Conn // the one that was asked for last
	ticked  int64
	opcodes opcodeClasses
	watcher Watcher
}

// Output takes the findings of a connection that is over, in the order in which
// they were said, tied to their causes. Of those of the whole capture, which come
// last, c is nil.
type Output func(c *dissect.Connection, findings []*Finding)

// NewChecker returns a Checker that asks the rules and tells out what they find.
func NewChecker(list []*Rule, config Config, out Output) *Checker {
	k := &Checker{rules: list, out: out, conns: make(map[*dissect.Connection]*Conn), opcodes: newOpcodeClasses()}
	k.capture.Config = config
	for _, r := range list {
		if r.WatchCapture != nil {
			k.capture.watch.add(r.WatchCapture(&k.capture, Say{k: &k.capture, rule: r}))
		}
	}
	return k
}

// conn is the rules' view of a connection, made when it is first seen.
func (k *Checker) conn(c *dissect.Connection) *Conn {
	if k.newest != nil && k.newest.Connection == c {
		return k.newest
	}
	v := k.conns[c]
	if v == nil {
		v = &Conn{Connection: c, Capture: &k.capture, watch: newWatchers(len(k.rules))}
		k.conns[c] = v
		k.watch(v, false)
	}
	k.newest = v
	return v
}

// watch has the rules look at a connection, those that are Late or the others.
func (k *Checker) watch(c *Conn, late bool) {
	c.late = late
	for _, r := range k.rules {
		if r.Watch != nil && r.Late == late {
			c.watch.add(r.Watch(c, Say{c: c, k: &k.capture, rule: r}))
		}
	}
}

// spoken is the rules' view of a connection of which a message or an RPC is told.
func (k *Checker) spoken(d *dissect.Connection) *Conn {
	c := k.conn(d)
	if !c.late {
		k.watch(c, true)
	}
	if !c.setUp {
		c.settled()
	}
	return c
}

// settled calls the SetUp hooks once, when there is something to look at.
func (c *Conn) settled() {
	if c.setUp || !c.Established && c.Setup != flow.SetupInferred && c.Closing == flow.Open {
		return
	}
	c.setUp = true
	for _, f := range c.watch.setUp {
		f()
	}
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
		v.setUp = true
		for _, f := range v.watch.setUp {
			f()
		}
	}
	for _, f := range v.watch.end {
		f()
	}
	v.ended()
	delete(k.conns, c)
	k.newest = nil
	k.tellNews()
	tie(v.book.list)
	k.out(c, v.book.list)
}

// Frame implements dissect.Sink.
func (k *Checker) Frame(v *dissect.FrameView) {
	if v.Frame.Time > k.capture.Now {
		k.capture.Now = v.Frame.Time
	}
	k.capture.Ref = Ref(v)
	class := k.opcodes.of(v)
	if v.Connection == nil {
		k.capture.watch.frame.tell(Class(class|Unconnected), v)
	} else {
		k.conn(v.Connection).frame(k, v, class)
	}
	if k.capture.Now-k.ticked >= int64(time.Second) {
		k.tick()
	}
	k.tellNews()
}

// frame takes a frame of the connection.
func (c *Conn) frame(k *Checker, v *dissect.FrameView, class FrameClass) {
	class = c.class(v, class)
	k.capture.watch.frame.tell(Class(class), v)
	if !c.setUp {
		c.settled()
	}
	c.watch.frame.tell(Class(class), v)
	c.heard[v.Verdict.From&1].note(v, class)
	if class&Refusing != 0 {
		c.refused(v)
	}
}

// tick lets the rules see that time went by.
func (k *Checker) tick() {
	first := k.ticked == 0
	k.ticked = k.capture.Now
	if first {
		return
	}
	for _, f := range k.capture.watch.tick {
		f(k.ticked)
	}
	for _, c := range k.conns {
		for _, f := range c.watch.tick {
			f(k.ticked)
		}
	}
}

// Message implements dissect.Sink.
func (k *Checker) Message(m *dissect.Message) {
	c := k.spoken(m.Connection)
	c.order.told(m)
	c.unsettled = true
	class := classOf(m)
	if c.awaiting > 0 {
		class |= Awaited
	}
	k.capture.watch.message.tell(class, m)
	c.watch.message.tell(class, m)
	k.tellNews()
}

// Access implements dissect.AccessSink.
func (k *Checker) Access(a *dissect.Access) {
	c := k.conn(a.Connection)
	if !c.setUp {
		c.settled()
	}
	for _, f := range k.capture.watch.access {
		f(a)
	}
	for _, f := range c.watch.access {
		f(a)
	}
	k.tellNews()
}

// RPC implements dissect.Sink.
func (k *Checker) RPC(r *dissect.RPC) {
	c := k.spoken(r.Connection)
	if r.Reply == nil {
		c.Unanswered[r.Requester]++
	}
	c.turn++
	class := classOfRPC(r)
	if ns, ok := r.Latency(); ok && ns > int64(k.capture.Config.Unanswered) {
		class |= Slow
	}
	if c.awaiting > 0 {
		class |= Awaited
	}
	k.capture.watch.rpc.tell(class, r)
	c.watch.rpc.tell(class, r)
	if len(c.said[r]) > 0 {
		class |= Suspect
	}
	c.watch.judged.tell(class, r)
	if said, ok := c.said[r]; ok {
		c.outcome(r, said)
		if k.watcher != nil {
			k.watcher.Judged(r, said)
		}
		delete(c.said, r)
	}
	if r.Reply == nil {
		c.left.add(r)
	}
	k.tellNews()
}

// Over says that the capture has no more frames. It is to be called before
// Dissector.Flush.
func (k *Checker) Over() { k.capture.Over = true }

// Finish tells the findings of the whole capture, after Dissector.Flush.
func (k *Checker) Finish() {
	for _, f := range k.capture.watch.end {
		f()
	}
	k.tellNews()
	tie(k.capture.book.list)
	k.out(nil, k.capture.book.list)
}
