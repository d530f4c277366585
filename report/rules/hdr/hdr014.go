package hdr

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr014() rules.Check {
	return rules.Check{
		Limitations: rules.Limitations{rules.DetailIf(rules.Cut)},
		Speaks:      rules.RPCRDMA,
		Needs:       []rules.Knowledge{knownVersions()},
		On:          []rules.Event{onOtherVersion(otherVersion014), rules.OnCheckedRPC(rules.Refused, checked014), rules.OnPublished(refused014)},
	}
}

// A refused call was answered with an RDMA_ERROR; judged says that it is known as an RPC.
type refused struct {
	about   *rules.About
	failure failure
	note    bool
	known   bool // the call is in the capture
	sound   bool // and something should explain the RDMA_ERROR
	// reads and writes count the chunks of the call, reply says that it has a Reply chunk.
	reads, writes int
	reply         bool
	checked       bool
	reported      rules.ReportedOf
}

func checked014(c *rules.Conn, r *dissect.RPC, _ rules.Reporter) {
	m := r.Reply
	if m == nil || m.Header.Proc != rpcrdma.RDMAError {
		return
	}
	e, ok := failureOf(m)
	if !ok || objected(c, r) {
		return
	}
	x := refused{failure: e, known: r.Call != nil, checked: true, reported: c.ReportedOf(r)}
	f := rules.AboutPart(r, m)
	x.about = f
	at := m.Header.ErrorAt()
	f.See("rdma_err", e.name(), nil).In(m, at, m.Header.Length-at)
	if e.version == rpcrdma.Version2 && e.code == rpcrdma.Err2CantReply {
		f.See("rdma_processed", m.Header.Processed, nil).See("rdma_segment_index", m.Header.SegmentIndex, nil)
		f.See("rdma_length_needed", m.Header.LengthNeeded, nil)
	}
	switch {
	case !x.known && answers(c, m):
		f.Messagef("the %s sent %v in answer to a message that is not a call", c.Sender(m.From), e)
	case !x.known:
		f.Messagef("the %s sent %v; the call is not in the capture", c.Sender(m.From), e)
	default:
		x.note = r.Call.Header.Version == rpcrdma.Version2 && e.code == rpcrdma.ErrVers
		what := f.Call
		if what == "" {
			what = "a call"
		}
		f.Messagef("the %s answered %s with %v", c.Sender(m.From), what, e).With(r.Call.Frames...)
		h := &r.Call.Header
		x.sound = c.Sound(r.Call) && e.code != rpcrdma.ErrVers
		x.reads, x.writes, x.reply = h.NumReadChunks(), len(h.Writes), h.HasReply
	}
	rules.Publish(c, x)
}

// refused014 adds what was found about the call, to which CrossConnection contributes.
func refused014(e *rules.ConnRef, x *refused, report rules.Reporter) {
	if x.note {
		report = report.As(finding.Note)
	}
	found := ""
	if x.checked {
		found = onCall(e.Reported(&x.reported), report.Causes())
	}
	f := report.Key(refusal{x.failure, found, x.known}).About("", x.about, "")
	if f == nil {
		return
	}
	if text := x.advice(); text != "" && found == "" {
		f.Advise("%s", text)
	}
	if !x.known {
		return
	}
	if found != "" {
		f.Message += "; also found: " + found
		f.See("also found", found, nil)
	} else if x.sound {
		f.Message += "; no other finding on the call explains it"
		f.See("Read chunks", x.reads, nil).See("Write chunks", x.writes, nil).See("Reply chunk", x.reply, nil)
	}
}

// A refusal is what reports the findings about RDMA_ERRORs apart.
type refusal struct {
	failure
	found string // the rules that found something on the call
	known bool   // the call is in the capture
}

// objected reports whether another rule has said that an RDMA_ERROR is not valid.
func objected(c *rules.Conn, r *dissect.RPC) bool {
	for _, s := range c.Reported(r) {
		if id := s.Rule.ID; id == "HDR-012" || id == "HDR-013" || id == "V2-006" && s.Finding.Severity == finding.Error {
			return true
		}
	}
	return false
}

// onCall lists what was found on the RPC of an RDMA_ERROR that may be its cause.
func onCall(said []rules.Reported, causes []string) string {
	var ids []string
	for _, s := range said {
		if (slices.Contains(causes, s.Rule.ID) || slices.Contains(causes, s.ID())) && !slices.Contains(ids, s.ID()) {
			ids = append(ids, s.ID())
		}
	}
	return strings.Join(ids, ", ")
}

// What answers a message of another version, or an RDMA2_OPTIONAL, is in no RPC with it.
func otherVersion014(c *rules.Conn, o *otherVersion, _ rules.Reporter) {
	m := (*dissect.Message)(o)
	asked := m.Request()
	if asked == nil {
		return
	}
	e, ok := failureOf(m)
	if !ok || e.code == rpcrdma.ErrVers && (e.low > e.high || e.low <= asked.Version && asked.Version <= e.high) {
		return
	}
	if m.Header.Version != asked.Version {
		return // HDR-013
	}
	x := refused{about: c.AboutMessage(m), failure: e, note: asked.Version == rpcrdma.Version2 && e.code == rpcrdma.ErrVers}
	f, at := x.about, m.Header.ErrorAt()
	f.Messagef("the %s answered a request of version %d with %v", c.Sender(m.From), asked.Version, e)
	f.See("rdma_err", e.name(), nil).With(asked.Frame).In(m, at, m.Length-at)
	rules.Publish(c, x)
}
