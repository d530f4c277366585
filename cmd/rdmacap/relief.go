package main

import (
	"time"

	"github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/dissect/shed"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A relief keeps live within what it may take of time and memory.
type relief struct {
	shedder *shed.Shedder
	source  *live.Source // nil if no interface is captured on
	out     *finding.Live
	limited bool      // memory has a limit
	told    time.Time // when drops were told last
}

// limits reports whether memory has a limit: garbage may then come together up to that.
func (r *relief) limits() bool { return r != nil && r.limited }

// dropsEvery is how often drops are told while there are more.
const dropsEvery = time.Second

// tick tells how much was dropped, now and then.
func (r *relief) tick(now time.Time) {
	if now.Sub(r.told) >= dropsEvery && r.tell(now) {
		r.told = now
	}
}

// tell tells how much was dropped, and reports whether it was more than before.
func (r *relief) tell(now time.Time) bool {
	d := finding.Drops{Shed: r.shedder.Shed()}
	if r.source != nil {
		of := r.source.Drops()
		d.Kernel, d.Ring = of.Kernel, of.Ring
	}
	return r.out.Dropped(d, now.UnixNano())
}
