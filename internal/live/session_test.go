package live

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture/keep"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/internal/shipped"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/metrics"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/catalogue"
)

// A lines is what was told, in order.
type lines struct {
	guard sync.Mutex
	list  []string
}

func (l *lines) tell(line string) {
	l.guard.Lock()
	defer l.guard.Unlock()
	l.list = append(l.list, line)
}

// options are those of a session that reads a capture and writes records.
func options(t *testing.T, from string, out io.Writer) (Options, *lines) {
	t.Helper()
	list := catalogue.All()
	b, err := bindings(list)
	if err != nil {
		t.Fatal(err)
	}
	var found check.Options
	found.Rules, found.Config, found.Files = list, rules.DefaultConfig(), 1
	if found.Selection, err = finding.Select(rules.Texts(list), ""); err != nil {
		t.Fatal(err)
	}
	memory, err := Memory{Total: 256 << 20, Ring: 64 << 20}.Divide(0, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	told := new(lines)
	return Options{
		From: from, Memory: memory, Found: found, Shown: listing.Options{Brief: true, Names: []string{from}, Files: 1}, Form: record.NewLive, Out: out,
		Metrics: metrics.Options{Rules: rules.Texts(list), Selection: found.Selection},
		Input:   pipeline.Options{Bindings: b}, Notify: told.tell, Answering: told.tell,
		Stopping: pipeline.Stopping{Clock: time.Now, Interrupted: func() { told.tell("interrupted") }},
		HangUp:   func(func()) func() { return func() { told.tell("released") } },
	}, told
}

// TestSession reads a capture, keeps its frames, and answers for monitoring.
func TestSession(t *testing.T) {
	var out bytes.Buffer
	o, told := options(t, sample("rxe-cb"), &out)
	dir := t.TempDir()
	limits, err := keep.Limits{}.ParseLimits("64MB,1h,100")
	if err != nil {
		t.Fatal(err)
	}
	o.Keep, o.Address = &Keeping{Dir: dir, Ring: &limits}, "127.0.0.1:0"
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Open(t.Context()); err != nil {
		t.Fatal(err)
	}
	r, err := s.Run()
	if err != nil || r.Unopened != nil || r.Faults != nil || r.Interrupted {
		t.Errorf("%v, %+v", err, r)
	}
	if len(told.list) != 1 || !strings.HasPrefix(told.list[0], "metrics are on http://127.0.0.1:") {
		t.Fatalf("%q", told.list)
	}
	answer, err := http.Get(strings.TrimPrefix(told.list[0], "metrics are on ") + "metrics")
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	answer.Body.Close()
	if err != nil || !bytes.Contains(text, []byte("\nrdmacap_frames_total 585\n")) {
		t.Errorf("%v: %s", err, text)
	}
	s.Close()
	if _, err := http.Get(strings.TrimPrefix(told.list[0], "metrics are on ") + "metrics"); err == nil {
		t.Error("it answers when it is closed")
	}
	if files, err := filepath.Glob(filepath.Join(dir, "*.pcapng")); err != nil || len(files) != 1 || told.list[len(told.list)-1] != "released" {
		t.Errorf("%v, %q, %q", err, files, told.list)
	}
	if n := strings.Count(out.String(), `{"type":"finding"`); n == 0 || !strings.Contains(out.String(), `{"type":"summary"`) {
		t.Errorf("%d findings in %s", n, &out)
	}
}

// TestSessionInterrupted follows a file that grows until its context ends.
func TestSessionInterrupted(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.pcap")
	if err := os.WriteFile(path, shipped.Whole(t, "rxe-cb"), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	o, told := options(t, path, &out)
	o.Follow = true
	ctx, cancel := context.WithCancel(t.Context())
	o.Input.Begun = cancel
	s, err := New(o)
	if err == nil {
		err = s.Open(ctx)
	}
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	r, err := s.Run()
	if err != nil || !r.Interrupted || len(told.list) != 1 || !strings.Contains(out.String(), `{"type":"summary"`) {
		t.Errorf("%v, %+v, %q, %s", err, r, told.list, &out)
	}
}

// TestSessionCannotBegin holds which errors there are before anything is followed, and that
// nothing is left of the session then.
func TestSessionCannotBegin(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	o, _ := options(t, sample("rxe-cb"), io.Discard)
	o.Address = taken.Addr().String()
	if _, err := New(o); !isA[*AddressError](err) || !strings.Contains(err.Error(), "is in use") {
		t.Errorf("%v", err)
	}
	o, told := options(t, sample("rxe-cb"), io.Discard)
	o.Address, o.Keep = "127.0.0.1:0", &Keeping{Dir: filepath.Join(t.TempDir(), "nonesuch", "below")}
	if _, err := New(o); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
	if _, err := http.Get(strings.TrimPrefix(told.list[0], "metrics are on ") + "metrics"); err == nil {
		t.Error("it answers though there is no session")
	}
	o, _ = options(t, t.TempDir(), io.Discard)
	s, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.Open(t.Context()); err == nil || !strings.HasSuffix(err.Error(), ": is a directory; --follow reads its files one after another") {
		t.Errorf("%v", err)
	}
}

func isA[E error](err error) bool {
	_, is := errors.AsType[E](err)
	return is
}
