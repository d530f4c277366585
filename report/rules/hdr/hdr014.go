package hdr

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/report/rules"
)

func hdr014() *rules.Rule {
	return &rules.Rule{
		ID: "HDR-014", Title: "RDMA_ERROR seen",
		Severity: rules.Warning,
		Since:    "0.5",
		Meaning: "A responder could not take a call, and said so with an RDMA_ERROR: ERR_CHUNK if it could not decode or use " +
			"its header or chunks, or had no way to return the reply; ERR_VERS if it does not speak its version. The errors of " +
			"version 2 say it more exactly.",
		Why: "The RPC has failed for good: sent again with the same XID it fails the same way. Applications see EIO, or a " +
			"mount that does not come up.",
		Advice: "See what else was found on the call. If nothing was: count its chunks and segments against what the " +
			"responder takes, compare the room of Write chunks and Reply chunk with the longest reply, and look into the " +
			"responder's log; memory that it could not read or write has the same code. RDMA2_ERR_CANT_REPLY says which segment is too short.",
		Reference: "RFC 8166, section 4.5; RFC 8267, section 6.4.2; draft-cel-nfsv4-rpcrdma-version-two-02, section 5.2.4",
		Gates:     rules.Gates{rules.DetailIf(rules.Cut)},
		Limits: "An RDMA_ERROR that HDR-012, HDR-013 or V2-006 objects to is theirs. An ERR_VERS for a call of version 2 is only a " +
			"note: so versions are negotiated.",
		Causes: causes014(),
		Speaks: rules.RPCRDMA,
		Needs:  []rules.Knowledge{knownVersions()},
		On:     []rules.Event{onOdd(odd014), rules.OnJudged(rules.Refused, judged014), rules.OnPosted(refused014)},
		Fires: []rules.Sample{
			{Name: "a call is refused for its chunks", Scene: `
				connect
				call 1 NFS4 COMPOUND [PUTFH READ{count=100} READ{count=100}]
				    write 0x1001 100
				    write 0x1002 100
				error 1 ERR_CHUNK
				    want HDR-014 16+4
				disconnect`},
			{Name: "calls are refused for different reasons", Scene: `
				connect
				call 1 NFS3 GETATTR
				    proc NOMSG
				    payload none
				    want HDR-006a
				error 1 ERR_CHUNK
				    want HDR-014
				call 2 NFS3 GETATTR
				    proc 7
				    want HDR-003a
				error 2 ERR_CHUNK
				    want HDR-014
				call 3 NFS3 GETATTR
				error 3 ERR_CHUNK
				    want HDR-014
				call 4 NFS3 GETATTR
				error 4 ERR_CHUNK
				disconnect`},
			{Name: "a version 2 server cannot return all that a READ asks for", Scene: `
				connect version=2
				call 1 NFS3 NULL
				reply 1
				call 2 NFS3 READ count=3000
				    write 0x1001 2000
				    want DDP-020a write1.1
				error 2 CANT_REPLY FALSE 1 3000
				    want HDR-014 16+16
				disconnect`},
			{Name: "version 2 is tried and refused", Scene: `
				connect
				call 1 NFS3 GETATTR
				    version 2
				error 1 ERR_VERS 1 1
				    want HDR-014 16+12
				disconnect`},
		},
		Silent: []rules.Sample{
			{Name: "an ERR_VERS that contradicts itself is HDR-013's", Scene: `
				connect
				call 1 NFS3 GETATTR
				error 1 ERR_VERS 1 1
				    want HDR-013c
				disconnect`},
			{Name: "a failure of NFS is no RDMA_ERROR", Scene: `
				connect
				call 1 NFS3 READ count=100
				    write 0x1001 100
				reply 1 NFS3ERR_IO
				disconnect`},
		},
	}
}

// causes014 are the findings that an RDMA_ERROR may be the answer to.
func causes014() []string {
	return []string{"HDR-003", "HDR-006", "HDR-005", "HDR-007", "HDR-002", "HDR-011", "HDR-004", "DDP-004", "DDP-001", "DDP-005",
		"DDP-007", "DDP-009", "DDP-020", "DDP-006", "DDP-002", "ULB-009", "ULB-015a", "RPC-006b", "ULB-011", "THRESH-009", "HDR-016", "V2-001", "V2-004"}
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
	judged        bool
	said          rules.SaidOf
}

func judged014(c *rules.Conn, r *dissect.RPC, _ rules.Say) {
	m := r.Reply
	if m == nil || m.Header.Proc != rpcrdma.RDMAError {
		return
	}
	e, ok := failureOf(m)
	if !ok || objected(c, r) {
		return
	}
	x := refused{failure: e, known: r.Call != nil, judged: true, said: c.SaidOf(r)}
	f := rules.AboutPart(r, m)
	x.about = f
	at := m.Header.ErrorAt()
	f.See("rdma_err", e.name(), nil).In(m, at, m.Header.Length-at)
	if e.version == rpcrdma.Version2 && e.code == rpcrdma.Err2CantReply {
		f.See("rdma_processed", m.Header.Processed, nil).See("rdma_segment_index", m.Header.SegmentIndex, nil)
		f.See("rdma_length_needed", m.Header.LengthNeeded, nil)
	}
	if !x.known {
		f.Sayf("the %s sent %v; the call is not in the capture", c.Sender(m.From), e)
	} else {
		x.note = r.Call.Header.Version == rpcrdma.Version2 && e.code == rpcrdma.ErrVers
		what := f.Call
		if what == "" {
			what = "a call"
		}
		f.Sayf("the %s answered %s with %v", c.Sender(m.From), what, e).With(r.Call.Frames...)
		h := &r.Call.Header
		x.sound = c.Sound(r.Call) && e.code != rpcrdma.ErrVers
		x.reads, x.writes, x.reply = h.NumReadChunks(), len(h.Writes), h.HasReply
	}
	rules.Post(c, x)
}

// refused014 adds what was found about the call, to which Across contributes.
func refused014(e *rules.Entry, x *refused, say rules.Say) {
	if x.note {
		say = say.As(rules.Note)
	}
	found := ""
	if x.judged {
		found = onCall(e.Said(&x.said), causes014())
	}
	f := say.Key(refusal{x.failure, found, x.known}).About("", x.about, "")
	if f == nil || !x.known {
		return
	}
	if found != "" {
		f.Message += "; also found: " + found
		f.See("also found", found, nil)
	} else if x.sound {
		f.Message += "; nothing that explains it was found on the call"
		f.See("Read chunks", x.reads, nil).See("Write chunks", x.writes, nil).See("Reply chunk", x.reply, nil)
	}
}

// A refusal is what tells the findings about RDMA_ERRORs apart.
type refusal struct {
	failure
	found string // the rules that found something on the call
	known bool   // the call is in the capture
}

// objected reports whether another rule has said that an RDMA_ERROR is not valid.
func objected(c *rules.Conn, r *dissect.RPC) bool {
	for _, s := range c.Said(r) {
		if id := s.Rule.ID; id == "HDR-012" || id == "HDR-013" || id == "V2-006" && s.Finding.Severity == rules.Error {
			return true
		}
	}
	return false
}

// onCall lists what was found on the RPC of an RDMA_ERROR that may be its cause.
func onCall(said []rules.Said, causes []string) string {
	var ids []string
	for _, s := range said {
		if (slices.Contains(causes, s.Rule.ID) || slices.Contains(causes, s.ID())) && !slices.Contains(ids, s.ID()) {
			ids = append(ids, s.ID())
		}
	}
	return strings.Join(ids, ", ")
}

// What answers a message of another version, or an RDMA2_OPTIONAL, is in no RPC with it.
func odd014(c *rules.Conn, o *odd, _ rules.Say) {
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
	f.Sayf("the %s answered a request of version %d with %v", c.Sender(m.From), asked.Version, e)
	f.See("rdma_err", e.name(), nil).With(asked.Frame).In(m, at, m.Length-at)
	rules.Post(c, x)
}
