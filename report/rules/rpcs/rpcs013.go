package rpcs

import (
	"fmt"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func rpcs013() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.SilentIf(rules.OneDirection, rules.LostSince.From(rules.Responder), rules.Uncalled), rules.LikelyIf(rules.Lossy, rules.Disordered, rules.NothingFollows.From(rules.Responder))},
		Speaks:      rules.RPCRDMA,
		On:          []rules.Event{rules.OnRPC(0, rpc013), rules.OnOver(over013)},
	}
}

// The kinds of calls that are told apart, by how call and reply may travel.
const (
	withReplyChunk = iota
	withWriteChunk
	withReadChunk
	longCall
	kindsOfCalls
)

// nameOfKind says what calls of a kind have, and what the others have not.
func nameOfKind(kind int) (with, without string) {
	switch kind {
	case withReplyChunk:
		return "with a Reply chunk", "without one"
	case withWriteChunk:
		return "with a Write chunk", "without one"
	case withReadChunk:
		return "with a Read chunk", "without one"
	}
	return "that are long (RDMA_NOMSG)", "others"
}

// isOfKind reports whether a call is of a kind.
func isOfKind(h *rpcrdma.Header, kind int) bool {
	switch kind {
	case withReplyChunk:
		return h.HasReply
	case withWriteChunk:
		return len(h.Writes) > 0
	case withReadChunk:
		position, list := uint32(0), 0
		for i := range h.NumReadChunks() {
			if position, _ = h.ReadChunk(i); position != 0 {
				list++
			}
		}
		return list > 0
	}
	return h.Proc == rpcrdma.RDMANoMsg
}

// A score counts calls that were answered, and that were not.
type score struct{ answered, not uint32 }

func (s score) all() uint32 { return s.answered + s.not }

// scores are those of a client's calls, in all and of each kind.
type scores struct {
	all  score
	kind [kindsOfCalls]score
}

// few is how many calls of a kind, and how many others, are needed to see a pattern.
const few = 2

// mostScored is how many pairs of hosts are remembered, mostOpen how many unanswered calls of a connection.
const (
	mostScored = 1024
	mostOpen   = 16
)

// unanswered are the first calls of a connection that stayed so.
type unanswered struct {
	xids  []uint32
	first flow.Moment
	frame flow.Ref
	doubt string // why the last of them may have been answered
}

// rpc013 counts a call of the client.
func rpc013(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	if r.Call == nil || !c.RolesKnown || r.Requester != c.ClientEnd {
		return
	}
	s := &state.Of(c).scores
	add := func(x *score) { x.answered++ }
	if r.Reply == nil {
		if _, _, ok := neverAnswered(c, r); !ok {
			return
		}
		add = func(x *score) { x.not++ }
		u := rules.Some(&state.Of(c).unanswered)
		if at := r.Call.Moment(); len(u.xids) == 0 || at.Before(u.first) {
			u.first, u.frame = at, r.Call.Frame()
		}
		u.doubt = answeredAfterAll(c, r)
		if len(u.xids) < mostOpen {
			u.xids = append(u.xids, r.XID)
		}
	}
	add(&s.all)
	if h := &r.Call.Header; h.HasReply || len(h.Writes) > 0 || len(h.Reads) > 0 || h.Proc == rpcrdma.RDMANoMsg {
		for k := range s.kind {
			if isOfKind(h, k) {
				add(&s.kind[k])
			}
		}
	}
}

// addScores adds the counts of another connection.
func (s *scores) addScores(t *scores) {
	s.all.answered += t.all.answered
	s.all.not += t.all.not
	for k := range s.kind {
		s.kind[k].answered += t.kind[k].answered
		s.kind[k].not += t.kind[k].not
	}
}

// patterns says of which kinds no call was answered, where all others were.
func (s *scores) patterns() string {
	var list []string
	for k, x := range s.kind {
		if x.answered > 0 || x.not < few || x.not != s.all.not || s.all.answered < few {
			continue
		}
		with, without := nameOfKind(k)
		list = append(list, fmt.Sprintf("0 of %d calls %s were answered, but %d of %d %s", x.not, with, s.all.answered, s.all.answered, without))
	}
	return strings.Join(list, "; ")
}

// scored are the counts of pairs of hosts, of the connections that are over.
type scored struct {
	pairs    map[rules.Hosts]*scores
	reported map[rules.Hosts]bool
}

// scoredSlot is where CrossConnection keeps it.
const scoredSlot = rules.CrossSlot[scored](rules.KeepsRPCScores)

// over013 looks at the connections of two hosts.
func over013(e *rules.ConnRef, c *rules.Conn, report rules.Reporter) {
	k := state.Of(c)
	all, hosts := scoredSlot.Of(e.CrossConnection), c.Hosts()
	if all.pairs == nil {
		all.pairs, all.reported = make(map[rules.Hosts]*scores), make(map[rules.Hosts]bool)
	}
	s := all.pairs[hosts]
	if s == nil {
		if len(all.pairs) >= mostScored {
			return
		}
		s = new(scores)
		all.pairs[hosts] = s
	}
	s.addScores(&k.scores)
	u := k.unanswered
	if u == nil || all.reported[hosts] {
		return
	}
	text := s.patterns()
	if text == "" {
		return
	}
	all.reported[hosts] = true
	responder := c.ClientEnd.Peer()
	if f := report.Moment("", u.frame, u.first.Time, &responder, u.doubt); f != nil {
		f.Messagef("only one kind of call was never answered: %s", text)
		f.See("calls", s.all.all(), nil).See("of them unanswered", s.all.not, 0)
		for _, x := range u.xids {
			f.Also(x)
		}
	}
}
