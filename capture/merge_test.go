package capture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"math/rand/v2"
	"sort"
	"strings"
	"testing"
)

// timed is a pcap file of nanoseconds with one frame for each time.
func timed(times ...int64) []byte {
	o := binary.LittleEndian
	b := pcapHead(o, 0xa1b23c4d, 65535, ethernet)
	for _, t := range times {
		b = append(b, pcapRecord(o, uint32(t/1e9), uint32(t%1e9), 8, string(o.AppendUint64(nil, uint64(t))), "")...)
	}
	return b
}

// sources opens each file as one of several.
func sources(t testing.TB, files ...[]byte) (s []Source) {
	for i, file := range files {
		f, err := NewReader(bytes.NewReader(file), string(rune('A'+i)), i)
		if err != nil {
			t.Fatal(err)
		}
		s = append(s, f)
	}
	return s
}

// orderOf writes frames as "A1 B1 A2": file and number.
func orderOf(frames []Frame) string {
	var s []string
	for _, f := range frames {
		s = append(s, string(rune('A'+f.File))+string(rune('0'+f.Number)))
	}
	return strings.Join(s, " ")
}

func TestMerge(t *testing.T) {
	o := binary.LittleEndian
	simple := ngSimple(o, 1, "x")
	at := func(microseconds uint64) []byte { return ngEnhanced(o, 0, microseconds, 1, "x") }
	ng := func(blocks ...[]byte) []byte {
		return append(join(ngSection(o, -1), ngInterface(o, ethernet, 0)), join(blocks...)...)
	}
	for _, c := range []struct {
		what  string
		files [][]byte
		want  string
	}{
		{"none", nil, ""},
		{"one", [][]byte{timed(3, 1, 2)}, "A1 A2 A3"},
		{"by time", [][]byte{timed(2, 5), timed(1, 6), timed(3, 4)}, "B1 A1 C1 C2 A2 B2"},
		{"equal times in the order of files", [][]byte{timed(1, 1), timed(1, 1), timed(0, 1)}, "C1 A1 A2 B1 B2 C2"},
		{"empty files", [][]byte{timed(), timed(1), timed()}, "B1"},
		{"a time that goes back", [][]byte{timed(5, 1), timed(2, 6)}, "B1 A1 A2 B2"},
		{"without times", [][]byte{ng(simple, simple), ng(at(1), simple, at(3), simple), ng(at(2))}, "A1 A2 B1 B2 C1 B3 B4"},
	} {
		frames, err := drain(t, Merge(sources(t, c.files...)))
		if got := orderOf(frames); err != nil || got != c.want {
			t.Errorf("%s: got %s, %v; want %s", c.what, got, err, c.want)
		}
	}
}

// TestMergeMany merges many sources of random times and looks at each byte,
// so that a source read too early shows.
func TestMergeMany(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var files [][]byte
	var want []int64
	for range 37 {
		var times []int64
		for range random.IntN(3000) {
			times = append(times, 1+random.Int64N(1e6))
		}
		sort.Slice(times, func(i, j int) bool { return times[i] < times[j] })
		files = append(files, timed(times...))
		want = append(want, times...)
	}
	sort.Slice(want, func(i, j int) bool { return want[i] < want[j] })
	m := Merge(sources(t, files...))
	var f Frame
	for i, time := range want {
		if err := m.Next(&f); err != nil {
			t.Fatal(err)
		}
		if f.Time != time || int64(binary.LittleEndian.Uint64(f.Data)) != time {
			t.Fatalf("frame %d: time %d, data %x, want %d", i, f.Time, f.Data, time)
		}
	}
	if err := m.Next(&f); err != io.EOF {
		t.Errorf("after the last: %v", err)
	}
}

func TestMergeErrors(t *testing.T) {
	cut := func(b []byte) []byte { return b[:len(b)-1] }
	frames, err := drain(t, Merge(sources(t, timed(2, 5), cut(timed(1, 9)), cut(timed(7)), timed(3, 8))))
	if got, want := orderOf(frames), "B1 A1 D1 A2 D2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v does not tell of the cut", err)
	}
	for _, name := range []string{"B: byte 48: ", "C: byte 24: "} {
		if !strings.Contains(err.Error(), name) {
			t.Errorf("%q does not tell of %s", err, name)
		}
	}
	_, err = drain(t, Merge(sources(t, cut(timed(1)), timed(1))))
	if e, ok := err.(*Error); !ok || e.File != "A" {
		t.Errorf("one file fails: got %T %v, want its *Error", err, err)
	}
}

// TestMergeOne: one source is not wrapped.
func TestMergeOne(t *testing.T) {
	s := sources(t, timed(1))
	if Merge(s) != s[0] {
		t.Error("one source is not returned as it is")
	}
}

func TestMergeNoAllocation(t *testing.T) {
	o := binary.LittleEndian
	var s []Source
	for i := range 5 {
		s = append(s, open(t, &endless{
			head:  pcapHead(o, 0xa1b2c3d4, 65535, 1),
			again: pcapRecord(o, uint32(i%2), 2, 1100, string(make([]byte, 1100)), ""),
		}))
	}
	m := Merge(s)
	var f Frame
	if err := m.Next(&f); err != nil {
		t.Fatal(err)
	}
	if allocs := testing.AllocsPerRun(2000, func() {
		if err := m.Next(&f); err != nil {
			t.Fatal(err)
		}
	}); allocs != 0 {
		t.Errorf("%v allocations a frame", allocs)
	}
}
