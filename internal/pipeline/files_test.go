package pipeline

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
)

// A told renderer remembers in which order it is told what.
type told struct {
	dissect.Sink
	frames  int64
	events  []string
	err     error // of writing
	elapsed time.Duration
}

func (x *told) Frame(*dissect.FrameView)           { x.frames++ }
func (*told) Connection(*dissect.Connection, bool) {}
func (*told) Message(*dissect.Message)             {}
func (*told) RPC(*dissect.RPC)                     {}
func (x *told) Err() error                         { return x.err }
func (x *told) Flush() error                       { x.events = append(x.events, "flush"); return x.err }
func (x *told) Finish(s dissect.Summary, d time.Duration) error {
	x.events, x.elapsed = append(x.events, "finish"), d
	return x.err
}

func (x *told) over(problems []error) {
	x.events = append(x.events, "over")
	for _, err := range problems {
		x.events = append(x.events, err.Error())
	}
}

// sample is a capture that ships.
const sample = "../../samples/rxe-cb.pcap.zst"

// steady is a clock of which each look takes a second.
func steady() func() time.Time {
	now := time.Unix(1_000_000_000, 0)
	return func() time.Time {
		now = now.Add(time.Second)
		return now
	}
}

// TestFiles holds the order in which a renderer receives captures, and what comes of those that
// cannot be opened.
func TestFiles(t *testing.T) {
	x := new(told)
	r, err := Files{Names: []string{sample, "nonesuch"}}.Run(t.Context(), x, Options{
		Units: true, Over: x.over, Begun: func() { x.events = append(x.events, "begun") }, Clock: steady(),
	})
	want := []string{"begun", "over", "nonesuch: cannot be opened: no such file or directory", "finish"}
	if err != nil || x.frames != 585 || !reflect.DeepEqual(x.events, want) || x.elapsed != time.Second {
		t.Errorf("%v, %d frames in %v, %q", err, x.frames, x.elapsed, x.events)
	}
	if len(r.Unopened) != 1 || r.Faults != nil || r.Links != nil || r.Interrupted {
		t.Errorf("%+v", r)
	}
}

// TestFilesNone holds that a document is made where no capture can be opened, and nothing else.
func TestFilesNone(t *testing.T) {
	for _, document := range []bool{false, true} {
		x := new(told)
		r, err := Files{Names: []string{"nonesuch"}}.Run(t.Context(), x, Options{Document: document, Over: x.over})
		if err != nil || len(r.Unopened) != 1 || (len(x.events) == 3) != document {
			t.Errorf("document %v: %v, %+v, %q", document, err, r, x.events)
		}
	}
}

// TestFilesUnwritten holds that an error of writing is told as one, and ends the reading.
func TestFilesUnwritten(t *testing.T) {
	full := errors.New("full")
	x := &told{err: full}
	if _, err := (Files{Names: []string{sample}}).Run(t.Context(), x, Options{}); !errors.Is(err, full) || x.events != nil {
		t.Errorf("%v, %q", err, x.events)
	}
}

// TestFilesInterrupted holds that what is waited for ends when the context does, with what came
// until then.
func TestFilesInterrupted(t *testing.T) {
	in, feed, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer feed.Close()
	pcap := append([]byte("\x4d\x3c\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x01\x00\x00\x00"),
		append(append(make([]byte, 8), 60, 0, 0, 0, 60, 0, 0, 0), make([]byte, 60)...)...)
	if _, err := feed.Write(pcap); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	x := &told{}
	interrupted := 0
	r, err := Files{Names: []string{"-"}, Stdin: in, Stopping: Stopping{Interrupted: func() { interrupted++ }, Clock: time.Now}}.Run(ctx, x, Options{
		Units: true, Over: x.over, Begun: cancel, // it is open, and nothing more comes
	})
	if err != nil || !r.Interrupted || r.Faults != nil || interrupted != 1 || x.frames != 1 ||
		!strings.Contains(strings.Join(x.events, "\n"), "over\nreading was interrupted: later frames are missing\nfinish") {
		t.Errorf("%v, %+v, told %d times, %d frames, %q", err, r, interrupted, x.frames, x.events)
	}
}

// TestFilesUnknown holds what is reported of link types that are not known.
func TestFilesUnknown(t *testing.T) {
	le := []byte("\x4d\x3c\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x93\x00\x00\x00") // USER0
	frame := append(append(make([]byte, 8), 4, 0, 0, 0, 4, 0, 0, 0), "abcd"...)
	name := filepath.Join(t.TempDir(), "x.pcap")
	if err := os.WriteFile(name, bytes.Join([][]byte{le, frame, frame}, nil), 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Files{Names: []string{name}}.Run(t.Context(), new(told), Options{})
	if err != nil || len(r.Links) != 1 || !r.Links[0].Unusable || !strings.HasSuffix(r.Links[0].Text, ": byte 24: rdmacap does not support LINKTYPE 147 (interface 0): 2 frames from here on counted, but not read") {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestFilesCut holds that a capture that ends in the middle of a record is a fault, with what
// came before it.
func TestFilesCut(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.pcap")
	pcap := "\x4d\x3c\xb2\xa1\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x01\x00\x00\x00" + strings.Repeat("\x00", 7)
	if err := os.WriteFile(name, []byte(pcap), 0o600); err != nil {
		t.Fatal(err)
	}
	x := new(told)
	r, err := Files{Names: []string{name}}.Run(t.Context(), x, Options{Over: x.over})
	if err != nil || len(r.Faults) != 1 || !errors.Is(r.Faults[0], io.ErrUnexpectedEOF) || len(x.events) != 3 {
		t.Errorf("%v, %+v, %q", err, r, x.events)
	}
}
