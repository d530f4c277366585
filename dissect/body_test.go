package dissect_test

import (
	"bytes"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
)

// TestBodies goes over the arguments and the result of every RPC of the samples
// as a Sink is given them: all of them can be read, to the last byte, but those
// that are encrypted or of RPCSEC_GSS itself.
func TestBodies(t *testing.T) {
	for _, c := range []struct {
		name   string
		sealed int
	}{
		{"rxe-basic", 0}, {"rxe-thresh", 0}, {"rxe-acl", 0}, {"rxe-cb", 0}, {"rxe-krb", 19}, {"rxe-ipv6", 0},
		{"rxe-loss", 0}, {"siw-basic", 0}, {"siw-loss", 0}, {"siw-cb", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			file, err := capture.Open("../samples/"+c.name+".pcap.zst", 0)
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			s := &bodies{t: t}
			d := dissect.New(s, dissect.Options{})
			if faults, err := d.Run(file, func(bool) error { return nil }); faults != nil || err != nil {
				t.Fatal(faults, err)
			}
			d.Flush()
			if s.read == 0 || s.sealed != c.sealed {
				t.Errorf("%d bodies read, %d RPCs sealed, want %d", s.read, s.sealed, c.sealed)
			}
		})
	}
}

// bodies is a Sink that looks at what RPCs carry.
type bodies struct {
	counting
	t            *testing.T
	read, sealed int
	ops          []dissect.Op
}

func (s *bodies) RPC(r *dissect.RPC) {
	c := r.CallHeader()
	if !r.Complete || c == nil {
		return
	}
	if g := c.Cred.GSS; c.Cred.Flavor == rpc.RPCSECGSS && (g.Proc != rpc.GSSData || g.Service == rpc.ServicePrivacy) {
		s.sealed++
		return
	}
	for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
		data := m.BodyBytes() // before anybody walked them
		b := m.Body()
		if b != nil && !bytes.Equal(data, b.Bytes) {
			s.t.Errorf("%d bytes are the body, which has %d", len(data), len(b.Bytes))
		}
		if again := m.BodyBytes(); len(again) != len(data) {
			s.t.Errorf("%d bytes are the body once it was walked, %d before", len(again), len(data))
		}
		if b == nil {
			if reply := r.ReplyHeader(); !m.Answer || reply != nil && !reply.Denied && reply.Accept == rpc.Success {
				s.t.Errorf("XID %#08x: answer %v cannot be read", r.XID, m.Answer)
			}
			continue
		}
		s.read++
		if b.Fault.Bad() || b.Left != 0 {
			s.t.Errorf("XID %#08x: answer %v: %d bytes left, unknown %v, faults %v, %v", r.XID, m.Answer, b.Left, b.Unknown, b.Fault, b.Inside)
		}
	}
	s.ops = r.Ops(s.ops[:0])
	if len(s.ops) == 0 {
		s.t.Errorf("XID %#08x: no operation", r.XID)
	}
	for i := range s.ops {
		if op := &s.ops[i]; op.Name == "" || op.OK && op.Status == "" {
			s.t.Errorf("XID %#08x: operation %+v", r.XID, op)
		}
	}
}
