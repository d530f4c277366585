package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// Across is where the rules look across connections, in one place and in the order of the
// capture. The rules of a connection Post what counts for others; here a rule is told of it
// by OnPosted, and of connections that are over by OnOver.
//
// A Checker may be in other frames, and in another goroutine, by the time it is told. So it
// knows nothing of a connection but what was posted, and what it keeps itself
// (KeptAcross, KeptOfEntry), until the connection is over.
type Across struct {
	rules   []*Rule
	out     Output
	capture Capture // Config and Several only
	posted  []any   // a *table[*Entry, *T] for each T that is posted
	end     table[*Entry, nothing]
	kept    [keepings]any
	whole   Entry // for what is said of the capture and of no connection
	last    Posted
	judged  judgement
	pause   func(do func())
	parts   []*Capture // of its Checkers
}

// An Entry is a connection as Across knows it.
type Entry struct {
	Across *Across
	saying
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
func (e *Entry) Conn() *Conn { return e.over }

// ID is the number of the connection.
func (e *Entry) ID() int { return e.conn.ID }

// Config is that of the rules.
func (e *Entry) Config() *Config { return &e.capture.Config }

// FrameName is what texts call a frame.
func (e *Entry) FrameName(r flow.Ref) string { return e.capture.FrameName(r) }

// NewAcross returns an Across that tells out what its Checkers and it find.
func NewAcross(list []*Rule, config Config, out Output) *Across {
	a := &Across{rules: list, out: out}
	a.capture.Config = config
	a.whole = Entry{Across: a, saying: saying{capture: &a.capture, across: a}}
	compileAcross(list, a, place{})
	return a
}

// KeepRepeats has findings keep so many of the frames in which they were found again. It is to be called
// before Checker.
func (a *Across) KeepRepeats(most int) { a.capture.repeats = most }

// PauseBy has Pause ask another, which has all Checkers stand still while do runs.
func (a *Across) PauseBy(pause func(do func())) { a.pause = pause }

// Pause calls do while no Checker changes anything, so that it may look into what they
// have of connections that are not over. It is for what seldom happens.
func (a *Across) Pause(do func()) {
	if a.pause == nil {
		do()
		return
	}
	a.pause(do)
}

// KeptAcross is what is kept across connections at a place: a T, made when it is first asked
// for. What it keeps must have a bound.
func KeptAcross[T any](a *Across, at Keeping) *T { return kept[T](&a.kept[at]) }

// EachOfCapture calls do for what each Checker keeps of the capture at a place (KeptOfCapture), once
// all of them have seen all of it: in OnCaptureEnd. Which Checker saw what is not to show.
func EachOfCapture[T any](a *Across, at Keeping, do func(*T)) {
	for _, k := range a.parts {
		if t, ok := k.kept[at].(*T); ok {
			do(t)
		}
	}
}

// KeptOfEntry is what Across keeps of a connection at a place: a T, made when it is first
// asked for.
func KeptOfEntry[T any](e *Entry, at Keeping) *T {
	if t := KeptOfEntryIf[T](e, at); t != nil {
		return t
	}
	t := new(T)
	e.kept = append(e.kept, keptAt{at, t})
	return t
}

// KeptOfEntryIf is the same, nil if nothing is kept.
func KeptOfEntryIf[T any](e *Entry, at Keeping) *T {
	for i := range e.kept {
		if k := &e.kept[i]; k.at == at {
			return k.what.(*T)
		}
	}
	return nil
}

// Several says that the frames are of several files. It is to be called before the
// first.
func (a *Across) Several() { a.capture.Several = true }

// Take tells the rules of what was posted. What is of one frame comes behind all of those
// before it, and in the order in which its Checker has it.
func (a *Across) Take(list []Posted) {
	for i := range list {
		a.take(&list[i])
	}
}

func (a *Across) take(p *Posted) {
	a.last = *p
	e := p.entry
	if e == nil {
		e = &a.whole
	}
	e.post, e.newest, e.newestTime = &a.last, p.newest, p.newestTime
	p.what.tell(a, e)
}

// Finish tells the findings of the whole capture, behind the last frame's ordinal; news is
// called before, when they were said.
func (a *Across) Finish(ordinal int64, news func()) { a.finish(turn{frame: ordinal}, news) }

func (a *Across) finish(at turn, news func()) {
	a.last = Posted{at: at}
	a.whole.post = &a.last
	a.end.tell(&a.whole, &a.whole.saying, 0, nothing{})
	news()
	tie(a.whole.list)
	a.out(nil, models(a.whole.list))
}

// A closing is posted before what the rules post of the end of a connection: it is over.
type closing struct{ conn *Conn }

func (x closing) tell(_ *Across, e *Entry) { e.over = x.conn }

// A closed is posted behind that. It puts together what was found.
type closed struct {
	list   []*Finding
	how    finding.Consequence
	follow bool
}

func (x *closed) tell(a *Across, e *Entry) {
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

// A resolved is posted for an RPC that is over of which Across may have said something.
type resolved struct {
	rpc *dissect.RPC // told from others, not looked at
	outcome
}

func (x *resolved) tell(a *Across, e *Entry) {
	said := e.said[x.rpc]
	e.outcome(&x.outcome, said)
	list := a.judge(x.rpc)
	*list = append(*list, said...)
	delete(e.said, x.rpc)
}
