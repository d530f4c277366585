package finding

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A Verdict gathers what is to be reported first of all connections together: what was at the
// root, how large it is and what it cost. What it keeps does not grow with the capture.
type Verdict struct {
	// Several says that the frames are of several files.
	Several bool

	networks map[hosts]*network
	cases    map[caseKey]*oneCase
	more     bool // there were more hosts or cases than it keeps
}

// What a Verdict keeps at most: hosts that lost frames, and cases of rules by hosts.
const (
	mostNetworks = 256
	mostCases    = 1024
)

// hosts are the two of a connection.
type hosts struct{ client, server link.Addr }

// A caseKey is what findings have in common that are one case: rule and letter, severity, the
// end at fault, and the hosts.
type caseKey struct {
	rowKey
	fault fault
	hosts
}

// oneCase is findings that are the same, on connections between the same hosts.
type oneCase struct {
	caseKey
	rule        *Rule
	tier        tier
	message     string // of the worst
	advice      string
	call        string // of the one that took longest, with its XID
	xid         uint32
	took        int64
	resent      int64 // of took
	served      int64 // of took
	first       flow.Moment
	last        int64 // when it was found last
	count       int64
	connections int64
	connection  int // the last
	certain     bool
	explained   bool // by another finding of its connection, each time
	onPath      bool // it reports the path
	usual       bool // Linux peers have such a note
}

// Add adds the findings of a connection that is over, those at the root with what they
// explain below them; of the whole capture c is nil.
func (v *Verdict) Add(c *dissect.Connection, roots []*Finding) {
	if v.cases == nil {
		v.networks, v.cases = make(map[hosts]*network), make(map[caseKey]*oneCase)
	}
	var between hosts
	if c != nil {
		between = hosts{c.Client().Addr, c.Server().Addr}
	}
	var path *Path
	Walk(roots, func(f *Finding) {
		if f.Path != nil {
			path = f.Path
		}
		v.addFinding(c, between, f)
	})
	if path == nil || c == nil {
		return
	}
	n := v.networks[between]
	if n == nil {
		if len(v.networks) == mostNetworks {
			v.more = true
			return
		}
		n = &network{hosts: between}
		v.networks[between] = n
	}
	n.join(c, path)
}

// addFinding adds a finding to its case.
func (v *Verdict) addFinding(c *dissect.Connection, between hosts, f *Finding) {
	key := caseKey{rowKeyOf(f), neither, between}
	if c != nil && f.HasFrom {
		key.fault = faultOf(c, f.From)
	}
	x := v.cases[key]
	if x == nil {
		if len(v.cases) == mostCases {
			v.more = true
			return
		}
		x = &oneCase{caseKey: key, rule: f.Rule, first: f.Start(), explained: true}
		x.tier, x.usual = tierOf(f.Rule, f.ID(), f.Severity), f.Usual()
		v.cases[key] = x
	}
	if c != nil && c.ID != x.connection {
		x.connection = c.ID
		x.connections++
	}
	if x.message == "" || f.Took > x.took {
		x.message, x.advice = f.Message, f.WhatToDo()
		x.call, x.xid, x.took, x.resent, x.served = f.Call, f.XID, f.Took, f.Resent, f.Served
	}
	if at := f.Start(); at.Time != 0 && at.Time < x.first.Time {
		x.first = at
	}
	x.last = max(x.last, f.LastTime)
	x.count += f.Count
	x.certain = x.certain || f.Doubt == ""
	x.explained = x.explained && f.Cause != nil
	x.onPath = x.onPath || f.Path != nil
}

// A fault is who is at fault.
type fault uint8

const (
	neither fault = iota // nobody in particular
	client
	server
)

// faultOf is the side of an end.
func faultOf(c *dissect.Connection, e flow.End) fault {
	if c.ToServer(e) {
		return client
	}
	return server
}

// A cause is something that a verdict names.
type cause struct {
	weight  int
	took    int64 // what it cost a call, at most
	time    int64 // when it showed first
	network *network
	restart *restart
	one     *oneCase
}

// causes are what is at the root, what hurts most first.
func (v *Verdict) causes() (list []cause) {
	networks := v.merged()
	all := make([]*oneCase, 0, len(v.cases))
	for _, x := range v.cases {
		all = append(all, x)
	}
	slices.SortFunc(all, func(a, b *oneCase) int {
		return cmp.Or(cmp.Compare(a.first.Time, b.first.Time), a.first.Ref.Compare(b.first.Ref), cmp.Compare(a.id, b.id), cmp.Compare(a.severity, b.severity), cmp.Compare(a.status, b.status),
			cmp.Compare(a.fault, b.fault), cmp.Compare(a.client.String(), b.client.String()), cmp.Compare(a.server.String(), b.server.String()))
	})
	var left []*oneCase
	for _, x := range all {
		if !slices.ContainsFunc(networks, func(n *network) bool { return n.explains(x) }) && !x.explained {
			left = append(left, x)
		}
	}
	for _, n := range networks {
		list = append(list, cause{weight: n.weight(), took: n.slowest.took, time: n.first(), network: n})
	}
	again, left := restarts(left)
	for _, r := range again {
		list = append(list, cause{weight: r.weight(), time: r.cases[0].first.Time, restart: r})
	}
	for _, x := range mergeCases(left) {
		list = append(list, cause{weight: x.weight(), took: x.took, time: x.first.Time, one: x})
	}
	slices.SortFunc(list, func(a, b cause) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(b.took, a.took), cmp.Compare(a.time, b.time), cmp.Compare(a.name(), b.name()))
	})
	return list
}

func (c *cause) name() string {
	switch {
	case c.one != nil:
		return c.one.id
	case c.restart != nil:
		return c.restart.server.String()
	}
	return c.network.client.String() + c.network.server.String()
}

// mergeCases makes one of cases that differ in their hosts only, in their order.
func mergeCases(list []*oneCase) (merged []*oneCase) {
	type common struct {
		rowKey
		fault
	}
	of := make(map[common]*oneCase)
	for _, x := range list {
		key := common{x.rowKey, x.fault}
		all := of[key]
		if all == nil {
			one := *x
			of[key] = &one
			merged = append(merged, &one)
			continue
		}
		all.count += x.count
		all.connections += x.connections
		all.certain = all.certain || x.certain
		all.last = max(all.last, x.last)
		if x.took > all.took {
			all.message, all.advice, all.call, all.xid, all.took = x.message, x.advice, x.call, x.xid, x.took
		}
	}
	return merged
}

// weight is how much a case hurts.
func (x *oneCase) weight() int {
	w := 2 * rankOf(x.severity, x.tier)
	if x.certain {
		w++
	}
	return w
}
