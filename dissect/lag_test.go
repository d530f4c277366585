package dissect

import (
	"io"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/dissect/shed"
)

// A lumpySource keeps its frames and has more at hand again and again: so many frames, of so many bytes,
// in turn. It is like the rings of several interfaces.
type lumpySource struct {
	lumps  [][2]int
	lump   int
	taken  int // of the lump
	left   int // lumps
	number int64
	ready  bool
	bytes  [9000]byte // of all frames: what they hold does not matter
}

func (s *lumpySource) Ready() bool   { return s.ready }
func (s *lumpySource) Keep(int) bool { return true }

func (s *lumpySource) Next(f *capture.Frame) error {
	if s.left == 0 {
		return io.EOF
	}
	frames, size := s.lumps[s.lump%len(s.lumps)][0], s.lumps[s.lump%len(s.lumps)][1]
	s.number++
	*f = capture.Frame{Link: link.TypeEthernet, Data: s.bytes[:size], Length: int32(size), Time: s.number * 1000, Number: s.number}
	s.taken++
	if s.ready = s.taken < frames; !s.ready {
		s.taken, s.lump, s.left = 0, s.lump+1, s.left-1
	}
	return nil
}

// silentPart finds nothing.
type silentPart struct{}

func (silentPart) Connection(*Connection, bool) {}
func (silentPart) Frame(*FrameView)             {}
func (silentPart) Message(*Message)             {}
func (silentPart) RPC(*RPC)                     {}
func (silentPart) Flush() Queue                 { return silentPart{} }
func (silentPart) Len() int                     { return 0 }
func (silentPart) At(int) flow.Position         { return flow.Position{} }
func (silentPart) Emit(int)                     {}
func (silentPart) Done()                        {}

// TestDecisionsAreInTime has long and short batches in turn, as a live source may give: what is decided
// of an epoch is known when it is to be done, since no batch has more of them than one.
func TestDecisionsAreInTime(t *testing.T) {
	for _, lumps := range [][][2]int{
		{{500, 2700}, {1, 100}, {1, 100}, {1, 100}, {1, 100}},
		{{300, 2500}, {512, 64}, {512, 64}},
		{{500, 3000}, {1, 100}, {1, 100}, {1, 100}, {1, 100}, {1, 100}},
		{{500, 9000}, {1, 100}},
	} {
		s := &lumpySource{lumps: lumps, left: 200}
		nothing := shed.New(func(time.Time, *shed.Frames) shed.Order { return shed.Order{} })
		shards := NewShards(4, Options{Shed: nothing}, func(*Dissector) Part { return silentPart{} })
		if _, err := shards.Run(s, func(bool) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if got := shards.Summary().Frames; got != s.number {
			t.Errorf("%d frames were dissected, want %d", got, s.number)
		}
	}
}
