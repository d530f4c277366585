package rules

import "github.com/rdmacap/rdmacap/dissect/flow"

// A Capture is what the connections of one Checker share. Nothing in it depends on what
// happened on one of them: what does is kept in CrossConnection.
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

	repeats         int // how many Repeats a finding keeps
	crossConnection *CrossConnection
	immediate       bool // it takes at once what is published
	kept            [keepings]any
	waiting         reminders
	turn            turn          // of what was reported or published last
	publications    []Publication // that CrossConnection has not taken yet
	// slabs have what is published, used are those with something that CrossConnection was not told of.
	slabs, used []interface{ reuse() }

	watched     bool         // somebody receives news
	newFindings []NewFinding // of the event that is told
	abouts      int64        // see Checker.Abouts
}

// FrameName is what texts call a frame.
func (k *Capture) FrameName(r flow.Ref) string { return r.Name(k.Several) }
