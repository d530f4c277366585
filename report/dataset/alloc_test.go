package dataset

import (
	"bytes"
	"errors"
	"io"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/allocs"
	"github.com/rdmacap/rdmacap/report/draft"
)

// A meter counts what rows of each kind allocate at most, of what was shown before: RPCs, messages
// and frames share what they need.
type meter struct {
	*rows
	b    []byte
	most map[string]float64
}

func (m *meter) count(kind string, write func()) {
	m.most[kind] = max(m.most[kind], allocs.Per(1, func() {
		m.b = m.b[:0]
		write()
	}))
}

func (m *meter) RPC(r *dissect.RPC)         { m.count("rpc", func() { m.rows.RPC(r) }) }
func (m *meter) Message(x *dissect.Message) { m.count("message", func() { m.rows.Message(x) }) }
func (m *meter) Frame(v *dissect.FrameView) { m.count("frame", func() { m.rows.Frame(v) }) }

// TestRowsAllocateNothing holds that what was found is written without garbage.
func TestRowsAllocateNothing(t *testing.T) {
	m := &meter{most: make(map[string]float64)}
	left := 0
	m.rows = newRows(Wanted{RPCs: true, Messages: true, Frames: true}, 1, &m.b, func(draft.Placeholder) { left++ })
	file, err := capture.Open("../../samples/rxe-basic.pcap.zst", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var frames []capture.Frame // read before: what reads a file ahead allocates, too
	for {
		var f capture.Frame
		if err := file.Next(&f); err != nil {
			if !errors.Is(err, io.EOF) {
				t.Fatal(err)
			}
			break
		}
		f.Data = bytes.Clone(f.Data)
		frames = append(frames, f)
	}
	d := dissect.New(m, dissect.Options{Units: true})
	for i := range frames {
		d.Frame(&frames[i])
	}
	d.Flush()
	for _, kind := range []string{"rpc", "message", "frame"} {
		if most, ok := m.most[kind]; !ok || most > 0 {
			t.Errorf("a row of a %s allocates %v times", kind, most)
		}
	}
	if left == 0 {
		t.Error("no row has a connection")
	}
}
