package bind_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
)

// A lateReplay replays what is left of a connection when its capture begins late, to another server.
type lateReplay struct {
	*testing.T
	server *otherServer
	binder *bind.Binder
	begin  *bind.Beginning
	// slots are what the live server has had on each, and last the number that the capture has.
	slots, last map[string]uint32
	unbound     map[string]int // by kind
}

// late begins a replay of steps.
func late(t *testing.T, steps []step, export string) *lateReplay {
	t.Helper()
	r := &lateReplay{T: t, server: newServer(t), slots: make(map[string]uint32), last: make(map[string]uint32), unbound: make(map[string]int)}
	var err error
	if r.binder, err = bind.New(bind.Options{OwnerSuffix: suffix}, spec(t)); err != nil {
		t.Fatal(err)
	}
	l, err := bind.NewLate(spec(t))
	if err != nil {
		t.Fatal(err)
	}
	calls := make(map[*exchange]*bind.Call)
	for _, s := range steps {
		if !s.isReply {
			if calls[s.exchange], err = l.Call(s.call); err != nil {
				t.Fatal(err)
			}
		} else if calls[s.exchange] != nil {
			l.Reply(calls[s.exchange], s.reply)
		}
	}
	var exports []bind.Export
	for _, text := range strings.Fields(export) {
		e, err := bind.ParseExport(text)
		if err != nil {
			t.Fatal(err)
		}
		exports = append(exports, e)
	}
	if r.begin, err = l.Begin("owner", exports); err != nil {
		t.Fatal(err)
	}
	return r
}

// count says what the live server expects of the slot that a call is on: it begins at 1, whatever the
// capture has.
func (r *lateReplay) count(call []byte) {
	var h rpc.Call
	h.Decode(call)
	const tag, minor, operations = 4, 4, 4
	b := call[h.Length+tag+minor+operations:]
	if binary.BigEndian.Uint32(b) != 53 {
		return
	}
	sequence, slot := binary.BigEndian.Uint32(b[20:]), string(b[4:20])+string(b[24:28])
	if n, seen := r.last[slot]; !seen || n != sequence {
		r.slots[slot]++
	}
	r.last[slot] = sequence
	r.server.slots[slot] = r.slots[slot] - sequence
}

// call gives the binder a call, which has to become the one that a client of the other server would
// have sent; but for what is noted as unbound.
func (r *lateReplay) call(name string, m bind.Message) *bind.Call {
	r.Helper()
	if m.Program == rpc.ProgramNFS && m.Procedure == 1 {
		r.count(m.Bytes)
	}
	want := r.server.translate(r.T, m, false)
	c, err := r.binder.Call(m)
	if err != nil {
		r.Fatal(err)
	}
	for _, u := range c.Unbound {
		r.unbound[u.Kind]++
	}
	if len(c.Unbound) == 0 && !bytes.Equal(c.Bytes, want) {
		r.Errorf("%s:\n%x became\n%x, want\n%x", name, m.Bytes, c.Bytes, want)
	}
	return c
}

// own makes calls of the replay's own; all of them are answered as the captured server would have.
func (r *lateReplay) own(list []bind.Own) {
	r.Helper()
	for _, o := range list {
		c := r.call(o.What, o.Call)
		live := o.Reply
		live.Bytes = r.server.translate(r.T, o.Reply, true)
		if v := c.Reply(&o.Reply, live); v.Status != "NFS4_OK" || len(v.Lacking) > 0 || len(c.Unbound) > 0 {
			r.Errorf("%s: %+v, unbound %+v", o.What, v, c.Unbound)
		}
	}
}

// captured replays the steps.
func (r *lateReplay) captured(steps []step) {
	r.Helper()
	calls := make(map[*exchange]*bind.Call)
	for _, s := range steps {
		switch {
		case s.call.Reverse:
		case !s.isReply:
			calls[s.exchange] = r.call(fmt.Sprintf("XID %#08x", s.xid), s.call)
		case calls[s.exchange] != nil:
			live := s.reply
			live.Bytes = r.server.translate(r.T, s.reply, true)
			calls[s.exchange].Reply(&s.reply, live)
		}
	}
}

// names are what the calls do.
func names(list []bind.Own) (names []string) {
	for _, o := range list {
		names = append(names, o.What)
	}
	return names
}

// TestLateSession cuts the beginning off real connections of NFS 4.1 and 4.2: a client and a session
// are made, and every call is of that session, on slots that begin at 1.
func TestLateSession(t *testing.T) {
	for _, name := range []string{"rxe-basic", "siw-basic"} {
		for id := 3; id <= 4; id++ {
			all := record(t, name).steps()[id]
			for _, cut := range []int{9, 40, len(all) / 2} {
				t.Run(fmt.Sprintf("%s %d from %d", name, id, cut), func(t *testing.T) {
					r := late(t, all[cut:], "")
					slots := "2 slots, backchannel"
					if cut > 100 { // the two WRITEs that are open at once are over
						slots = "1 slot, backchannel"
					}
					want := []string{"EXCHANGE_ID", fmt.Sprintf("CREATE_SESSION of NFS 4.%d: %s", id-2, slots), "RECLAIM_COMPLETE"}
					if got := names(r.begin.Before); fmt.Sprint(got[:3]) != fmt.Sprint(want) {
						t.Errorf("it begins with %q, want %q", got, want)
					}
					if len(r.begin.After) > 0 { // the capture takes session and client away
						t.Errorf("it ends with %q", names(r.begin.After))
					}
					r.own(r.begin.Before)
					r.captured(all[cut:])
					for _, kind := range []string{"session", "client", "sequence", "slot"} {
						if r.unbound[kind] > 0 {
							t.Errorf("%d of kind %s are not bound", r.unbound[kind], kind)
						}
					}
				})
			}
			t.Run(fmt.Sprintf("%s %d ends early", name, id), func(t *testing.T) {
				r := late(t, all[40:len(all)-4], "")
				if got, want := fmt.Sprint(names(r.begin.After)), "[DESTROY_SESSION DESTROY_CLIENTID]"; got != want {
					t.Errorf("it ends with %s, want %s", got, want)
				}
				r.own(r.begin.Before)
				r.captured(all[40 : len(all)-4])
				r.own(r.begin.After)
			})
			t.Run(fmt.Sprintf("%s %d whole", name, id), func(t *testing.T) {
				if r := late(t, all, ""); len(r.begin.Before)+len(r.begin.After) > 0 {
					t.Errorf("nothing is missing, and %q, %q", names(r.begin.Before), names(r.begin.After))
				}
			})
		}
	}
}

// TestLateHandles begins real connections of NFS 4.1 and 4.2 at many messages: with the path of
// the mounted directory every handle is found by names, and every stateid of a file that is still
// read or written is that of an OPEN.
func TestLateHandles(t *testing.T) {
	for _, name := range []string{"rxe-basic", "siw-basic"} {
		for id := 3; id <= 4; id++ {
			all := record(t, name).steps()[id]
			asked, opened := 0, 0
			for cut := 9; cut < len(all)-20; cut += long.Pick(30, 5) { // GETATTR at the end has no name
				r := late(t, all[cut:], "/")
				r.own(r.begin.Before)
				r.captured(all[cut:])
				for kind, n := range r.unbound {
					// A delegation from before the capture is not made.
					if kind != "stateid" || n > 4 {
						t.Errorf("%s %d from %d: %d of kind %s are not bound", name, id, cut, n, kind)
					}
				}
				if len(r.begin.Lacking) > 0 {
					t.Errorf("%s %d from %d: %q", name, id, cut, r.begin.Lacking)
				}
				for _, what := range names(r.begin.Before) {
					if strings.HasPrefix(what, "LOOKUP") {
						asked++
					} else if strings.HasPrefix(what, "OPEN") {
						opened++
					}
				}
			}
			if asked < 12 || opened < 1 {
				t.Errorf("%s %d: %d handles were asked for, and %d files opened", name, id, asked, opened)
			}
		}
	}
}

// TestLateWithoutExport holds that nothing is taken for granted where no names lead to a handle, and
// that it is reported.
func TestLateWithoutExport(t *testing.T) {
	all := record(t, "siw-basic").steps()[3]
	cut := len(all) / 2
	r := late(t, all[cut:], "")
	if got := fmt.Sprint(names(r.begin.Before)); got != "[EXCHANGE_ID CREATE_SESSION of NFS 4.1: 1 slot, backchannel RECLAIM_COMPLETE]" {
		t.Errorf("it begins with %s", got)
	}
	if got := fmt.Sprint(r.begin.Lacking); !strings.Contains(got, "the handle 0100010000000000, below which the capture uses ") || !strings.Contains(got, " names, has no name: --export 0100010000000000=PATH gives its path") {
		t.Errorf("it lacks %s", got)
	}
	r.own(r.begin.Before)
	r.captured(all[cut:])
	if r.unbound["handle"] == 0 {
		t.Error("handles are bound, and nobody said where they are")
	}
}
