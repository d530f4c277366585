package capture

import (
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
)

// TestSwitchTimeWraps holds what becomes of stamps that begin anew.
func TestSwitchTimeWraps(t *testing.T) {
	type frame struct {
		link.Stamp
		captured, want int64
	}
	const period = 1000
	other := link.Clock{Engine: 1}
	for _, c := range []struct {
		what   string
		frames []frame
	}{
		{"a clock of its own", []frame{
			{link.Stamp{Time: 900, Period: period}, 50_000, 50_000},
			{link.Stamp{Time: 990, Period: period}, 50_100, 50_090},
			{link.Stamp{Time: 10, Period: period}, 50_120, 50_110},    // it began anew
			{link.Stamp{Time: 5, Period: period}, 55_100, 55_105},     // five times
			{link.Stamp{Time: 995, Period: period}, 50_120, 50_095},   // one that was overtaken
			{link.Stamp{Clock: other, Time: 1}, 60_000, 60_000},       // another engine
			{link.Stamp{Clock: other, Time: 10_001}, 61_000, 70_000},  // that never begins anew
			{link.Stamp{Time: 910, Period: period}, 0, 50_010},        // captured without a time
			{link.Stamp{Clock: link.Clock{Unit: 3}, Time: 910}, 0, 0}, // and nothing known of the clock
			{link.Stamp{Time: 900, Period: period}, -50_000, -50_000}, // before 1970
			{link.Stamp{Time: 100, Period: period}, -49_790, -49_800}, // and after it began anew
			{link.Stamp{Time: 999, Period: period}, 100_000, 100_099}, // the nearest may be later
		}},
		{"since 1970", []frame{
			{link.Stamp{Time: 77, Since1970: true}, 50_000, 77},
			{link.Stamp{Time: 77, Period: period, Since1970: true}, 50_000, 50_077},
			{link.Stamp{Time: 77, Period: period, Since1970: true}, 49_500, 50_077 - period},
		}},
	} {
		s := SwitchTime(plainSource{}, link.Options{}).(*switchTime)
		for i, f := range c.frames {
			if got := s.time(f.captured, f.Stamp); got != f.want {
				t.Errorf("%s, frame %d: %d, want %d", c.what, i, got, f.want)
			}
		}
	}
}

// TestSwitchTimeClocks holds that as many clocks as a stranger likes cost a bounded memory.
func TestSwitchTimeClocks(t *testing.T) {
	s := SwitchTime(plainSource{}, link.Options{}).(*switchTime)
	for i := range 3 * maxClocks {
		clock := link.Clock{Switch: link.AddrIPv4([]byte{10, 0, byte(i >> 8), byte(i)})}
		if got := s.time(int64(5000+i), link.Stamp{Clock: clock, Time: 1, Period: 10}); got != int64(5000+i) {
			t.Fatalf("the first frame of a clock has time %d", got)
		}
	}
	if len(s.clocks) != maxClocks {
		t.Errorf("%d clocks", len(s.clocks))
	}
}
