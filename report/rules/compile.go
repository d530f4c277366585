package rules

import "github.com/rdmacap/rdmacap/dissect"

// A compiler makes the tables of a list of rules.
type compiler struct {
	list []*Rule
	as   place // what all their places have
	// speaks is what a connection must speak for a Knowledge to look at it: the least of what
	// the rules ask for that need it, if it is needed.
	speaks [keepings]Protocol
	needed [keepings]bool
	made   [protocols]*tables
}

// compile makes the table of the frames of the capture, and what makes those of connections. For
// each event the rules stand in this order: those that look at AnyProtocol as they are listed,
// then the others as they are listed; a Knowledge stands before the first that needs it.
func compile(list []*Rule, as place) (x *compiler, capture table[*Capture, *dissect.FrameView]) {
	x = &compiler{list: list, as: as}
	for _, r := range list {
		x.need(r.Needs, x.protocolOf(r))
	}
	for _, r := range list {
		for _, e := range r.OnCapture {
			if e.join != nil {
				as.rule = r
				e.join(&capture, as)
			}
		}
	}
	return x, capture
}

// protocolOf is what a connection must speak for a rule to look at it.
func (x *compiler) protocolOf(r *Rule) Protocol {
	if x.as.all {
		return AnyProtocol
	}
	return r.Speaks
}

// need notes that some Knowledge is needed on connections that speak a protocol.
func (x *compiler) need(list []Knowledge, p Protocol) {
	for i := range list {
		k := &list[i]
		if at := k.Keeping; !x.needed[at] || p < x.speaks[at] {
			x.needed[at], x.speaks[at] = true, p
		}
		x.need(k.Needs, p)
	}
}

// speaking are the tables of the connections that speak a protocol, made for the first of them.
func (x *compiler) speaking(p Protocol) *tables {
	if x.made[p] == nil {
		x.made[p] = x.tables(p)
	}
	return x.made[p]
}

func (x *compiler) tables(p Protocol) *tables {
	t, done := new(tables), [keepings]bool{}
	for _, second := range [...]bool{false, true} {
		for _, r := range x.list {
			if r.Speaks > AnyProtocol != second {
				continue
			}
			at := x.as
			x.know(t, p, &done, r.Needs, at)
			if at.speaks, at.rule = x.protocolOf(r), r; at.speaks <= p {
				at.join(t, r.On)
			}
		}
	}
	return t
}

// know adds what is needed of some Knowledge, and not yet there.
func (x *compiler) know(t *tables, p Protocol, done *[keepings]bool, list []Knowledge, at place) {
	for i := range list {
		k := &list[i]
		if done[k.Keeping] {
			continue
		}
		done[k.Keeping] = true
		x.know(t, p, done, k.Needs, at)
		if at.speaks, at.keeping = x.speaks[k.Keeping], k.Keeping; at.speaks <= p {
			at.join(t, k.On)
		}
	}
}

// join adds events to tables.
func (p place) join(t *tables, on []Event) {
	for _, e := range on {
		e.join(t, p)
	}
}

// compileCrossConnection makes the tables of CrossConnection: a Knowledge before the first rule that needs it.
func compileCrossConnection(list []*Rule, a *CrossConnection, as place) {
	a.published, a.end = nil, table[*ConnRef, nothing]{}
	var done [keepings]bool
	join := func(on []Event, r *Rule) {
		for _, e := range on {
			if e.crossConnection != nil {
				as.rule = r
				e.crossConnection(a, as)
			}
		}
	}
	var know func(list []Knowledge)
	know = func(list []Knowledge) {
		for i := range list {
			if k := &list[i]; !done[k.Keeping] {
				done[k.Keeping] = true
				know(k.Needs)
				join(k.On, nil)
			}
		}
	}
	for _, r := range list {
		know(r.Needs)
		join(r.On, r)
		for _, e := range r.OnCapture {
			if e.crossConnection != nil {
				as.rule = r
				e.crossConnection(a, as)
			}
		}
	}
}
