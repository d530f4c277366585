package scene

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/rocev2"
)

// seen is what a dissector makes of a scene.
type seen struct {
	rpcs     []string
	faults   []string
	complete int
	// log has a line for each message and each RDMA operation.
	log     []string
	summary dissect.Summary
	// raw are the bytes of each Send.
	raw [][]byte
}

func (s *seen) logf(format string, a ...any) { s.log = append(s.log, fmt.Sprintf(format, a...)) }

func (s *seen) faultf(format string, a ...any) {
	s.faults = append(s.faults, fmt.Sprintf(format, a...))
}

func (s *seen) Connection(c *dissect.Connection, final bool) {
	if final {
		t, _ := c.Thresholds()
		s.logf("connection %d: %s, %s; %s %d, %+v", c.ID, c.Setup, c.Closing, c.Service, c.PathMTU, t)
	}
}

// counts are those of the summary that are not 0.
func (s *seen) counts() (line string) {
	for _, c := range []struct {
		name string
		n    int64
	}{
		{"frames", s.summary.Frames}, {"lost in the capture", s.summary.LostInCapture}, {"lost on the wire", s.summary.LostOnWire},
		{"sent again", s.summary.Retransmissions}, {"twice", s.summary.Duplicates}, {"out of order", s.summary.Reordered},
		{"bad ICRC", s.summary.BadICRC}, {"bad CRC", s.summary.BadCRC}, {"malformed", s.summary.MalformedFrames},
	} {
		if c.n != 0 {
			line += fmt.Sprintf(", %d %s", c.n, c.name)
		}
	}
	return strings.TrimPrefix(line, ", ")
}

func (s *seen) Frame(v *dissect.FrameView) {
	if v.ICRC() == rocev2.ICRCWrong {
		s.faultf("ICRC")
	}
}

func (s *seen) Access(a *dissect.Access) {
	verb := map[dissect.AccessKind]string{dissect.AccessRead: "reads", dissect.AccessWrite: "writes"}[a.Kind]
	if a.First && verb != "" {
		s.logf("%s %s %#x@%#x", side(a.Connection, a.From), verb, a.Handle, a.Offset)
	}
}

func side(c *dissect.Connection, e flow.End) string {
	if c.ToServer(e) {
		return "client"
	}
	return "server"
}

func (s *seen) Message(m *dissect.Message) {
	s.raw = append(s.raw, bytes.Clone(m.Raw()))
	if fault := m.Malformed(); fault != "" {
		s.faultf("message: %s", fault)
	}
	if b := m.Body(); b != nil && (b.Left > 0 || b.Walker.Fault.Bad() || b.Inside.Bad()) {
		s.faultf("body: %d bytes left; fault %q, %q inside", b.Left, b.Walker.Fault, b.Inside)
	}
	h := &m.Header
	var sb strings.Builder
	fmt.Fprintf(&sb, "%s %s %#x", side(m.Connection, m.From), h.ProcName(), h.XID)
	if h.Version != 1 {
		fmt.Fprintf(&sb, " vers %d", h.Version)
	}
	if h.Version == 2 {
		sb.WriteString(see2(h))
	}
	if h.Credits != 128 && h.Credits != 64 {
		fmt.Fprintf(&sb, " credits %d", h.Credits)
	}
	for _, r := range h.Reads {
		fmt.Fprintf(&sb, " read %#x+%d at %d", r.Handle, r.Length, r.Position)
	}
	chunk := func(name string, c rpcrdma.Chunk) {
		sb.WriteString(" " + name)
		for _, seg := range h.ChunkSegments(c) {
			fmt.Fprintf(&sb, " %#x+%d", seg.Handle, seg.Length)
		}
	}
	for _, c := range h.Writes {
		chunk("write", c)
	}
	if h.HasReply {
		chunk("replychunk", h.Reply)
	}
	if m.HasInvalidated {
		fmt.Fprintf(&sb, " invalidate %#x", m.Invalidated)
	}
	fmt.Fprintf(&sb, " inline %d", m.Length-h.Length)
	if b := m.Body(); b != nil {
		fmt.Fprintf(&sb, " %s", view.AppendSummary(nil, &b.Walker))
	}
	s.log = append(s.log, strings.TrimSpace(sb.String()))
}

func (s *seen) RPC(r *dissect.RPC) {
	name := string(r.AppendName(nil, r.Ops(nil)))
	s.rpcs = append(s.rpcs, name)
	if r.Complete {
		s.complete++
	} else {
		s.faultf("%s is not complete: %s", name, r.Missing)
	}
}

// watch plays a text and dissects it.
func watch(t testing.TB, text string, over Transport) (*Scene, *seen) {
	t.Helper()
	scene, err := Play(text, over)
	if err != nil {
		t.Fatalf("%s: %v", over, err)
	}
	source, err := scene.Source()
	if err != nil {
		t.Fatal(err)
	}
	s := &seen{}
	d := dissect.New(s, dissect.Options{Accesses: s})
	if faults, err := d.Run(source, func(bool) error { return nil }); err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	d.Flush()
	s.summary = d.Summary()
	return scene, s
}

// see2 is what only version 2 has.
func see2(h *rpcrdma.Header) (line string) {
	if h.Directed() {
		line = " " + h.Direction.String()
	}
	switch o := h.Option(); {
	case h.Proc == rpcrdma.RDMAError:
		line += " " + h.ErrorName()
		if h.ErrorDirected {
			line += " directed"
		}
		if h.Error == rpcrdma.ErrVers {
			line += fmt.Sprintf(" %d to %d", h.VersLow, h.VersHigh)
		}
		if h.Error == rpcrdma.Err2CantReply {
			line += fmt.Sprintf(" %t, segment %d, %d bytes", h.Processed, h.SegmentIndex, h.LengthNeeded)
		}
	case o != nil:
		line += " " + o.Type.String()
		for _, c := range o.Characteristics {
			line += fmt.Sprintf(" %s=%s", c.ID, o.AppendValue(nil, c))
		}
		subsets := map[rpcrdma.OptionType][]rpcrdma.Subset{
			rpcrdma.InitXchar: {o.NoChange}, rpcrdma.RespXchar: {o.Done, o.Rejected, o.Pending}}
		for _, s := range subsets[o.Type] {
			var list []int
			o.Elements(s, func(n int) bool { list = append(list, n); return true })
			line += fmt.Sprint(" ", list)
		}
		if o.Type == rpcrdma.UpdXchar {
			line += fmt.Sprintf(" pendclr %t", o.PendingClear)
		}
		if !o.Known() {
			line += fmt.Sprintf(" %x", o.Info)
		}
	case h.InvHandle != 0:
		line += fmt.Sprintf(" inv %#x", h.InvHandle)
	}
	return line
}
