package rows

import (
	"io"
	"path/filepath"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
)

// dissectSample runs a capture that ships through a sink.
func dissectSample(t testing.TB, name string, sink dissect.Sink) *dissect.Dissector {
	t.Helper()
	f, err := capture.Open(filepath.Join("..", "..", "samples", name+".pcap.zst"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d := dissect.New(sink, dissect.Options{})
	var frame capture.Frame
	for {
		err := f.Next(&frame)
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		d.Frame(&frame)
	}
	d.Flush()
	return d
}

// each is a sink that does something with every thing it is told.
type each struct {
	frame   func(*dissect.FrameView)
	message func(*dissect.Message)
	rpc     func(*dissect.RPC)
	conn    func(*dissect.Connection, bool)
}

func (e each) Connection(c *dissect.Connection, final bool) { e.conn(c, final) }

func (e each) Frame(v *dissect.FrameView) { e.frame(v) }

func (e each) Message(m *dissect.Message) { e.message(m) }

func (e each) RPC(r *dissect.RPC) { e.rpc(r) }

// renderers are what is measured, one for each level and form.
func renderers(level listing.Level) map[string]dissect.Sink {
	o := listing.Options{Level: level, Files: 1}
	colored := o
	colored.Color = true
	live := colored
	live.TimeOfDay = true
	return map[string]dissect.Sink{
		"text":    NewText(io.Discard, o),
		"colored": NewText(io.Discard, colored),
		"live":    NewText(io.Discard, live),
		"json":    record.NewJSON(io.Discard, true, o),
		"ndjson":  record.NewJSON(io.Discard, false, o),
	}
}

// TestRowsAllocateNothing holds that a row or record costs no memory. It
// measures every thirtieth of a capture's, of each kind.
func TestRowsAllocateNothing(t *testing.T) {
	const every, runs = 30, 3
	for name, form := range map[string]struct{ frame, message, rpc dissect.Sink }{
		"text":    {renderers(listing.LevelFrame)["text"], renderers(listing.LevelMessage)["text"], renderers(listing.LevelRPC)["text"]},
		"colored": {renderers(listing.LevelFrame)["colored"], renderers(listing.LevelMessage)["colored"], renderers(listing.LevelRPC)["colored"]},
		"live":    {renderers(listing.LevelFrame)["live"], renderers(listing.LevelMessage)["live"], renderers(listing.LevelRPC)["live"]},
		"json":    {renderers(listing.LevelFrame)["json"], renderers(listing.LevelMessage)["json"], renderers(listing.LevelRPC)["json"]},
		"ndjson":  {renderers(listing.LevelFrame)["ndjson"], renderers(listing.LevelMessage)["ndjson"], renderers(listing.LevelRPC)["ndjson"]},
	} {
		t.Run(name, func(t *testing.T) {
			var seen struct{ frames, messages, rpcs int }
			none := func(what string, n int, row func()) {
				if n%every != 0 {
					return
				}
				if allocs := allocs.Per(runs, row); allocs > 0 {
					t.Errorf("%s %d costs %v allocations", what, n, allocs)
				}
			}
			dissectSample(t, "rxe-cb", each{
				conn: func(c *dissect.Connection, final bool) {
					for _, s := range []dissect.Sink{form.frame, form.message, form.rpc} {
						s.Connection(c, final)
					}
				},
				frame: func(v *dissect.FrameView) {
					seen.frames++
					none("frame", seen.frames, func() { form.frame.Frame(v) })
				},
				message: func(m *dissect.Message) {
					seen.messages++
					none("message", seen.messages, func() { form.message.Message(m) })
				},
				rpc: func(r *dissect.RPC) {
					seen.rpcs++
					none("RPC", seen.rpcs, func() { form.rpc.RPC(r) })
				},
			})
			if seen.frames < every || seen.messages < every || seen.rpcs < every {
				t.Errorf("too little was measured: %+v", seen)
			}
		})
	}
}

// BenchmarkRPC is what an RPC's row or record costs without the dissection.
func BenchmarkRPC(b *testing.B) {
	for name, sink := range renderers(listing.LevelRPC) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			first := true
			dissectSample(b, "rxe-cb", each{
				conn:    func(*dissect.Connection, bool) {},
				frame:   func(*dissect.FrameView) {},
				message: func(*dissect.Message) {},
				rpc: func(r *dissect.RPC) {
					if !first {
						return
					}
					first = false
					for b.Loop() {
						sink.RPC(r)
					}
				},
			})
		})
	}
}

// BenchmarkFrame is the same of a frame.
func BenchmarkFrame(b *testing.B) {
	for name, sink := range renderers(listing.LevelFrame) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			dissectSample(b, "rxe-cb", each{
				conn:    func(*dissect.Connection, bool) {},
				message: func(*dissect.Message) {},
				rpc:     func(*dissect.RPC) {},
				frame: func(v *dissect.FrameView) {
					if n++; n != 49 { // an RDMA Write
						return
					}
					for b.Loop() {
						sink.Frame(v)
					}
				},
			})
		})
	}
}
