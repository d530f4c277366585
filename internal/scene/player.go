package scene

import (
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/build"
)

// player plays a text, statement by statement.
type player struct {
	trouble
	spec      *types.Spec
	over      Transport
	conns     []*conn
	names     map[string]*conn
	name      string // of the connection in use
	cur       *conn  // nil before the first
	clock     time.Time
	exchanges map[uint32]*exchange
	// result is the Send of the statement, before the Send of an earlier one,
	// first the index of the first frame of the statement.
	result, before *sent
	first          int
	wants          []*Want
	only           *build.Direction
	snap           int
}

// A statement is a line and the indented ones below it.
type statement struct {
	line    line
	options []line
}

func statements(lines []line) (list []statement, err error) {
	for _, l := range lines {
		switch {
		case !l.indented:
			list = append(list, statement{line: l})
		case len(list) == 0:
			return nil, &Error{l.number, "an indented line belongs to the statement above, and there is none"}
		default:
			s := &list[len(list)-1]
			s.options = append(s.options, l)
		}
	}
	return list, nil
}

func newPlayer(over Transport) (*player, error) {
	spec, err := nfs.Spec()
	if err != nil {
		return nil, err
	}
	return &player{spec: spec, over: over, names: make(map[string]*conn), exchanges: make(map[uint32]*exchange),
		name: "A", clock: time.Date(2024, 2, 29, 12, 0, 0, 0, time.UTC)}, nil
}

// play plays one statement.
func (p *player) play(s statement) {
	c := p.cursor(s.line)
	name := c.word("a statement")
	if p.err != nil {
		return
	}
	if p.cur != nil {
		p.enter(p.cur)
	}
	p.first = 0
	if p.result = nil; p.cur != nil {
		p.first = len(p.cur.frames())
	}
	var own, after []*cursor
	for _, l := range s.options {
		o := p.cursor(l)
		if o.peek().kind == word && slices.Contains(afterwards(), o.peek().text) {
			after = append(after, o)
		} else {
			own = append(own, o)
		}
	}
	switch {
	case p.whole(c, name):
		p.noOptions(name, own)
	case !p.setup(c, name, own):
		p.begun()
		p.act(c, name, own)
	}
	if c.expectEnd(); p.err != nil {
		return
	}
	for _, o := range after {
		p.afterwards(o)
		o.expectEnd()
	}
	if p.result != nil {
		p.before = p.result
	}
	if p.cur != nil {
		p.clock = p.cur.wire().Now()
	}
}

// begun makes a connection that nobody set up: the capture began late.
func (p *player) begun() {
	if p.cur == nil {
		p.beginConnection(p.name, &setup{})
	}
}

// enter goes on with a connection, whose clock stood still meanwhile.
func (p *player) enter(c *conn) {
	p.cur = c
	if d := p.clock.Sub(c.wire().Now()); d > 0 {
		c.wire().Wait(d)
	}
}

// whole plays a statement about the whole capture.
func (p *player) whole(c *cursor, name string) bool {
	switch name {
	case "only":
		d := c.direction()
		p.only = &d
	case "snap":
		p.snap = c.count("a number of bytes")
	case "want":
		p.want(c, nil)
	default:
		return false
	}
	return true
}

func (p *player) noOptions(name string, options []*cursor) {
	for _, o := range options {
		o.fail("%s has no option %s", name, o.peek())
	}
}

// act plays a statement that makes frames.
func (p *player) act(c *cursor, name string, options []*cursor) {
	switch name {
	case "call":
		p.callStatement(c, options, build.ToServer)
		return
	case "callback":
		p.callStatement(c, options, build.ToClient)
		return
	case "reply":
		p.replyStatement(c, options)
		return
	case "error":
		p.errorStatement(c, options)
		return
	case "optional":
		p.optionalStatement(c, options)
		return
	case "send":
		p.sendStatement(c, options)
		return
	case "rdma":
		p.rdma(c, options)
		return
	}
	p.noOptions(name, options)
	if !p.transport(c, name) && !p.byRoCE(c, name) && !p.byIWARP(c, name) {
		c.fail("%s is no statement", name)
	}
}
