package main

import (
	"fmt"
	"os"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/rdmacap/rdmacap/internal/veth"
)

// TestLiveMetricsOfInterface captures on an interface, which goes down and comes up again, and
// asks what is known of that.
func TestLiveMetricsOfInterface(t *testing.T) {
	p := veth.New(t)
	p.Set(t, "link", "set", "lo", "up")
	space, err := os.Open(fmt.Sprintf("/proc/self/task/%d/ns/net", unix.Gettid()))
	if err != nil {
		t.Skip("the network namespace of a thread cannot be opened: ", err)
	}
	defer space.Close()
	frames, _ := carried(t, "rxe-cb", plain())
	var out, diag watched
	got := whileRunning(t, streams{out: &out, err: &diag}, &out, &diag, func(*watched) {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		if err := unix.Setns(int(space.Fd()), unix.CLONE_NEWNET); err != nil {
			t.Error(err)
		}
		diag.guard.Lock()
		address := metricsAddress.FindStringSubmatch(diag.String())[1]
		diag.guard.Unlock()
		for _, f := range frames {
			if err := p.Send(f); err != nil {
				t.Error(err)
			}
		}
		_, text := untilAnswered(t, address, "/metrics", fmt.Sprintf("\nrdmacap_frames_total %d\n", len(frames)))
		if !strings.Contains(text, "\nrdmacap_interface_up{interface=\"far0\"} 1\n") {
			t.Errorf("far0 is not up: %s", text)
		}
		lag := regexp.MustCompile(`\nrdmacap_analysis_lag_seconds (\S+)\n`).FindStringSubmatch(text)
		if lag == nil {
			t.Errorf("there is no lag: %s", text)
		} else if s, err := strconv.ParseFloat(lag[1], 64); err != nil || s <= 0 || s > 60 {
			t.Errorf("the lag is %s seconds", lag[1])
		}
		if err := p.SetUp(p.Far, false); err != nil {
			t.Error(err)
		}
		if status, _ := untilAnswered(t, address, "/readyz", "far0: the interface is down\n"); status != 503 {
			t.Errorf("not ready is status %d", status)
		}
		if err := p.SetUp(p.Far, true); err != nil {
			t.Error(err)
		}
		if status, _ := untilAnswered(t, address, "/readyz", "capturing\n"); status != 200 {
			t.Errorf("ready is status %d", status)
		}
	}, "-i", p.Far, "--brief", "--metrics", "127.0.0.1:0")
	if got.status != exitInterrupted {
		t.Errorf("status %d, standard error %q", got.status, got.err)
	}
}

// TestUnitRuns holds that the command line of the systemd unit is one that rdmacap takes.
func TestUnitRuns(t *testing.T) {
	text, err := os.ReadFile("../../docs/monitoring/rdmacap-live@.service")
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^ExecStart=\S+/rdmacap (.*)$`).FindStringSubmatch(string(text))
	if line == nil {
		t.Fatal("no ExecStart")
	}
	args := strings.Fields(strings.NewReplacer("%I", "nonesuch", "${METRICS}", "127.0.0.1:0", "$OPTIONS", "").Replace(line[1]))
	r := rdmacap(args...)
	if want := "rdmacap: nonesuch: there is no such interface ('rdmacap interfaces' lists them)\n"; r.status != exitUnusable || !strings.HasSuffix(r.err, want) {
		t.Errorf("rdmacap %q: %+v", args, r)
	}
}
