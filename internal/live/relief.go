package live

import (
	"time"

	wire "github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/dissect/shed"
	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A relief keeps a session within what it may take of time and memory, and reports what that
// costs. It is a pipeline.Relief.
type relief struct {
	shedder  *shed.Shedder
	source   *wire.Source // nil if no interface is captured on
	out      *check.Check
	limited  bool      // memory has a limit
	reported time.Time // when drops were told last
	ended    func()
}

// relieve has connections left out where the memory for following is too little, or source,
// if it is not nil, fills faster than it is read. Undo is called when that is over.
func (s *Session) relieve(source *wire.Source, tell func(what string)) (r *relief, undo func()) {
	var memory *shed.Memory
	undo = func() {}
	if s.Alone {
		memory, undo = shed.LimitMemory(s.Memory.Following)
	}
	load := func(now time.Time) (l shed.Load) {
		if source != nil {
			l.Ring = source.Waiting()
		}
		if memory != nil {
			l.Memory, l.Measure = memory.Measure(now)
		}
		return l
	}
	return &relief{
		shedder: shed.New(shed.NewPolicy(load, tell).Decide), source: source, out: s.out, limited: memory != nil, ended: s.monitor.endMonitoring,
	}, undo
}

func (r *relief) Shedder() *shed.Shedder { return r.shedder }

func (r *relief) Limited() bool { return r.limited }

// dropsEvery is how often drops are told while there are more.
const dropsEvery = time.Second

// Tick reports how much was dropped, now and then.
func (r *relief) Tick(now time.Time) {
	if now.Sub(r.reported) >= dropsEvery && r.report(now) {
		r.reported = now
	}
}

// End reports what was dropped in all.
func (r *relief) End(now time.Time) {
	r.report(now)
	r.ended()
}

// report reports how much was dropped, and reports whether it was more than before.
func (r *relief) report(now time.Time) bool {
	d := finding.Drops{Shed: r.shedder.Shed()}
	if r.source != nil {
		of := r.source.Drops()
		d.Kernel, d.Ring = of.Kernel, of.Ring
	}
	return r.out.Dropped(d, now.UnixNano())
}
