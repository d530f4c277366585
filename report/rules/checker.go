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
	lateOf  Class // what any of the rules that are Late waits for
	size    size
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
		if r.Late {
			k.lateOf |= r.begins()
		}
		if r.WatchCapture != nil {
			k.capture.watch.add(r.WatchCapture(&k.capture, Say{k: &k.capture, rule: r}))
		}
	}
	return k
}

// Several says that the frames are of several files. It is to be called before the
// first.
func (k *Checker) Several() { k.capture.Several = true }

// conn is the rules' view of a connection, made when it is first seen.
func (k *Checker) conn(c *dissect.Connection) *Conn {
	if k.newest != nil && k.newest.Connection == c {
		return k.newest
	}
	v := k.conns[c]
	if v == nil {
		v = &Conn{Connection: c, Capture: &k.capture}
		v.watch.room(&k.size)
		k.conns[c] = v
		k.watch(v)
	}
	k.newest = v
	return v
}

// settled calls the SetUp hooks once, when there is something to look at.
func (c *Conn) settled() {
	if c.setUp || !c.Established && c.Setup != flow.SetupInferred && c.Closing == flow.Open {
		return
	}
	c.setUp = true
	for i := range c.watch.setUp {
		c.watch.setUp[i].do()
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
		for i := range v.watch.setUp {
			v.watch.setUp[i].do()
		}
	}
	for i := range v.watch.end {
		v.watch.end[i].do()
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
	for i := range k.capture.watch.tick {
		k.capture.watch.tick[i].do(k.ticked)
	}
	for _, c := range k.conns {
		for i := range c.watch.tick {
			c.watch.tick[i].do(k.ticked)
		}
	}
}

// Message implements dissect.Sink.
func (k *Checker) Message(m *dissect.Message) {
	class := classOf(m)
	c := k.spoken(m.Connection, class)
	c.order.told(m)
	c.unsettled = true
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
	for i := range k.capture.watch.access {
		k.capture.watch.access[i].do(a)
	}
	for i := range c.watch.access {
		c.watch.access[i].do(a)
	}
	k.tellNews()
}

// RPC implements dissect.Sink.
func (k *Checker) RPC(r *dissect.RPC) {
	class := classOfRPC(r)
	c := k.spoken(r.Connection, class)
	if r.Reply == nil {
		c.Unanswered[r.Requester]++
	}
	c.turn++
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
	k.tellNews()
}

// Over says that the capture has no more frames. It is to be called before
// Dissector.Flush.
func (k *Checker) Over() { k.capture.Over = true }

// Finish tells the findings of the whole capture, after Dissector.Flush.
func (k *Checker) Finish() {
	for i := range k.capture.watch.end {
		k.capture.watch.end[i].do()
	}
	k.tellNews()
	tie(k.capture.book.list)
	k.out(nil, k.capture.book.list)
}
