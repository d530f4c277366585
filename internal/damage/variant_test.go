package damage_test

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
)

// numbered are frames of 300 bytes, each telling frames by its last two.
func numbered(n int) *damage.Capture {
	c := &damage.Capture{Link: link.TypeEthernet}
	for i := range n {
		data := make([]byte, 300)
		data[298], data[299] = byte(i>>8), byte(i)
		c.Frames = append(c.Frames, build.Frame{
			Time: time.Unix(0, int64(i)), Dir: build.Direction(i % 2), Data: data, Length: 300,
		})
	}
	return c
}

func TestVariantsAreTheSameEachTime(t *testing.T) {
	c := numbered(2000)
	for _, v := range damage.Variants() {
		of := func(sample string, seed int) build.Frames { return v.Of(c, damage.Random(sample, v.Name, seed)) }
		first := of("a", 1)
		if !reflect.DeepEqual(first, of("a", 1)) {
			t.Errorf("%s: the same seed made something else", v.Name)
		}
		if reflect.DeepEqual(first, c.Frames) {
			t.Errorf("%s changed nothing", v.Name)
		}
		if reflect.DeepEqual(first, of("a", 2)) == v.Random {
			t.Errorf("%s: another seed: want another variant: %v", v.Name, v.Random)
		}
		if reflect.DeepEqual(first, of("b", 1)) == v.Random {
			t.Errorf("%s: another sample: want another variant: %v", v.Name, v.Random)
		}
	}
	if !reflect.DeepEqual(c, numbered(2000)) {
		t.Error("a variant changed the capture that it was made from")
	}
}

func TestVariantsDoWhatTheirNamesSay(t *testing.T) {
	const n = 2000
	c := numbered(n)
	numbers := func(f build.Frames) (list []int) {
		for _, x := range f {
			list = append(list, int(x.Data[298])<<8|int(x.Data[299]))
		}
		return list
	}
	made := make(map[string]build.Frames)
	for _, v := range damage.Variants() {
		made[v.Name] = v.Of(c, damage.Random("a", v.Name, 1))
	}
	for name, want := range map[string][2]int{ // at least, at most
		"lost": {n - 40, n - 5}, "lost-every-97": {n - 20, n - 20}, "burst": {n - 40, n - 1},
		"late": {n - n/3, n - n/3}, "early": {n * 2 / 3, n * 2 / 3}, "from-first": {n / 2, n / 2}, "from-others": {n / 2, n / 2},
		"snap-96": {n, n}, "snap-200": {n, n}, "swapped": {n, n}, "doubled": {n + 5, n + 40}, "changed": {n, n},
	} {
		if got := len(made[name]); got < want[0] || got > want[1] {
			t.Errorf("%s has %d frames, want %d to %d", name, got, want[0], want[1])
		}
	}
	if f := made["snap-96"][7]; len(f.Data) != 96 || f.Length != 300 {
		t.Errorf("snapped: %d bytes of %d", len(f.Data), f.Length)
	}
	if list := numbers(made["swapped"]); slices.IsSorted(list) {
		t.Error("nothing was swapped")
	}
	if !slices.IsSortedFunc(made["swapped"], func(a, b build.Frame) int { return a.Time.Compare(b.Time) }) {
		t.Error("swapped frames took their times along")
	}
	if list := numbers(made["doubled"]); len(slices.Compact(list)) != n {
		t.Error("doubled frames do not stand behind themselves")
	}
	different := 0
	for i, f := range made["changed"] {
		size := 0
		for at := range f.Data {
			if f.Data[at] != c.Frames[i].Data[at] {
				if size++; at < 14 {
					t.Errorf("frame %d: byte %d of the Ethernet header changed", i, at)
				}
			}
		}
		if size > 1 {
			t.Errorf("frame %d: %d bytes changed", i, size)
		}
		different += size
	}
	if different < 5 || different > 40 {
		t.Errorf("%d of %d frames changed", different, n)
	}
}

func TestVariantsOfFewFrames(t *testing.T) {
	for n := 1; n < 4; n++ {
		c := numbered(n)
		c.Frames[0].Data = c.Frames[0].Data[:14] // nothing after the Ethernet header
		for _, v := range damage.Variants() {
			for seed := range 20 {
				v.Of(c, damage.Random("a", v.Name, seed)) // does not panic
			}
		}
	}
}
