package requester_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// forward are the calls of the client.
func forward(c *script.Conversation) (list []*script.Call) {
	for _, call := range c.Calls {
		if !call.Reverse {
			list = append(list, call)
		}
	}
	return list
}

// replay replays a conversation to a server on a fabric.
func replay(t *testing.T, d transport.Device, c *script.Conversation, s *server, o requester.Options) (*requester.Result, *fabric.Fabric) {
	t.Helper()
	f := fabric.New(d)
	if s.calls == nil {
		s.calls = forward(c)
	}
	o.Immediately = true
	p, err := requester.NewPlan(c, o)
	if err != nil {
		t.Fatal(err)
	}
	to := serve(t, f, s)
	r, err := requester.Run(t.Context(), f, to, p)
	if err != nil {
		t.Fatal(err)
	}
	return r, f
}

// TestSamples replays real conversations over devices of three kinds to a server that does
// what the captured one did: every reply is as captured, and what the server read is what
// the captured client wrote.
func TestSamples(t *testing.T) {
	plain := fabric.SoftRoCE()
	plain.Windows, plain.Name = false, "plain"
	for _, tt := range []struct {
		sample     string
		connection int
		device     transport.Device
		way        wire.Invalidation
		cleared    bool
	}{
		{"rxe-basic", 1, fabric.SoftRoCE(), wire.ByWindows, false},
		{"rxe-basic", 4, fabric.SoftRoCE(), wire.ByWindows, false},
		{"siw-basic", 1, fabric.SoftIWARP(), wire.ByRegistration, false},
		{"siw-basic", 2, fabric.SoftIWARP(), wire.ByRegistration, false},
		{"rxe-basic", 1, plain, wire.NoInvalidation, true},
		{"rxe-thresh", 1, fabric.SoftRoCE(), wire.ByWindows, false},
	} {
		t.Run(tt.sample+" "+tt.device.Name, func(t *testing.T) {
			c := replaytest.Sample(t, tt.sample, script.Options{Connection: tt.connection})
			if tt.cleared {
				for _, call := range c.Calls {
					call.Reply.HasInvalidated = false // as a server does that sees no R
				}
			}
			s := &server{}
			r, f := replay(t, tt.device, c, s, requester.Options{})
			if r.Ended != nil || !r.Same() {
				t.Errorf("ended %v, %+v", r.Ended, r.Counts())
			}
			if r.Way != tt.way || r.Cleared != tt.cleared {
				t.Errorf("invalidation by %v, R cleared %v", r.Way, r.Cleared)
			}
			if n := r.Counts(); n.Answered != len(s.calls) || n.Calls != n.Answered {
				t.Errorf("%+v of %d calls", n, len(s.calls))
			}
			for i, call := range s.calls {
				var want []byte
				for j := range call.Segments {
					if g := &call.Segments[j]; g.Purpose == rpcrdma.ForRead {
						want = append(want, g.Data...)
					}
				}
				if _, long := call.Request.Header.PositionZero(); !long && !bytes.Equal(want, s.read[i]) {
					t.Errorf("%s: the server read %d bytes, want %d", call.Name, len(s.read[i]), len(want))
				}
			}
			if r.Unexpected != 0 || r.Open != 2 && tt.sample == "rxe-basic" && tt.connection == 1 {
				t.Errorf("%d unexpected, %d open at once", r.Unexpected, r.Open)
			}
			_ = f
		})
	}
}

// TestDifferences holds what is reported of replies that are not as captured.
func TestDifferences(t *testing.T) {
	t.Parallel()
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	s := &server{change: func(i int, call *script.Call, reply []byte) ([]byte, bool) {
		switch {
		case i == 3: // the status of NFS 3, after header and RPC reply of 24 bytes
			reply[call.Reply.Header.Length+24+3] = 70
		case i == 5: // accept_stat
			reply[call.Reply.Header.Length+23] = 4
		case i == 8:
			return nil, false
		case i == 10:
			reply = append(reply, 0, 0, 0, 0)
		}
		return reply, true
	}}
	r, _ := replay(t, fabric.SoftRoCE(), c, s, requester.Options{ReplyLimit: time.Second})
	if r.Same() || r.Ended != nil {
		t.Errorf("ended %v, the same %v", r.Ended, r.Same())
	}
	for i, e := range r.Exchanges {
		var said []string
		for _, d := range e.Differences {
			said = append(said, d.What+": "+d.Captured+" "+d.Live)
		}
		got := e.Outcome.String() + " " + strings.Join(said, "; ")
		want := map[int]string{
			3: "answered " + c.Calls[3].Name[len("NFS3 "):] + ": NFS3_OK NFS3ERR_STALE",
			5: "answered status: SUCCESS GARBAGE_ARGS",
			8: "no reply ",
		}[i]
		switch {
		case i == 10:
			want = "answered length of the reply: "
			if !strings.HasPrefix(got, want) {
				t.Errorf("call %d: %s, want %s", i, got, want)
			}
			continue
		case want == "":
			want = "answered "
		}
		if got != want {
			t.Errorf("call %d, %s: %s, want %s", i, e.Call.Name, got, want)
		}
	}
}

// TestBackward answers calls of the server: those of the capture as captured, NULL at any
// time, and others with an error.
func TestBackward(t *testing.T) {
	c := replaytest.Sample(t, "rxe-cb", script.Options{Connection: 2})
	var captured *script.Call
	for _, call := range c.Calls {
		if call.Reverse {
			captured = call
			break
		}
	}
	data, _ := captured.Message()
	for _, tt := range []struct {
		name string
		call []byte
		want string
	}{
		{"as captured", data, "as captured"},
		{"NULL", append(append([]byte(nil), data[:20]...), make([]byte, 20)...), "SUCCESS"},
		{"another", append(append(append([]byte(nil), data[:20]...), 0, 0, 0, 9), make([]byte, 16)...), "SYSTEM_ERR"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := append([]byte(nil), tt.call...)
			copy(b, "\x01\x02\x03\x04")
			s := &server{backward: wire.Plain(0x01020304, 2, b)}
			r, _ := replay(t, fabric.SoftRoCE(), c, s, requester.Options{})
			if !r.Same() || len(r.ReverseCalls) != 1 || r.ReverseCalls[0].Answer != tt.want || len(s.answered) != 1 || !bytes.Equal(s.answered[0][28:32], b[:4]) {
				t.Errorf("the same %v, ended %v, %+v, the server got % x", r.Same(), r.Ended, r.ReverseCalls, s.answered)
			}
		})
	}
}

// TestNobody says what is wrong where nobody listens.
func TestNobody(t *testing.T) {
	c := replaytest.Sample(t, "rxe-basic", script.Options{})
	f := fabric.New(fabric.SoftRoCE())
	p, err := requester.NewPlan(c, requester.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := requester.Run(t.Context(), f, c.Server.Addr, p); err == nil || f.Left() != 0 {
		t.Errorf("%v, %d left", err, f.Left())
	}
}

// TestBind replays with a binder to the server of the capture itself: owners are others, and
// everything else is as it was, field by field.
func TestBind(t *testing.T) {
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	for id := 1; id <= 4; id++ {
		t.Run(fmt.Sprint(id), func(t *testing.T) {
			c := replaytest.Sample(t, "rxe-basic", script.Options{Connection: id})
			binder, err := bind.New(bind.Options{OwnerSuffix: " again"}, spec)
			if err != nil {
				t.Fatal(err)
			}
			o := requester.Options{Binder: binder, Compare: binder, Specs: []*types.Spec{spec}}
			p, err := requester.NewPlan(c, o)
			if err != nil {
				t.Fatal(err)
			}
			if (p.Root != nil) != (id == 1) || p.Options.RootPath != "/" {
				t.Errorf("the root's handle is %x, at %q", p.Root, p.Options.RootPath)
			}
			r, _ := replay(t, fabric.SoftRoCE(), c, &server{root: p.Root}, o)
			if !r.Same() {
				t.Errorf("ended %v, %+v", r.Ended, r.Counts())
			}
			for i, e := range r.Exchanges {
				if len(e.Unbound) > 0 || len(e.Differences) > 0 {
					t.Errorf("call %d, %s: %+v, %+v", i, e.Call.Name, e.Unbound, e.Differences)
				}
			}
		})
	}
}
