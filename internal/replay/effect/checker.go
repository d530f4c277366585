package effect

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/replay/script"
)

// Effect is what a message may do to a server.
type Effect uint8

// The effects, each of which includes those before it.
const (
	// Reads changes nothing but access times.
	Reads Effect = iota
	// State changes what the server knows of its clients: opens, locks, sessions.
	State
	// Changes changes files, or takes state away from the captured client, or may: what is
	// not understood does what nobody knows.
	Changes
)

func (e Effect) String() string { return [...]string{"reads", "state", "changes"}[e] }

// A Verdict is what a message may do, and what of it does that: "NFS3 WRITE".
type Verdict struct {
	Effect Effect
	By     string
}

// Fields that the judgement depends on.
const (
	openType = "nfs4.openflag4.opentype"
	minor    = "nfs4.compound4args.minorversion"
	create   = 1 // OPEN4_CREATE
)

// A Checker judges messages. One goroutine uses it.
type Checker struct {
	// The texts are those that come with the program: one of a user's does not make a
	// WRITE harmless.
	plan            *walk.Plan
	openType, minor int32 // marks
	walker          walk.Walker
	chunks          []walk.ReadChunk
}

// NewChecker returns a Judge.
func NewChecker() (*Checker, error) {
	spec, err := nfs.Spec()
	if err != nil {
		return nil, err
	}
	p, err := walk.NewPlan(spec, openType, minor)
	if err != nil {
		return nil, err
	}
	return &Checker{plan: p, openType: int32(p.Index(openType)), minor: int32(p.Index(minor))}, nil
}

// mostEvents bounds what is looked at in one message; what has more counts as not understood.
const mostEvents = 1 << 18

// What is wrong with a message that cannot be decoded.
const (
	badHeader  = "whose transport header cannot be decoded"
	badVersion = "of an RPC-over-RDMA version other than 1"
	badRPC     = "whose RPC header cannot be decoded"
	badArgs    = "whose arguments cannot be decoded completely"
	badRest    = "with bytes left over after its arguments"
	badCapture = "with a part missing from the capture"
	badProgram = "of an unknown program or procedure"
	badMinor   = "of an unknown minor version"
	badGSS     = "whose arguments RPCSEC_GSS protects"
)

// Message judges a message of the client that is sent as it was captured, but for handles,
// offsets and XIDs. Kept says of an operation, counted from 0, whether the session, client ID
// or stateid that it names is sent as captured; nil is for a replay that sends all of them so.
func (j *Checker) Message(m *script.Message, kept func(op int) bool) Verdict {
	if m.Call == nil || m.Call.Request != m {
		return j.other(m)
	}
	c := m.Call
	not := func(why string) Verdict { return Verdict{Changes, c.Name + " " + why} }
	h := &m.Header
	_, long := h.PositionZero()
	switch {
	case h.Version != rpcrdma.Version1 && !h.Fault.Bad():
		return not(badVersion)
	case h.Fault.Bad(), h.Proc != rpcrdma.RDMAMsg && h.Proc != rpcrdma.RDMANoMsg, long != (h.Proc == rpcrdma.RDMANoMsg), long && m.Length > h.Length:
		return not(badHeader) // of a message both inline and in a chunk servers take either
	case m.Missing != "" || m.Length != len(m.Bytes) || c.MadeUp() > 0:
		return not(badCapture)
	}
	data, _ := c.Message()
	var header rpc.Call
	if header.Decode(data); header.Fault.Bad() {
		return not(badRPC)
	}
	args := data[header.Length:]
	switch {
	case header.Control():
		return Verdict{State, c.Name}
	case header.Cred.Flavor == rpc.RPCSECGSS && header.Cred.GSS.Service != rpc.ServiceNone:
		return not(badGSS)
	case header.Procedure == 0 && len(args)+len(h.Reads) == 0:
		return Verdict{Reads, c.Name} // NULL, in every program
	}
	proc := j.plan.Spec.Procedure(header.Program, header.Version, header.Procedure)
	if proc == nil || rpc.ProcedureName(header.Program, header.Version, header.Procedure) == "" {
		return not(badProgram)
	}
	if why := j.walk(j.plan.Args(proc), args, header.Length, h); why != "" {
		return not(why)
	}
	if header.Program == rpc.ProgramNFS && header.Version == 4 {
		return j.operations(c, kept)
	}
	return Verdict{ofProcedure(&header), c.Name}
}

// walk goes over arguments, and says why they are not understood, "" if they are. Start is
// where they begin in the RPC message.
func (j *Checker) walk(route *walk.Route, args []byte, start int, h *rpcrdma.Header) (why string) {
	j.chunks = j.chunks[:0]
	for i := range h.NumReadChunks() {
		if position, _ := h.ReadChunk(i); position > 0 {
			j.chunks = append(j.chunks, walk.ReadChunk{Position: position, Length: uint32(min(h.ReadLength(position), math.MaxUint32))})
		}
	}
	w := &j.walker
	w.Most = mostEvents
	w.Walk(route, args, walk.Reduction{Start: uint32(start), Reads: j.chunks})
	switch {
	case w.Fault.Bad() || w.Inside.Bad() || w.Dropped || w.Chunks != len(j.chunks):
		return badArgs
	case w.Consumed != len(args):
		return badRest
	}
	for i := range w.Events {
		e := &w.Events[i]
		if e.Kind != walk.Item || e.Chunk < 0 {
			continue
		}
		// Of a chunk longer than its item a server decodes the rest as what follows.
		if n := uint64(j.chunks[e.Chunk].Length); n < e.Value || n > (e.Value+3)&^3 {
			return badArgs
		}
	}
	return ""
}

// operations are those of a COMPOUND that was walked: the greatest effect of them counts.
func (j *Checker) operations(c *script.Call, kept func(op int) bool) Verdict {
	v := Verdict{Reads, c.Name}
	name := ""
	for i := range j.walker.Events {
		e := &j.walker.Events[i]
		is, by := Reads, ""
		switch {
		case e.Kind == walk.Operation:
			names := j.plan.Fields[e.Field].Type.Names
			name = strings.TrimPrefix(names.Name(e.Value), names.Prefix)
			is, by = ofOperation(name, int(e.Index), kept)
		case e.Kind == walk.Value && e.Mark == j.openType && e.Value == create && name == "OPEN":
			is, by = Changes, "NFS4 OPEN that creates a file"
		case e.Kind == walk.Value && e.Mark == j.minor && e.Value > mostMinor:
			is, by = Changes, c.Name+" "+badMinor
		}
		if is > v.Effect {
			v = Verdict{is, by}
		}
	}
	return v
}

// ofOperation is the effect of an operation of NFS 4, and its name for a person.
func ofOperation(name string, op int, kept func(op int) bool) (e Effect, by string) {
	by = "NFS4 " + name
	switch {
	case slices.Contains(reading4[:], name):
		return Reads, by
	case slices.Contains(state4[:], name):
		return State, by
	case slices.Contains(taking4[:], name):
		if kept == nil || kept(op) {
			return Changes, by + " with what the captured server returned"
		}
		return State, by
	}
	return Changes, by
}

// other judges a message that is no call, or none that is known: a reply to a call of the
// server (RFC 8167), RDMA_DONE and RDMA_ERROR do nothing to it.
func (j *Checker) other(m *script.Message) Verdict {
	h := &m.Header
	what := fmt.Sprintf("%s that is not a call", h.ProcName())
	if h.Version == rpcrdma.Version1 && !h.Fault.Bad() && m.Missing == "" && m.Length == len(m.Bytes) {
		_, long := h.PositionZero()
		call, is := rpc.MessageType(m.Inline())
		switch alone := m.Length == h.Length; {
		case (h.Proc == rpcrdma.RDMADone || h.Proc == rpcrdma.RDMAError) && alone,
			h.Proc == rpcrdma.RDMANoMsg && alone && !long,
			h.Proc == rpcrdma.RDMAMsg && !long && is && !call:
			return Verdict{Reads, what}
		}
	}
	return Verdict{Changes, "a message that cannot be decoded"}
}
