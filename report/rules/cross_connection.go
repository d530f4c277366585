package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// CrossConnection is where rules look across connections, in one place and in the order of the
// capture. The rules of a connection publish what matters for others; here a rule receives it
// by OnPublished, and connections that are over by OnOver.
//
// By then the Checker may be at later frames, in another goroutine. So until a connection is over,
// a rule knows nothing of it here but what was published, and what the rule keeps itself
// (CrossSlot, RefSlot).
type CrossConnection struct {
	rules      []*Rule
	out        Output
	capture    Capture // Config and Several only
	published  []any   // a *table[*Entry, *T] for each T that is published
	end        table[*ConnRef, nothing]
	kept       [keepings]any
	captureRef ConnRef // for what is reported of the capture and of no connection
	last       Publication
	checked    judgement
	pause      func(do func())
	captures   []*Capture // of its Checkers
}

// A ConnRef is a connection as CrossConnection knows it.
type ConnRef struct {
	CrossConnection *CrossConnection
	reportState
	over *Conn
	kept []keptAt // few
}

// A keptAt is what is kept at a place.
type keptAt struct {
	at   Keeping
	what any
}

// Conn is the connection with all that its rules keep, once it is over; nil before: until
// then it changes. What it only asks others may never be asked here: its Capture, but for
// the Config, and so EndGuard; and its Tracker, which has forgotten it, and so Gap, LostSince
// and Whole.
func (e *ConnRef) Conn() *Conn { return e.over }

// ID is the number of the connection.
func (e *ConnRef) ID() int { return e.conn.ID }

// Config is that of the rules.
func (e *ConnRef) Config() *Config { return &e.capture.Config }

// FrameName is what texts call a frame.
func (e *ConnRef) FrameName(r flow.Ref) string { return e.capture.FrameName(r) }

// NewCrossConnection returns a CrossConnection that emits what its Checkers and it find.
func NewCrossConnection(list []*Rule, config Config, out Output) *CrossConnection {
	a := &CrossConnection{rules: list, out: out}
	a.capture.Config = config
	a.captureRef = ConnRef{CrossConnection: a, reportState: reportState{capture: &a.capture, crossConnection: a}}
	compileCrossConnection(list, a, place{})
	return a
}

// KeepRepeats has findings keep so many of the frames in which they were found again. It is to be called
// before Checker.
func (a *CrossConnection) KeepRepeats(most int) { a.capture.repeats = most }

// PauseBy has Pause ask another, which has all Checkers stand still while do runs.
func (a *CrossConnection) PauseBy(pause func(do func())) { a.pause = pause }

// Pause calls do while no Checker changes anything, so that it may look into what they
// have of connections that are not over. It is for what seldom happens.
func (a *CrossConnection) Pause(do func()) {
	if a.pause == nil {
		do()
		return
	}
	a.pause(do)
}

// Several says that the frames are of several files. It is to be called before the
// first.
func (a *CrossConnection) Several() { a.capture.Several = true }

// TakePublications delivers what was published to the rules. It is called in the order of the frames;
// publications of one frame are in the order in which its Checker made them.
func (a *CrossConnection) TakePublications(list []Publication) {
	for i := range list {
		a.deliver(&list[i])
	}
}

func (a *CrossConnection) deliver(p *Publication) {
	a.last = *p
	e := p.ref
	if e == nil {
		e = &a.captureRef
	}
	e.publication, e.newest, e.newestTime = &a.last, p.newest, p.newestTime
	p.what.deliver(a, e)
}

// Finish emits the findings of the whole capture, after the last frame's ordinal; news is
// called before that, once the rules have reported them.
func (a *CrossConnection) Finish(ordinal int64, news func()) { a.finish(turn{frame: ordinal}, news) }

func (a *CrossConnection) finish(at turn, news func()) {
	a.last = Publication{at: at}
	a.captureRef.publication = &a.last
	a.end.emit(&a.captureRef, &a.captureRef.reportState, 0, nothing{})
	news()
	tie(a.captureRef.list)
	a.out(nil, models(a.captureRef.list))
}

// A connOver is published before what the rules publish of the end of a connection: it is over.
type connOver struct{ conn *Conn }

func (x connOver) deliver(_ *CrossConnection, e *ConnRef) { e.over = x.conn }

// A connFindings is published after that. It puts together what was found.
type connFindings struct {
	list   []*Finding
	how    finding.Consequence
	follow bool
}

func (x *connFindings) deliver(a *CrossConnection, e *ConnRef) {
	if x.follow {
		e.ended(x.how)
	}
	list := x.list
	if len(e.list) > 0 {
		list = append(list, e.list...)
		slices.SortStableFunc(list, func(f, g *Finding) int { return f.turn.compare(g.turn) })
	}
	tie(list)
	a.out(e.conn, models(list))
}

// An rpcOver is published for an RPC that is over of which CrossConnection may have reported something.
type rpcOver struct {
	rpc *dissect.RPC // distinguished from others, not looked at
	outcome
}

func (x *rpcOver) deliver(a *CrossConnection, e *ConnRef) {
	said := e.reported[x.rpc]
	e.outcome(&x.outcome, said)
	list := a.checkedList(x.rpc)
	*list = append(*list, said...)
	delete(e.reported, x.rpc)
}
