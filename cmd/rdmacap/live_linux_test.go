package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/long"
	"github.com/rdmacap/rdmacap/internal/timed"
	"github.com/rdmacap/rdmacap/internal/veth"
	"github.com/rdmacap/rdmacap/internal/wrap"
	"github.com/rdmacap/rdmacap/iwarp"
)

// whileLive runs `live` in the test's namespace, does something when it captures, and
// interrupts it.
func whileLive(t *testing.T, do func(out *watched), args ...string) result {
	t.Helper()
	var out, diag watched
	return whileRunning(t, streams{out: &out, err: &diag}, &out, &diag, do, args...)
}

// whileRunning does that with streams that are given.
func whileRunning(t *testing.T, s streams, out, diag *watched, do func(out *watched), args ...string) result {
	t.Helper()
	ctx, interrupt := context.WithCancel(t.Context())
	did := make(chan bool, 1)
	go func() {
		defer close(did)
		defer interrupt()
		if diag.until("capturing; interrupt to end") {
			do(out)
			did <- true
		}
	}()
	// It captures in the namespace of this thread.
	status := run(ctx, append([]string{"live"}, args...), s)
	if !<-did {
		t.Fatalf("rdmacap live %q: status %d, standard error %q", args, status, diag.String())
	}
	return result{out.String(), diag.String(), status}
}

// carried are the frames of a sample that the capture filter passes, each wrapped, and the
// same as a capture file.
func carried(t *testing.T, name string, in wrap.Kind) (frames [][]byte, file string) {
	t.Helper()
	from, err := capture.Open(sample(name), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer from.Close()
	var f capture.Frame
	var p link.Packet
	le := binary.LittleEndian
	data := []byte("\x4d\x3c\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x01\x00\x00\x00")
	for from.Next(&f) == nil {
		p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
		if p.Transport == link.NotRDMA || p.Transport == link.TCP && !iwarp.IsPort(p.SrcPort, 0) && !iwarp.IsPort(p.DstPort, 0) {
			continue
		}
		if f.Link != link.TypeEthernet || int(f.Length) != len(f.Data) {
			t.Skipf("%s: frame %d of %v with %d bytes of %d cannot be sent", name, f.Number, f.Link, len(f.Data), f.Length)
		}
		frame := in.Frame(f.Data)
		frames = append(frames, frame)
		for _, n := range []uint32{uint32(f.Time / 1e9), uint32(f.Time % 1e9), uint32(len(frame)), uint32(len(frame))} {
			data = le.AppendUint32(data, n)
		}
		data = append(data, frame...)
	}
	file = filepath.Join(t.TempDir(), name+".pcap")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return frames, file
}

// lastingRecords are the records of a type, without what depends on times. Of findings they are
// those that are final, but for the rule about latencies: playing takes less time.
func lastingRecords(t *testing.T, out, kind string) (list []string) {
	t.Helper()
	for line := range strings.Lines(out) {
		var r map[string]any
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if r["type"] != kind || r["final"] == false {
			continue
		}
		if id, ok := r["rule"].(string); ok && timed.Rule(id) {
			continue
		}
		if kind == "finding" {
			r = map[string]any{"rule": r["rule"], "xid": r["xid"], "frame": r["frame"], "connection": r["connection"], "count": r["count"], "severity": r["severity"], "bytes": r["bytes"]}
		}
		if r["rule"] == "TRANS-013b" { // what was retransmitted because of a time-out is told by times
			delete(r, "count")
		}
		withoutTimes(r)
		text, err := json.Marshal(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(text))
	}
	slices.Sort(list)
	return list
}

var ofTimes = regexp.MustCompile(`(^|_)(time|ns)$|_ns$|^summary$|^server_or_lost_reply$`)

func withoutTimes(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k := range v {
			if ofTimes.MatchString(k) {
				delete(v, k)
			} else {
				withoutTimes(v[k])
			}
		}
	case []any:
		for _, x := range v {
			withoutTimes(x)
		}
	}
}

// plain leaves frames as they are.
func plain() wrap.Kind { return wrap.Kind{Name: "plain", Frame: bytes.Clone} }

// tagged gives frames a VLAN tag.
func tagged() wrap.Kind {
	return wrap.Kind{Name: "tagged", Frame: func(f []byte) []byte { return slices.Concat(f[:12], []byte{0x81, 0x00, 0x20, 0x07}, f[12:]) }}
}

// waysOf are the ways in which a sample is played: of the small ones all tunnels with the
// tag long, else one.
func waysOf(name string) []wrap.Kind {
	ways := []wrap.Kind{plain(), tagged()}
	if name != "rxe-cb" && name != "siw-cb" {
		return ways
	}
	return append(ways, long.Pick([]wrap.Kind{wrap.Nested()}, append(wrap.Kinds(), wrap.Nested()))...)
}

// TestLiveIsAsRead plays samples onto a wire, plain and in tunnels: what `live` says is what
// `read` and `check` say of the file. The kernel takes VLAN tags off, and they must be back.
func TestLiveIsAsRead(t *testing.T) {
	veth.New(t) // or skips
	for _, name := range long.Pick([]string{"rxe-cb", "siw-cb", "rxe-ipv6"}, []string{
		"rxe-cb", "siw-cb", "rxe-ipv6", "rxe-acl", "rxe-basic", "rxe-krb", "rxe-loss", "rxe-perftest", "rxe-thresh", "siw-basic", "siw-loss",
		"siw-perftest", "version2-iwarp", "version2-roce", "fallback-iwarp", "fallback-roce",
	}) {
		for _, way := range waysOf(name) {
			t.Run(name+" "+way.Name, func(t *testing.T) {
				p := veth.New(t)
				frames, file := carried(t, name, way)
				got := whileLive(t, func(*watched) {
					for _, f := range frames { // for all of which the ring has room
						if err := p.Send(f); err != nil {
							t.Error(err)
						}
					}
				}, "-i", p.Far, "--format", "ndjson")
				if got.status != exitInterrupted {
					t.Fatalf("status %d, standard error %q", got.status, got.err)
				}
				sum := lastingRecords(t, got.out, "summary")
				if len(sum) != 1 || !strings.Contains(sum[0], fmt.Sprintf(`"frames":%d,`, len(frames))) {
					t.Errorf("%d frames were sent: %q", len(frames), sum)
				}
				for kind, of := range map[string]string{
					"rpc":     must(t, "read", "--format", "ndjson", file),
					"finding": rdmacap("check", "--format", "ndjson", file).out,
				} {
					a, b := lastingRecords(t, got.out, kind), lastingRecords(t, of, kind)
					if !slices.Equal(a, b) {
						t.Errorf("%d %s records, want %d:\n%s", len(a), kind, len(b), differing(strings.Join(a, "\n"), strings.Join(b, "\n")))
					}
				}
			})
		}
	}
}

// TestLiveDelay holds that a row comes soon after the frame that completes its RPC.
func TestLiveDelay(t *testing.T) {
	p := veth.New(t)
	frames, file := carried(t, "rxe-cb", plain())
	want := len(lastingRecords(t, must(t, "read", "--format", "ndjson", file), "rpc"))
	var took time.Duration
	came := false
	got := whileLive(t, func(out *watched) {
		for _, f := range frames {
			if err := p.Send(f); err != nil {
				t.Error(err)
			}
		}
		sent := time.Now()
		for !came && took < time.Minute {
			time.Sleep(time.Millisecond)
			took = time.Since(sent)
			out.guard.Lock()
			rows := strings.Count(out.String(), `{"type":"rpc"`)
			out.guard.Unlock()
			came = rows == want
		}
	}, "-i", p.Far, "--format", "ndjson")
	t.Logf("the last of %d rows came %v after the last frame", want, took)
	if !came {
		t.Errorf("the last row does not come while nothing else does; %s", got.err)
	}
}

// TestLiveBrief holds the form of the lines, and what ends them.
func TestLiveBrief(t *testing.T) {
	p := veth.New(t)
	frames, _ := carried(t, "rxe-cb", plain())
	got := whileLive(t, func(*watched) {
		for _, f := range frames {
			if err := p.Send(f); err != nil {
				t.Error(err)
			}
		}
	}, "-i", p.Far, "--brief")
	lines := strings.Split(strings.TrimSpace(got.out), "\n")
	form := regexp.MustCompile(`^far0:[0-9]+: (error|warning|note): [A-Z0-9]+-[0-9]+[a-z]?: .`)
	if len(lines) < 4 || !form.MatchString(lines[0]) || !form.MatchString(lines[1]) || !strings.Contains(got.out, "on 2 of 2 connections") {
		t.Errorf("%+v", got)
	}
}

// A held writer takes nothing until it is let go.
type held struct {
	*watched
	goOn <-chan struct{}
}

func (w held) Write(p []byte) (int, error) {
	<-w.goOn
	return w.watched.Write(p)
}

// TestLiveDrops has more frames come than are taken: they are counted, every one, and
// nobody is accused of anything because of them.
func TestLiveDrops(t *testing.T) {
	for _, name := range long.Pick([]string{"rxe-acl"}, []string{"rxe-basic", "siw-basic", "rxe-acl"}) {
		p := veth.New(t)
		frames, file := carried(t, name, plain())
		var diag, out watched
		sent := make(chan struct{})
		whileRunning(t, streams{out: held{&out, sent}, err: &diag}, &out, &diag, func(*watched) {
			defer close(sent)
			for _, f := range frames {
				if err := p.Send(f); err != nil {
					t.Error(err)
				}
			}
		}, "-i", p.Far, "--format", "ndjson", "--buffer", "1MiB", "--level", "frame")
		var came, dropped int
		for line := range strings.Lines(out.String()) {
			var r struct {
				Type                       string
				Frames, Kernel, Ring, Shed int
			}
			if err := json.Unmarshal([]byte(line), &r); err == nil && r.Type == "summary" {
				came = r.Frames
			} else if r.Type == "drops" {
				dropped = r.Kernel + r.Ring + r.Shed
			}
		}
		t.Logf("%s: %d frames sent, %d came, %d dropped", name, len(frames), came, dropped)
		if came+dropped != len(frames) {
			t.Errorf("%s: %d frames came and %d were counted, of %d", name, came, dropped, len(frames))
		}
		if dropped == 0 {
			t.Errorf("%s: nothing was dropped: this shows nothing", name)
		}
		known := strings.Join(lastingRecords(t, rdmacap("check", "--format", "ndjson", file).out, "finding"), "\n")
		for _, f := range lastingRecords(t, out.String(), "finding") {
			var found struct{ Rule, Severity string }
			if err := json.Unmarshal([]byte(f), &found); err != nil {
				t.Fatal(err)
			}
			if found.Severity == "error" && !strings.Contains(known, `"rule":"`+found.Rule+`"`) {
				t.Errorf("%s: because of drops: %s", name, f)
			}
		}
	}
}
