package dissect_test

import (
	"errors"
	"io"
	"reflect"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
)

// run dissects a source with Run.
func run(t *testing.T, source capture.Source) *recording {
	t.Helper()
	got := new(recording)
	d := dissect.New(got, dissect.Options{})
	faults, err := d.Run(source, func(bool) error { return nil })
	if err != nil || len(faults) > 0 {
		t.Fatalf("Run: %v, faults %v", err, faults)
	}
	d.Flush()
	got.summary = d.Summary()
	return got
}

// TestRunIsFrameByFrame holds Run, which reads ahead, against Frame.
func TestRunIsFrameByFrame(t *testing.T) {
	open := func(name string) capture.Source {
		file, err := capture.Open("../samples/"+name+".pcap.zst", 0)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { file.Close() })
		return file
	}
	for name, source := range map[string]func() capture.Source{
		"a file":            func() capture.Source { return open("rxe-basic") },
		"iWARP":             func() capture.Source { return open("siw-basic") },
		"pcapng":            func() capture.Source { return open("rxe-loss") },
		"two files, merged": func() capture.Source { return capture.Merge([]capture.Source{open("rxe-acl"), open("rxe-basic")}) },
		"frames in memory":  func() capture.Source { return &source{load(t, "rxe-basic")} },
		"memory and a file": func() capture.Source {
			return capture.Merge([]capture.Source{&source{load(t, "rxe-cb")}, open("rxe-acl")})
		},
		"a file with itself": func() capture.Source { return capture.Merge([]capture.Source{open("rxe-basic"), open("rxe-basic")}) },
		"three files, merged": func() capture.Source {
			return capture.Merge([]capture.Source{open("rxe-krb"), open("siw-basic"), open("rxe-loss")})
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, want := run(t, source()), record(t, source())
			if len(want.rpcs) == 0 {
				t.Fatal("there is nothing to compare")
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("Run found %d RPCs and %+v, Frame %d and %+v", len(got.rpcs), got.summary, len(want.rpcs), want.summary)
			}
		})
	}
}

// TestRunTellsAsFramesCome writes a conversation into a pipe, a frame at a time,
// and waits for each RPC before it goes on.
func TestRunTellsAsFramesCome(t *testing.T) {
	c := build.NewConversation(build.Setup{})
	c.Connect()
	for xid := range uint32(3) {
		e := c.Call(build.NFS3GetAttr(xid+1, []byte("handle")))
		c.Reply(e, build.NFS3GetAttrReply(xid+1, 42))
	}
	in, out := io.Pipe()
	told := make(chan uint32)
	go func() {
		file, err := capture.NewReader(in, "pipe", 0)
		if err != nil {
			t.Error(err)
			return
		}
		d := dissect.New(exchanger(told), dissect.Options{})
		if _, err := d.Run(file, func(bool) error { return nil }); err != nil {
			t.Error(err)
		}
		close(told)
	}()
	if err := build.WritePcap(out, c.Frames); err != nil {
		t.Fatal(err)
	}
	// The pipe stays open: whatever comes, comes before its end.
	for want := uint32(1); want <= 3; want++ {
		select {
		case xid := <-told:
			if xid != want {
				t.Errorf("told of XID %d, want %d", xid, want)
			}
		case <-time.After(5 * time.Minute):
			t.Fatalf("XID %d is not told while the pipe is open", want)
		}
	}
	out.Close()
	for range told {
		t.Error("told of more than three RPCs")
	}
}

// exchanger is a Sink that sends the XIDs of RPCs.
type exchanger chan<- uint32

func (exchanger) Connection(*dissect.Connection, bool) {}
func (exchanger) Frame(*dissect.FrameView)             {}
func (exchanger) Message(*dissect.Message)             {}
func (t exchanger) RPC(r *dissect.RPC)                 { t <- r.XID }

func TestRunStops(t *testing.T) {
	enough := errors.New("enough")
	d := dissect.New(new(counting), dissect.Options{})
	_, err := d.Run(&source{load(t, "rxe-basic")}, func(bool) error { return enough })
	if !errors.Is(err, enough) {
		t.Errorf("Run returned %v, want %v", err, enough)
	}
	if n := d.Summary().Frames; n == 0 || n > 100 {
		t.Errorf("%d frames were dissected, want one batch", n)
	}
}

// TestRunGoesOnBehindFaults reads a file that is cut in the middle of a record
// together with one that is whole.
func TestRunGoesOnBehindFaults(t *testing.T) {
	in, out := io.Pipe()
	go func() {
		c := build.NewConversation(build.Setup{})
		c.Connect()
		_ = build.WritePcap(out, c.Frames)
		out.CloseWithError(io.ErrUnexpectedEOF)
	}()
	broken, err := capture.NewReader(in, "broken", 1)
	if err != nil {
		t.Fatal(err)
	}
	whole := load(t, "rxe-cb")
	d := dissect.New(new(counting), dissect.Options{})
	faults, err := d.Run(capture.Merge([]capture.Source{&source{whole}, broken}), func(bool) error { return nil })
	if err != nil || len(faults) != 1 {
		t.Errorf("Run returned %v and the faults %v, want one fault", err, faults)
	}
	if n := d.Summary().Frames; n != int64(len(whole))+3 {
		t.Errorf("%d frames, want those of both: %d", n, len(whole)+3)
	}
}
