package bind_test

import (
	"bytes"
	"testing"

	"github.com/rdmacap/rdmacap/replay/bind"
)

// TestBackwardCalls replays the calls of a sample in which the server calls back, and lets
// the other server make these calls: in the capture's terms they are the captured ones but for
// sequence numbers, and the answer is the one that a client of the other server would give.
func TestBackwardCalls(t *testing.T) {
	for _, name := range []string{"rxe-cb", "siw-cb"} {
		backward := 0
		for _, steps := range record(t, name).steps() {
			server := newServer(t)
			binder, err := bind.New(bind.Options{OwnerSuffix: suffix}, spec(t))
			if err != nil {
				t.Fatal(err)
			}
			calls := make(map[*exchange]*bind.Call)
			for _, s := range steps {
				switch {
				case !s.call.Backward && !s.isReply:
					if calls[s.exchange], err = binder.Call(s.call); err != nil {
						t.Fatal(err)
					}
				case !s.call.Backward:
					live := s.reply
					live.Octets = server.translate(t, s.reply, true)
					calls[s.exchange].Reply(&s.reply, live)
				case !s.isReply && s.call.Procedure == 1:
					backward++
					server.back(t, binder, s)
				}
			}
		}
		if backward == 0 {
			t.Errorf("%s has no backward calls", name)
		}
	}
}

// back makes a backward call.
func (o *otherServer) back(t *testing.T, binder *bind.Binder, s step) {
	t.Helper()
	live := s.call
	live.Octets = o.translate(t, s.call, false)
	is, err := binder.Captured(live)
	if err != nil {
		t.Fatal(err)
	}
	// What counts calls stays the live server's.
	want := o.counting(t, s.call)
	if !bytes.Equal(is.Octets, want) || len(is.Unbound) > 0 {
		t.Errorf("XID %#08x: the live call is\n%x in the capture's terms, want\n%x; unbound %+v", s.xid, is.Octets, want, is.Unbound)
	}
	answer, err := binder.Answer(s.call, s.reply, live)
	if err != nil {
		t.Fatal(err)
	}
	if want := o.translate(t, s.reply, true); !bytes.Equal(answer.Octets, want) {
		t.Errorf("XID %#08x: the answer is\n%x, want\n%x", s.xid, answer.Octets, want)
	}
}
