package rules

import "github.com/rdmacap/rdmacap/dissect/flow"

// A Capture is what the rules share across connections.
type Capture struct {
	Config Config
	// Now is the time of the newest frame, in nanoseconds since 1970.
	Now int64
	// Over says that the capture has no more frames: what is told now is told
	// because of that.
	Over bool
	// Several says that there are several files, so that a frame has that of its own
	// in its name.
	Several bool

	kept  [keepings]any
	clock clock
	// whole stands for the capture where something is said of it and no connection.
	whole *Conn
	said  int

	watched bool   // somebody hears of news
	news    []news // of the event that is told
}

// FrameName is what texts call a frame.
func (k *Capture) FrameName(r flow.Ref) string { return r.Name(k.Several) }
