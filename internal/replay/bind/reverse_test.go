package bind_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
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
				case !s.call.Reverse && !s.isReply:
					if calls[s.exchange], err = binder.Call(s.call); err != nil {
						t.Fatal(err)
					}
				case !s.call.Reverse:
					live := s.reply
					live.Bytes = server.translate(t, s.reply, true)
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

// back makes a reverse-direction call.
func (o *otherServer) back(t *testing.T, binder *bind.Binder, s step) {
	t.Helper()
	live := s.call
	live.Bytes = o.translate(t, s.call, false)
	is, err := binder.Captured(live)
	if err != nil {
		t.Fatal(err)
	}
	// What counts calls stays the live server's.
	want := o.counting(t, s.call)
	if !bytes.Equal(is.Bytes, want) || len(is.Unbound) > 0 {
		t.Errorf("XID %#08x: the live call is\n%x in the capture's terms, want\n%x; unbound %+v", s.xid, is.Bytes, want, is.Unbound)
	}
	answer, err := binder.Answer(s.call, s.reply, live)
	if err != nil {
		t.Fatal(err)
	}
	if want := o.translate(t, s.reply, true); !bytes.Equal(answer.Bytes, want) {
		t.Errorf("XID %#08x: the answer is\n%x, want\n%x", s.xid, answer.Bytes, want)
	}
}

// TestAcknowledge answers reverse-direction calls that no capture has.
func TestAcknowledge(t *testing.T) {
	binder, err := bind.New(bind.Options{}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	session := []byte("sixteen octets..")
	header := func(program, procedure uint32) []byte {
		return words(nil, 0x77, 0, 2, program, 1, procedure, 0, 0, 0, 0)
	}
	compound := func(ops ...[]byte) []byte {
		b := words(header(0x40001234, 1), 0, 1, 0, uint32(len(ops)))
		for _, op := range ops {
			b = append(b, op...)
		}
		return b
	}
	sequence := words(append(words(nil, 11), session...), 5, 2, 7, 0, 0)
	recallAny := words(nil, 8, 10, 1, 3)
	recall := append(words(nil, 4, 1, 1, 2, 3, 0), opaque([]byte("handle"))...)
	getattr := append(append(words(nil, 3), opaque([]byte("handle"))...), words(nil, 1, 8)...)
	echoed := words(append(words(nil, 11, 0), session...), 5, 2, 7, 7)
	accepted := words(nil, 0x77, 1, 0, 0, 0, 0)
	for _, tt := range []struct {
		name    string
		call    []byte
		want    []byte
		failure string
	}{
		{"NULL", header(0x40001234, 0), accepted, ""},
		{"CB_SEQUENCE, CB_RECALL_ANY", compound(sequence, recallAny), append(append(words(accepted, 0, 0, 2), echoed...), words(nil, 8, 0)...), ""},
		{"CB_SEQUENCE, CB_RECALL", compound(sequence, recall), append(append(words(accepted, 0, 0, 2), echoed...), words(nil, 4, 0)...), ""},
		{"CB_SEQUENCE, CB_GETATTR, CB_RECALL", compound(sequence, getattr, recall), append(append(words(accepted, 10001, 0, 2), echoed...), words(nil, 3, 10001)...), ""},
		{"cut", compound(sequence, recall)[:80], nil, "malformed"},
		{"another program", header(rpc.ProgramMount, 1), nil, "not one of an NFS client"},
	} {
		var h rpc.Call
		h.Decode(tt.call)
		m := bind.Message{Bytes: tt.call, Program: h.Program, Version: h.Version, Procedure: h.Procedure, Reverse: true}
		got, err := binder.Acknowledge(m)
		if tt.failure != "" {
			if err == nil || !strings.Contains(err.Error(), tt.failure) {
				t.Errorf("%s: error %v, want %s", tt.name, err, tt.failure)
			}
			continue
		}
		if err != nil || !bytes.Equal(got, tt.want) {
			t.Errorf("%s: %x, %v, want\n%x", tt.name, got, err, tt.want)
			continue
		}
		if tree := newServer(t).tree(t, bind.Message{Bytes: got, Program: rpc.ProgramNFSCallback, Version: 1, Procedure: h.Procedure}, true); tree.Fault != "" {
			t.Errorf("%s: %s", tt.name, tree.Fault)
		}
		if !binder.SameOperations(m, m) || tt.name != "NULL" && binder.SameOperations(m, bind.Message{Bytes: compound(sequence), Program: h.Program, Version: 1, Procedure: 1, Reverse: true}) {
			t.Errorf("%s: its operations are compared wrongly", tt.name)
		}
	}
}
