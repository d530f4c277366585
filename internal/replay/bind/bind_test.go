package bind_test

import (
	"bytes"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// TestSamplesOnAnotherServer replays the calls of shipped captures to a server that gives
// everything another value: each call has to become exactly the one that a client of that
// server would have sent.
func TestSamplesOnAnotherServer(t *testing.T) {
	for _, name := range long.Pick(
		[]string{"rxe-basic", "siw-basic", "rxe-cb"},
		[]string{"rxe-basic", "siw-basic", "rxe-thresh", "rxe-acl", "rxe-cb", "siw-cb", "rxe-ipv6", "rxe-loss", "siw-loss"},
	) {
		t.Run(name, func(t *testing.T) {
			found := record(t, name)
			for id, steps := range found.steps() {
				replayed(t, id, steps)
			}
		})
	}
}

// replayed replays one connection.
func replayed(t *testing.T, id int, steps []step) {
	server := newServer(t)
	binder, err := bind.New(bind.Options{OwnerSuffix: suffix}, spec(t))
	if err != nil {
		t.Fatal(err)
	}
	survey, err := bind.NewSurvey(spec(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range steps {
		if !s.isReply && survey.Root() == nil {
			if _, err := survey.Call(s.call); err != nil {
				t.Fatal(err)
			}
		}
	}
	if root := survey.Root(); root != nil {
		binder.TieHandle(root, server.becomes("nfs3.nfs_fh3.data", root))
	}
	calls := make(map[*exchange]*bind.Call)
	bound, unbound := 0, 0
	for _, s := range steps {
		if s.call.Reverse {
			continue
		}
		if s.isReply {
			live := s.reply
			live.Bytes = server.translate(t, s.reply, true)
			v := calls[s.exchange].Reply(&s.reply, live)
			if v.Retry || len(v.Lacking) > 0 || v.Status != v.Captured {
				t.Errorf("connection %d XID %#08x: verdict %+v", id, s.xid, v)
			}
			if list, more := binder.Compare(s.reply, live); len(list)+more > 0 {
				t.Errorf("connection %d XID %#08x: differences %+v, %d more", id, s.xid, list, more)
			}
			continue
		}
		want := server.translate(t, s.call, false)
		c, err := binder.Call(s.call)
		if err != nil {
			t.Fatal(err)
		}
		calls[s.exchange] = c
		for _, u := range c.Unbound {
			t.Errorf("connection %d XID %#08x: %s %x %s", id, s.xid, u.Field, u.Value, u.Reason)
			unbound++
		}
		if !bytes.Equal(c.Bytes, want) {
			t.Errorf("connection %d XID %#08x:\n%x became\n%x, want\n%x", id, s.xid, s.call.Bytes, c.Bytes, want)
		}
		if !bytes.Equal(c.Bytes, s.call.Bytes) {
			bound++
		}
		if t.Failed() && unbound > 5 {
			return
		}
	}
	t.Logf("connection %d: %d calls, %d changed, %d items became others", id, len(calls), bound, server.count)
}
