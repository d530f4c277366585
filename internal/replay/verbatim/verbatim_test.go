package verbatim_test

import (
	"bytes"
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/fabric"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
	"github.com/rdmacap/rdmacap/internal/replay/verbatim"
	"github.com/rdmacap/rdmacap/internal/replaytest"
	"github.com/rdmacap/rdmacap/internal/ruletest"
	"github.com/rdmacap/rdmacap/internal/scene"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

var at = netip.AddrPortFrom(fabric.ServerAddr, 20049)

// both plays both sides of a conversation to each other.
func both(t *testing.T, f *fabric.Fabric, c *script.Conversation, o verbatim.Options) (client, server *verbatim.Result) {
	t.Helper()
	ctx := replaytest.Patience(t)
	cp, err := verbatim.NewPlan(c, verbatim.Client)
	replaytest.Must(t, err)
	sp, err := verbatim.NewPlan(c, verbatim.Server)
	replaytest.Must(t, err)
	listening, ended := make(chan struct{}), make(chan error, 1)
	go func() {
		var err error
		server, err = verbatim.Listen(ctx, f, at, sp, o, func(netip.AddrPort) { close(listening) })
		ended <- err
	}()
	<-listening
	client, err = verbatim.Dial(ctx, f, at, cp, o)
	replaytest.Must(t, err)
	replaytest.Must(t, <-ended)
	return client, server
}

func ids(list []*finding.Finding) (said []string) {
	for _, x := range list {
		if !slices.Contains(said, x.ID()) {
			said = append(said, x.ID())
		}
	}
	return said
}

// beyond are rules of which samples are not found again, how many at most, and why.
var beyond = map[string]struct {
	samples int
	why     string
}{
	"CREDIT-001": {4, timing}, "CREDIT-009": {4, timing}, "CREDIT-010": {6, timing}, "RPC-002": {2, timing}, "RPC-007": {4, timing}, "ULB-020": {8, timing},
	"V2-009": {2, timing}, "XCHAR-004": {2, timing}, "HDR-015": {4, timing}, "V2-005": {3, timing}, "V2-007": {2, timing}, "XCHAR-002": {4, timing},
	"CREDIT-002": {2, others}, "RPC-004": {8, others}, "RPC-013": {2, others}, "ULB-016": {2, others}, "CREDIT-012": {2, others}, "RPC-010": {4, others}, "RPC-012": {2, others}, "V2-010": {6, others + "; " + naks},
	"CREDIT-008": {3, naks}, "INV-004": {2, naks}, "THRESH-005": {1, naks}, "THRESH-010": {10, naks}, "XCHAR-009": {2, naks}, "RPC-009": {2, naks},
	"DDP-019": {4, reads}, "HDR-009": {2, reads}, "ULB-015": {2, reads},
	"DDP-020": {4, handles}, "INV-003": {4, handles}, "XCHAR-011": {2, handles}, "DDP-014": {1, handles}, "INV-006": {4, handles},
	"ULB-006": {2, "a call is missing at the end, and here the client waits for nothing"},
	"ULB-017": {2, "the port is that of --to and --listen"},
	"V2-003":  {2, "what is found depends on when the connection ends"},
}

const (
	timing  = "seconds between messages are not kept"
	others  = "it takes several connections"
	naks    = "the adapter's answer is its own: there are Receives of any length, and windows for what is invalidated"
	reads   = "a client may open no RDMA Reads"
	handles = "handles are given by the device, for memory that is there"
)

// TestBothSides holds that of two rdmacap that replay the samples of rules at each other, the
// rules find the same as in the samples: malformed headers, versions that nobody speaks,
// credits that are exceeded, writes to memory that is not there.
func TestBothSides(t *testing.T) {
	some := []string{"HDR-003", "DDP-013", "CREDIT-003", "THRESH-003", "ULB-004", "INV-001", "V2-001", "XCHAR-001", "RPC-001"}
	families := []string{"HDR", "DDP", "CREDIT", "THRESH", "ULB", "INV", "RPC", "V2", "XCHAR"}
	tried, again := 0, 0
	for _, r := range catalogue.All() {
		family, _, _ := strings.Cut(r.ID, "-")
		if !slices.Contains(families, family) || !long.Tests && !slices.Contains(some, r.ID) {
			continue
		}
		missed := 0
		fires, _ := r.Samples()
		for _, s := range fires {
			for _, over := range []scene.Transport{scene.RoCE, scene.IWARP} {
				if s.Over == rules.IWARP && over == scene.RoCE || s.Over == rules.RoCE && over == scene.IWARP {
					continue
				}
				tried++
				var found, was []string
				frames := ruletest.Frames(t, s.Text(), over)
				// Patience takes no time here, and is not over while somebody works.
				synctest.Test(t, func(t *testing.T) { found, was = replayed(t, frames, over) })
				if slices.ContainsFunc(found, func(id string) bool { return strings.HasPrefix(id, r.ID) }) {
					again++
					continue
				}
				if missed++; missed > beyond[r.ID].samples {
					t.Errorf("%s over %v: %s: found %v, in the sample %v", r.ID, over, s.Name, found, was)
				}
			}
		}
	}
	t.Logf("%d of %d samples are found again", again, tried)
	if tried == 0 {
		t.Error("no sample was replayed")
	}
}

// replayed are the rules that find something in a capture when it was replayed, and was those
// that did before.
func replayed(t *testing.T, frames []capture.Frame, over scene.Transport) (found, was []string) {
	t.Helper()
	c, err := replaytest.Conversation(t, frames, script.Options{})
	replaytest.Must(t, err)
	d := fabric.SoftRoCE()
	if over == scene.IWARP {
		d = fabric.SoftIWARP()
	}
	f := fabric.New(d)
	both(t, f, c, verbatim.Options{Patience: 200 * time.Millisecond})
	if n := f.Left(); n != 0 {
		t.Errorf("%d connections and listeners are left", n)
	}
	wire, err := f.Captured()
	replaytest.Must(t, err)
	return ids(ruletest.Check(t, catalogue.All(), wire)), ids(ruletest.Check(t, catalogue.All(), frames))
}

// TestSamples holds that captures of real hosts are replayed byte for byte, but for handles
// and offsets, with all data.
func TestSamples(t *testing.T) {
	for _, name := range []string{"rxe-basic", "siw-cb", "version2-roce"} {
		for _, d := range []transport.Device{fabric.SoftRoCE(), fabric.SoftIWARP()} {
			c, err := replaytest.Conversation(t, ruletest.Sample(t, "../../../samples/"+name+".pcap.zst"), script.Options{})
			replaytest.Must(t, err)
			f := fabric.New(d)
			client, server := both(t, f, c, verbatim.Options{})
			for _, r := range []*verbatim.Result{client, server} {
				if r.Ended != "" || r.Other != 0 || len(r.Notes) != 0 {
					t.Errorf("%s on %s: %v: %+v", name, d.Name, r.End, r)
				}
			}
			if client.Sent != server.Received || server.Sent != client.Received || client.Sent+server.Sent != len(c.Messages) || client.Moved+server.Moved != len(c.Operations) {
				t.Errorf("%s on %s: %d messages and %d operations: %+v, %+v", name, d.Name, len(c.Messages), len(c.Operations), client, server)
			}
			wire, err := f.Captured()
			replaytest.Must(t, err)
			again, err := replaytest.Conversation(t, wire, script.Options{})
			replaytest.Must(t, err)
			if len(again.Calls) != len(c.Calls) {
				t.Fatalf("%s on %s: %d calls, %d captured", name, d.Name, len(again.Calls), len(c.Calls))
			}
			for i, call := range c.Calls {
				for j := range call.Segments {
					if !bytes.Equal(call.Segments[j].Data, again.Calls[i].Segments[j].Data) {
						t.Errorf("%s on %s: %s: the data of segment %d are not as captured", name, d.Name, call.Name, j)
					}
				}
			}
		}
	}
}

// TestGone holds that a side whose peer leaves, or is silent, comes to its end, and says why.
func TestGone(t *testing.T) {
	c, err := replaytest.Conversation(t, ruletest.Sample(t, "../../../samples/rxe-basic.pcap.zst"), script.Options{})
	replaytest.Must(t, err)
	plan, err := verbatim.NewPlan(c, verbatim.Client)
	replaytest.Must(t, err)
	f := fabric.New(fabric.SoftRoCE())
	l, err := f.Listen(at)
	replaytest.Must(t, err)
	defer l.Close()
	for _, leaves := range []bool{true, false} {
		accepted := make(chan transport.Connection, 1)
		go func() {
			r, err := l.Next(context.Background())
			if err != nil {
				return
			}
			s, err := r.Accept(context.Background(), transport.Options{})
			if err != nil {
				return
			}
			if leaves {
				s.Close()
			}
			accepted <- s
		}()
		r, err := verbatim.Dial(replaytest.Patience(t), f, at, plan, verbatim.Options{Patience: 50 * time.Millisecond})
		replaytest.Must(t, err)
		want := "for too long"
		if leaves {
			want = "has ended"
		}
		if !strings.Contains(r.Ended, want) {
			t.Errorf("%v", r.Ended)
		}
		(<-accepted).Close()
	}
}
