package bind_test

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// TestCallsLeftOut replays only some calls of a session: its slots count those that are sent.
func TestCallsLeftOut(t *testing.T) {
	steps := record(t, "rxe-basic").steps()[3]
	server := newServer(t)
	binder, err := bind.New(bind.Options{}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	calls, sent, left := make(map[*exchange]*bind.Call), make(map[string]uint32), 0
	for i, s := range steps {
		if s.call.Reverse {
			continue
		}
		if s.isReply {
			if c := calls[s.exchange]; c != nil {
				c.Reply(&s.reply, s.reply)
			}
			continue
		}
		slot := slotOf(t, server, s.call)
		if slot != "" && i%7 == 0 {
			left++
			continue
		}
		c, err := binder.Call(s.call)
		if err != nil {
			t.Fatal(err)
		}
		calls[s.exchange] = c
		if slot == "" {
			continue
		}
		sent[slot]++
		if got := sequenceID(t, server, s.call, c.Bytes); got != sent[slot] {
			t.Fatalf("XID %#08x: the number is %d, want %d", s.xid, got, sent[slot])
		}
		// A retransmission has the number that it had.
		if again, err := binder.Call(s.call); err != nil || sequenceID(t, server, s.call, again.Bytes) != sent[slot] {
			t.Fatalf("XID %#08x: retransmitted it has another number, %v", s.xid, err)
		}
	}
	if left < 10 {
		t.Errorf("only %d calls were left out", left)
	}
}

// sequenceID is SEQUENCE's number in a call that became other bytes.
func sequenceID(t *testing.T, o *otherServer, m bind.Message, data []byte) (number uint32) {
	w := writer{server: o}
	w.becomes = func(n *field.Node, v []byte) []byte {
		if n.Key == "nfs4.sequence4args.sa_sequenceid" {
			number = binary.BigEndian.Uint32(v)
		}
		return nil
	}
	m.Bytes = data
	w.write(t, m, false)
	return number
}

// TestNoDelegation lets the live server open files without the delegations that the captured one
// gave: where the captured client read with them, the anonymous stateid is sent, and it is reported.
func TestNoDelegation(t *testing.T) {
	steps := record(t, "rxe-basic").steps()[2] // NFS 4.0
	server := newServer(t)
	binder, err := bind.New(bind.Options{}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	calls, lacking, stood := make(map[*exchange]*bind.Call), make(map[string]bool), 0
	for _, s := range steps {
		if s.call.Reverse {
			continue
		}
		if s.isReply {
			live := s.reply
			live.Bytes = withoutDelegation(t, server, s.reply)
			for _, u := range calls[s.exchange].Reply(&s.reply, live).Lacking {
				lacking[string(u.Value)] = true
			}
			continue
		}
		if calls[s.exchange], err = binder.Call(s.call); err != nil {
			t.Fatal(err)
		}
		for _, u := range calls[s.exchange].Unbound {
			if !lacking[string(u.Value)] || !strings.Contains(u.Reason, "anonymous") {
				t.Errorf("XID %#08x: %+v", s.xid, u)
			}
			if strings.Contains(string(calls[s.exchange].Bytes), string(u.Value)) {
				t.Errorf("XID %#08x: the captured stateid %x is sent", s.xid, u.Value)
			}
			stood++
		}
	}
	if len(lacking) == 0 || stood == 0 {
		t.Errorf("%d delegations are lacking, %d calls use them", len(lacking), stood)
	}
}

// withoutDelegation is a reply in which no OPEN has a delegation.
func withoutDelegation(t *testing.T, o *otherServer, m bind.Message) []byte {
	tree := o.tree(t, m, true)
	out, at := []byte(nil), 0
	var leave func(n *field.Node)
	leave = func(n *field.Node) {
		if n.Key == "nfs4.open4resok.delegation" {
			out = words(append(out, m.Bytes[at:n.Start]...), 0)
			at = n.End
			return
		}
		for i := range n.Children {
			leave(&n.Children[i])
		}
	}
	leave(&tree)
	return append(out, m.Bytes[at:]...)
}
