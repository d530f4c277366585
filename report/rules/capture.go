package rules

import (
	"reflect"

	"github.com/rdmacap/rdmacap/dissect/flow"
)

// A Capture is what the rules share across connections.
type Capture struct {
	Config Config
	// Now is the time of the newest frame, in nanoseconds since 1970, and Ref
	// its number.
	Now int64
	Ref flow.Ref
	// Over says that the capture has no more frames: what is told now is told
	// because of that.
	Over bool
	// Several says that there are several files, so that a frame has that of its own
	// in its name.
	Several bool

	kept  [keepings]any
	state map[reflect.Type]any
	clock clock
	watch watchers
	book  book
	said  int

	watched bool   // somebody hears of news
	news    []news // of the event that is told
}

// FrameName is what texts call a frame.
func (k *Capture) FrameName(r flow.Ref) string { return r.Name(k.Several) }

// Shared returns what the rules of all connections keep together: the T of the
// capture, made when it is first asked for. What it keeps must have a bound. It
// is to be called by Rule.Watch or Rule.WatchCapture.
func Shared[T any](k *Capture) *T {
	key := reflect.TypeFor[T]()
	if s, ok := k.state[key]; ok {
		return s.(*T)
	}
	s := new(T)
	if k.state == nil {
		k.state = make(map[reflect.Type]any)
	}
	k.state[key] = s
	return s
}
