package requester_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/replay/bind"
	"github.com/rdmacap/rdmacap/internal/replay/effect"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
	"github.com/rdmacap/rdmacap/internal/replaytest"
)

// bound are options with a binder.
func bound(t *testing.T) requester.Options {
	t.Helper()
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	binder, err := bind.New(bind.Options{OwnerSuffix: " again"}, spec)
	if err != nil {
		t.Fatal(err)
	}
	return requester.Options{Binder: binder, Compare: binder, Specs: []*types.Spec{spec}}
}

// captured are the operations of a plan that end what the captured server gave.
func captured(t *testing.T, c *script.Conversation, o requester.Options) (list []string) {
	t.Helper()
	p, err := requester.NewPlan(c, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range p.Effects.Of(effect.Changes) {
		if name, is := strings.CutSuffix(n.By, " with what the captured server returned"); is {
			list = append(list, name)
		}
	}
	return list
}

// TestCapturedIDs holds that what ends a session, a client or an open of the captured client
// counts as a change, unless a reply of the replay's own gives what is sent in its place.
func TestCapturedIDs(t *testing.T) {
	t.Parallel()
	whole := script.Options{Connection: 3}
	late := whole
	late.Select = func(r *dissect.RPC) bool {
		return slices.ContainsFunc(r.Ops(nil), func(op dissect.Op) bool { return op.Name == "CLOSE" || op.Name == "DESTROY_SESSION" })
	}
	for _, tt := range []struct {
		name string
		of   script.Options
		o    requester.Options
		want []string
	}{
		{"without a binder", whole, requester.Options{}, []string{"NFS4 CLOSE", "NFS4 DELEGRETURN", "NFS4 DESTROY_SESSION", "NFS4 DESTROY_CLIENTID"}},
		{"with a binder", whole, bound(t), nil},
		// The session is one that the replay makes, but no name leads to the files.
		{"with a binder, and nothing that gives IDs", late, bound(t), []string{"NFS4 CLOSE"}},
	} {
		if got := captured(t, replaytest.Sample(t, "rxe-basic", tt.of), tt.o); !slices.Equal(got, tt.want) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestLackingID has the live server refuse an OPEN: the CLOSE of what the captured server
// gave is not sent where no changes are to be made.
func TestLackingID(t *testing.T) {
	t.Parallel()
	closes := 0
	c := replaytest.Sample(t, "rxe-thresh", script.Options{Select: func(r *dissect.RPC) bool {
		name := string(r.AppendName(nil, r.Ops(nil)))
		if name == "NFS4 CLOSE" {
			closes++
			return closes == 4 // those before are of files that are made
		}
		return closes < 4 && name != "NFS4 WRITE" && name != "NFS4 CREATE" && (name != "NFS4 OPEN" || closes == 3)
	}})
	var opened int
	for i, call := range c.Calls {
		if call.Name == "NFS4 OPEN" {
			opened = i
		}
	}
	s := &server{change: func(i int, call *script.Call, reply []byte) ([]byte, bool) {
		if i == opened {
			reply = append(reply[:12], 0, 0, 0, 4, 0, 0, 0, 2) // RDMA_ERROR, ERR_CHUNK
		}
		return reply, true
	}}
	o := bound(t)
	o.NoChanges = true
	r, _ := replay(t, fabric.SoftRoCE(), c, s, o)
	last := r.Exchanges[len(r.Exchanges)-1]
	if last.Call.Name != "NFS4 CLOSE" || last.Outcome != requester.NotSent || !strings.Contains(last.Why, "NFS4 CLOSE with what the captured server returned") {
		t.Errorf("%s: %v, %q", last.Call.Name, last.Outcome, last.Why)
	}
	if n := r.Counts(); n.NotSent != 1 || n.Answered != n.Calls-1 || len(s.read) != n.Answered {
		t.Errorf("%+v, and the server got %d calls", n, len(s.read))
	}
}

// TestNoChanges holds that a plan that may change files is not carried out where none are to
// be made, and that an edit of what a server reads may.
func TestNoChanges(t *testing.T) {
	t.Parallel()
	c := replaytest.Sample(t, "rxe-basic", script.Options{Marks: []func(*dissect.RPC) bool{func(r *dissect.RPC) bool { return true }}})
	p, err := requester.NewPlan(c, requester.Options{NoChanges: true})
	if err != nil {
		t.Fatal(err)
	}
	f := fabric.New(fabric.SoftRoCE())
	if _, err := requester.Run(t.Context(), f, c.Server.Addr, p); err == nil || !strings.Contains(err.Error(), "would, or may, change files") {
		t.Errorf("%v", err)
	}
	for field, want := range map[string]bool{"rdma.credits": false, "rdma.xid": false, "rdma.proc": true, "rdma.version": true} {
		p, err := requester.NewPlan(c, requester.Options{Edits: []requester.Edit{{Edit: wire.Edit{Field: field, Nth: -1, Value: 1}}}})
		if err != nil {
			t.Fatal(err)
		}
		edited := 0
		for _, n := range p.Effects.Of(effect.Changes) {
			if strings.HasSuffix(n.By, " with "+field+" edited") {
				edited += n.Calls
			}
		}
		if (edited == p.Calls) != want || edited != 0 && !want {
			t.Errorf("%s: %d of %d calls count as changes for it", field, edited, p.Calls)
		}
	}
}
