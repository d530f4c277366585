package rules

import (
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A Checker is a dissect.Sink, and a dissect.AccessSink, that asks the rules about
// connections. Its memory is bounded by what is in flight: of a connection that is over
// it keeps nothing.
type Checker struct {
	rules           []*Rule
	tables          *compiler // by what a connection was seen to speak
	frames          table[*Capture, *dissect.FrameView]
	crossConnection *CrossConnection
	capture         Capture
	opcodes         opcodeClasses
	watcher         Watcher
	apart           func(list []NewFinding)             // see WatchApart, nil if it is not
	onChecked       func(j CheckedRPC, said []Reported) // see WatchApart
	limitations     *limitationLog
	clock           dissect.Clock
	led             bool // somebody else counts frames, and has the clock
	// every is how many frames pass before CrossConnection is told, for tests: 0 for none, less
	// if it is told at the end of all.
	every, passed int
}

// Output takes the findings of a connection that is over, in the order in which
// they were reported, tied to their causes. Of those of the whole capture, which come
// last, c is nil.
type Output func(c *dissect.Connection, findings []*finding.Finding)

// NewChecker returns a Checker that asks the rules and emits what they find.
func NewChecker(list []*Rule, config Config, out Output) *Checker {
	return NewCrossConnection(list, config, out).Checker()
}

// Checker returns one that posts to a.
func (a *CrossConnection) Checker() *Checker {
	k := &Checker{rules: a.rules, crossConnection: a, opcodes: newOpcodeClasses()}
	k.capture.Config, k.capture.repeats, k.capture.crossConnection, k.capture.immediate = a.capture.Config, a.capture.repeats, a, true
	k.tables, k.frames = compile(a.rules, place{})
	a.captures = append(a.captures, &k.capture)
	return k
}

// IgnoreNeeds has all rules called for every event, from the first frame of each
// connection on, as tests do that hold that nothing is missed for the sake of speed. It is
// to be called before the first event.
func (k *Checker) IgnoreNeeds() {
	k.capture.waiting.always = true
	k.tables, k.frames = compile(k.rules, place{all: true})
}

// Delay has CrossConnection told what was published only every n frames, or if n is less than 0 when
// the capture has no more, as tests do that hold that nothing there is asked of a connection
// that goes on. It is to be called before the first event.
func (k *Checker) Delay(n int) { k.every, k.capture.immediate = n, false }

// Several says that the frames are of several files. It is to be called before the
// first.
func (k *Checker) Several() { k.capture.Several, k.crossConnection.capture.Several = true, true }

// At says at which frame of the capture the Checker is from now on, for one that sees some
// only: its ordinal, and the newest time before it, in nanoseconds since 1970. It is to
// be called before all that the frame brings, and before connections that are closed without
// one; who calls it calls Tick too.
func (k *Checker) At(ordinal, now int64) {
	k.led, k.capture.immediate = true, false
	k.capture.turn = turn{frame: ordinal}
	k.capture.Now = max(k.capture.Now, now)
}

// Tick says that time went by: a dissect.Clock was due, now that the newest frame of the
// capture is of a time.
func (k *Checker) Tick(now int64) {
	k.capture.Now = max(k.capture.Now, now)
	k.capture.waiting.tick(now)
}

// Idle is Tick after a frame, or while none comes: what is reported then is handed on at once. It is so late for as long as
// no frame comes: one may come that was captured before and kept back on its way.
func (k *Checker) Idle(now int64) {
	newest := k.capture.Now
	k.Tick(now)
	k.done()
	k.capture.Now = newest
}

// done ends an event: CrossConnection and the Watcher receive it, if there is anything to tell.
func (k *Checker) done() {
	if len(k.capture.publications)+len(k.capture.newFindings) > 0 {
		k.deliverNow()
		k.emitNewFindings()
	}
}

// deliverNow gives CrossConnection what the event published, unless it is told later.
func (k *Checker) deliverNow() {
	if len(k.capture.publications) > 0 && k.capture.immediate {
		k.deliver()
	}
}

// HasPublications reports whether Posted has anything to append.
func (k *Checker) HasPublications() bool { return len(k.capture.publications) > 0 }

// Publications appends what was published since it was asked last to dst, for CrossConnection.TakePublications.
func (k *Checker) Publications(dst []Publication) []Publication {
	dst = append(dst, k.capture.publications...)
	clear(k.capture.publications)
	k.capture.publications, k.capture.used = k.capture.publications[:0], k.capture.used[:0]
	return dst
}

// deliver gives CrossConnection what was published.
func (k *Checker) deliver() {
	list := k.capture.publications
	k.crossConnection.TakePublications(list)
	clear(list)
	k.capture.publications = list[:0]
	for _, p := range k.capture.used {
		p.reuse()
	}
	k.capture.used = k.capture.used[:0]
}

// conn is the rules' view of a connection, made when it is first seen.
func (k *Checker) conn(c *dissect.Connection) *Conn {
	if v, ok := c.User.(*Conn); ok {
		return v
	}
	return k.newConn(c)
}

// newConn makes the rules' view of a connection.
func (k *Checker) newConn(c *dissect.Connection) *Conn {
	v := newConn(&k.capture, c, k.tables.speaking(AnyProtocol))
	v.limitations = k.limitations
	c.User = v
	if k.capture.waiting.always {
		v.Remind()
	}
	v.tables.begin.since(-1, v, &v.reportState, nothing{})
	return v
}

// spoken is the rules' view of a connection of which a message or an RPC of a class is
// told.
func (k *Checker) spoken(d *dissect.Connection, class Class) *Conn {
	c := k.conn(d)
	if p := spokenIn(class); p > c.speaks {
		c.service = classOfService(c.TransportService())
		after := int(c.speaks)
		c.speaks, c.tables = p, k.tables.speaking(p)
		c.tables.begin.since(after, c, &c.reportState, nothing{})
	}
	if !c.setUp {
		c.checkSetUp()
	}
	return c
}

// checkSetUp calls OnSetUp once, when there is something to look at.
func (c *Conn) checkSetUp() {
	if c.setUp || !c.Established && c.Setup != flow.SetupInferred && c.Closing == flow.Open {
		return
	}
	c.emitSetUp()
}

func (c *Conn) emitSetUp() {
	c.setUp = true
	c.tables.setUp.emit(c, &c.reportState, 0, nothing{})
}

// Connection implements dissect.Sink.
func (k *Checker) Connection(c *dissect.Connection, final bool) {
	v := k.conn(c)
	v.checkSetUp()
	if !final {
		k.done()
		return
	}
	if !v.setUp {
		v.emitSetUp()
	}
	v.publish(connOver{v})
	v.tables.end.emit(v, &v.reportState, 0, nothing{})
	end := &connFindings{list: v.list}
	if end.how, end.follow = v.ending(); end.follow {
		v.ended(end.how)
	}
	c.User = nil
	k.capture.waiting.forget(v)
	k.done()
	v.publish(end)
	k.deliverNow()
}

// Frame implements dissect.Sink.
func (k *Checker) Frame(v *dissect.FrameView) {
	k.capture.Now = max(k.capture.Now, v.Frame.Time)
	class := k.opcodes.classOf(v)
	if v.Connection == nil {
		k.frames.emit(&k.capture, nil, Class(class|Unconnected), v)
	} else {
		k.conn(v.Connection).frame(k, v, class)
	}
	if k.led {
		k.done()
		return
	}
	if k.clock.Due(k.capture.Now) {
		k.Tick(k.capture.Now)
	}
	k.done()
	k.capture.turn = turn{frame: k.capture.turn.frame + 1}
	if k.passed++; k.every > 0 && k.passed%k.every == 0 {
		k.deliver()
	}
}

// frame takes a frame of the connection.
func (c *Conn) frame(k *Checker, v *dissect.FrameView, class FrameClass) {
	class = c.class(v, class)
	if k.frames.needs(Class(class)) {
		k.frames.emit(&k.capture, nil, Class(class), v)
	}
	if !c.setUp {
		c.checkSetUp()
	}
	c.tables.frame.emit(c, &c.reportState, Class(class), v)
	c.lastSeen[v.Verdict.From&1].note(v, class)
	if class&Refusing != 0 {
		c.refused(v)
	}
}

// Message implements dissect.Sink.
func (k *Checker) Message(m *dissect.Message) {
	class := classOf(m)
	c := k.spoken(m.Connection, class)
	class |= c.service | c.awaited()
	c.order.note(m)
	c.unsettled = true
	c.tables.message.emit(c, &c.reportState, class, m)
	k.done()
}

// Access implements dissect.AccessSink.
func (k *Checker) Access(a *dissect.Access) {
	c := k.conn(a.Connection)
	if !c.setUp {
		c.checkSetUp()
	}
	c.tables.access.emit(c, &c.reportState, classOfAccess(a), a)
	k.done()
}

// RPC implements dissect.Sink.
func (k *Checker) RPC(r *dissect.RPC) {
	class := classOfRPC(r)
	c := k.spoken(r.Connection, class)
	if r.Unreplied() {
		c.Unanswered[r.Requester]++
	}
	if ns, ok := r.Latency(); ok && ns > k.capture.Config.longLimit() {
		class |= Long
	}
	if ns, ok := r.Latency(); ok && ns > int64(k.capture.Config.Unanswered) {
		class |= Slow
	}
	c.tables.rpc.emit(c, &c.reportState, class|c.awaited(), r)
	if len(c.reported[r]) > 0 {
		class |= Suspect
	}
	c.tables.checkedRPC.emit(c, &c.reportState, class, r)
	said, ok := c.reported[r]
	if ok {
		c.resolve(r, said)
	}
	if _, ok := c.mentioned[r]; ok {
		delete(c.mentioned, r)
		k.capture.abouts++
		c.publish(&rpcOver{r, outcomeOf(r)})
	}
	k.deliverNow()
	if posted := k.HasPublications(); k.onChecked != nil && (posted || len(said) > 0) {
		var j CheckedRPC
		if posted {
			j = CheckedRPC{r, c.ref, k.capture.turn.frame}
		}
		k.onChecked(j, said)
	}
	if k.watcher != nil {
		if said = append(said, k.crossConnection.checkedOf(c.ref, r, k.capture.turn.frame)...); len(said) > 0 {
			k.watcher.RPCChecked(r, said)
		}
	}
	k.emitNewFindings()
}

// Over says that the capture has no more frames. It is to be called before
// Dissector.Flush.
func (k *Checker) Over() { k.capture.Over = true }

// Finish reports the findings of the whole capture, after Dissector.Flush.
func (k *Checker) Finish() {
	k.deliver()
	k.crossConnection.finish(k.capture.next(), k.emitNewFindings)
}
