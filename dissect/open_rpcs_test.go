package dissect_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/internal/damage"
	"github.com/rdmacap/rdmacap/internal/long"
)

// TestShardsGiveUpTheSame has more unanswered calls than there is room for, of several
// connections: which are given up, and when, does not depend on how many shards there are.
func TestShardsGiveUpTheSame(t *testing.T) {
	many := build.NewMany(7, 7, build.Setup{})
	list := slices.Clone(many.Turn(func(_ int, c *build.Conversation) { c.Connect() }))
	data := make([]byte, 3000) // bytes are kept: fewer calls will do
	for round := range uint32(700) {
		list = append(list, many.Turn(func(i int, c *build.Conversation) {
			if (int(round)+i)%5 != 0 { // one after the other pauses
				c.Call(build.NFS3Write(round, []byte("handle"), 0, data))
			}
		})...)
	}
	frames := asRead(&damage.Capture{Link: link.TypeEthernet}, list)
	opts := dissect.Options{KeepBytes: true}
	var want []string
	one := &eventRecord{told: &want}
	one.d = dissect.New(one, opts)
	for i := range frames {
		one.d.Frame(&frames[i])
	}
	one.d.Flush()
	q := one.Flush()
	for i := range q.Len() {
		q.Emit(i)
	}
	early := 0
	for _, s := range want {
		if strings.Contains(s, ": RPC 0x") && !strings.Contains(s, fmt.Sprint(math.MaxInt64)) {
			early++
		}
	}
	if early < 100 {
		t.Fatalf("%d calls were given up before the end: this shows nothing", early)
	}
	for _, n := range long.Pick([]int{3}, []int{1, 2, 3, 8, 16}) {
		var got []string
		s := dissect.NewShards(n, opts, func(d *dissect.Dissector) dissect.Part { return &eventRecord{d: d, told: &got} })
		if faults, err := s.Run(&source{frames}, func(bool) error { return nil }); err != nil || len(faults) > 0 {
			t.Fatal(faults, err)
		}
		s.Flush()
		if s.Summary() != one.d.Summary() {
			t.Errorf("%d shards count %+v, want %+v", n, s.Summary(), one.d.Summary())
		}
		for i := range max(len(got), len(want)) {
			if at(got, i) != at(want, i) {
				t.Fatalf("%d shards tell, as the %d-th of %d,\n%s\nwant, of %d,\n%s", n, i+1, len(got), at(got, i), len(want), at(want, i))
			}
		}
	}
}
