package finding

import (
	"cmp"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A network is what lies between two hosts, as all their connections show it, and what it
// cost.
type network struct {
	hosts
	clients     int // more than one if several clients of the server share it
	connections int64
	ways        [2]Way // to the server, and to the client
	frames      int64  // captured of these connections
	mtu         int
	iwarp       bool

	slow       int64    // slow calls
	slowest    *oneCase // the slowest, never nil
	repeats    int64    // frames sent again on connections where not all of them had arrived
	unanswered int64    // calls that were never answered
	broken     int64    // connections that ended meanwhile
	worst      Severity
}

const toServer, toClient = 0, 1

// join adds the path of a connection.
func (n *network) join(c *dissect.Connection, p *Path) {
	n.connections++
	n.clients = 1
	n.frames += c.Frames
	n.mtu = max(n.mtu, c.PathMTU)
	n.iwarp = n.iwarp || c.IWARP()
	if a, b := &p.Ways[0], &p.Ways[1]; !a.needless() || !b.needless() {
		n.repeats += a.Again + b.Again
	}
	for e := range p.Ways {
		to := toClient
		if c.ToServer(flow.End(e)) {
			to = toServer
		}
		if lost := n.ways[to].Behind > 0 && p.Ways[e].Behind > 0; lost && c.Established && c.FirstTime > n.first() {
			n.ways[to].SmallPassed++ // the setup came through between losses
		}
		joinWay(&n.ways[to], &p.Ways[e])
	}
}

func joinWay(w, o *Way) {
	if o.Smallest > 0 && (w.Smallest == 0 || o.Smallest < w.Smallest) {
		w.Smallest = o.Smallest
	}
	w.Before, w.Behind, w.Unsure = w.Before+o.Before, w.Behind+o.Behind, w.Unsure+o.Unsure
	w.Largest = max(w.Largest, o.Largest)
	w.Overtaken, w.Changed = w.Overtaken+o.Overtaken, w.Changed+o.Changed
	w.SmallPassed, w.LargePassed = w.SmallPassed+o.SmallPassed, w.LargePassed+o.LargePassed
	w.Late += o.Late
	w.Copies += o.Copies
	w.Slowest = max(w.Slowest, o.Slowest)
	w.Again += o.Again
	w.TimeOuts += o.TimeOuts
	w.Longest = max(w.Longest, o.Longest)
	if o.Outage > w.Outage {
		w.Outage, w.Tries, w.Unanswered = o.Outage, o.Tries, o.Unanswered
	}
	if o.First.Time != 0 && (w.First.Time == 0 || o.First.Time < w.First.Time) {
		w.First = o.First
	}
	if o.Last.Time > w.Last.Time {
		w.Last = o.Last
	}
}

// merged are the networks that lost or delayed anything: those of one server as one.
func (v *Verdict) merged() (list []*network) {
	all := make([]*network, 0, len(v.networks))
	for _, n := range v.networks {
		if n.guilty() || n.needless() {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(a, b *network) int { return cmp.Compare(a.first(), b.first()) })
	for _, n := range all {
		i := slices.IndexFunc(list, func(m *network) bool { return m.server == n.server && m.guilty() == n.guilty() })
		if i < 0 {
			one := *n
			one.slowest = new(oneCase)
			list = append(list, &one)
			continue
		}
		m := list[i]
		m.clients++
		m.connections += n.connections
		m.frames += n.frames
		m.repeats += n.repeats
		m.mtu = max(m.mtu, n.mtu)
		for to := range m.ways {
			joinWay(&m.ways[to], &n.ways[to])
		}
	}
	return list
}

// slowPath is the least time that an acknowledgement takes on a path that is called slow.
const slowPath = 100e6

// longOutage is for how long nothing answers before that is rather a link or a host that is down than a frame that was
// lost: several time-outs.
const longOutage = 3e9

// needless reports whether all that was retransmitted had arrived, or was retransmitted before
// anybody could have missed it, or answers what was.
func (n *network) needless() bool {
	if n.ways[0].Copies+n.ways[1].Copies > 0 && !n.guilty() {
		return true
	}
	again := int64(0)
	for i := range n.ways {
		w := &n.ways[i]
		if !w.needless() {
			return false
		}
		again += w.Again
	}
	return again > 0
}

// guilty reports whether anything was lost, overtaken or very late. What was retransmitted
// too soon, and cost nobody anything, is no fault of the network.
func (n *network) guilty() bool {
	for to := range n.ways {
		if _, ok := n.kind(to); ok || n.ways[to].Changed > 0 {
			return true
		}
	}
	return false
}

// first is when the first of it showed, last the last, in nanoseconds since 1970.
func (n *network) first() int64 {
	a, b := n.ways[0].First.Time, n.ways[1].First.Time
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}

func (n *network) last() int64 { return max(n.ways[0].Last.Time, n.ways[1].Last.Time) }

// timeOuts is how often somebody waited in vain.
func (n *network) timeOuts() int64 { return n.ways[0].TimeOuts + n.ways[1].TimeOuts }

func (n *network) outage() int64 { return max(n.ways[0].Outage, n.ways[1].Outage) }

// about is how long after a loss its effects may show, in nanoseconds: as long as peers try
// again before they give up a connection.
const about = 30e9

// explains reports whether the network explains a case, which it then counts as its effect.
func (n *network) explains(x *oneCase) bool {
	if x.server != n.server || x.client != n.client && n.clients < 2 {
		return false
	}
	if !n.guilty() {
		return x.onPath || x.id == "TRANS-016"
	}
	near := x.last >= n.first()-n.outage()-1e9 && x.first.Time <= n.last()+about
	switch {
	case x.onPath || x.id == "TRANS-016" || x.id == "TRANS-017":
	case n.changed() && near && (!x.certain || x.id == "SEC-006"):
		return true // what was changed may be what it goes by
	case x.rule.ID == "SYM-011":
		if !n.slowWay() {
			return false
		}
	case x.took > 0:
		if !near || !n.took(x) {
			return false
		}
		n.slow += x.count
		if x.took > n.slowest.took {
			n.slowest = x
		}
	case !near || n.timeOuts() == 0:
		return false
	case x.id == "RPC-001":
		n.unanswered += x.count
	case x.rule.ID == "CM-007":
		if x.letter() == "" {
			n.broken += x.connections
		}
	case slices.Contains([]string{"CREDIT-010", "RPC-004", "TRANS-006", "SYM-001", "SYM-006", "SYM-007", "SYM-009", "SYM-009a", "SYM-009b", "SYM-010"}, x.id):
	default:
		return false
	}
	n.worst = max(n.worst, x.severity)
	return true
}

// took reports whether a slow call waited for the network: for what was retransmitted, or on a
// slow path for more than the server is shown to have had.
func (n *network) took(x *oneCase) bool {
	return 2*x.resent >= x.took || n.slowWay() && 2*x.served < x.took
}

// slowWay reports whether the way there and back is shown to be slow.
func (n *network) slowWay() bool { return max(n.ways[0].Slowest, n.ways[1].Slowest) >= slowPath }

// changed reports whether frames were changed on their way, in either direction.
func (n *network) changed() bool { return n.ways[0].Changed > 0 || n.ways[1].Changed > 0 }

// letter is that of the case.
func (x *oneCase) letter() string { return x.id[len(x.rule.ID):] }

// weight is how much the network hurts: what made somebody wait is as bad as any warning
// about that.
func (n *network) weight() int {
	if !n.guilty() {
		return 2*rankOf(Note, ordinary) + 2
	}
	t := ordinary
	if n.timeOuts() > 0 || n.slow > 0 || n.unanswered > 0 || n.broken > 0 {
		t = symptom
	}
	return 2*rankOf(max(n.worst, Warning), t) + 2 // the root of what it explains
}
