package rules

import (
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// mostChanged is how many frames of a connection are remembered that were changed on their way.
const mostChanged = 256

// Changed notes that a frame was changed on its way though its bytes were looked into: whatever was found in them, and
// will be, is in doubt.
func (c *Conn) Changed(ref flow.Ref) {
	*c.reportState.changed.Add(mostChanged) = ref
	for _, f := range c.reportState.list {
		if f.Doubt == "" && f.Rule.Family() != transport && (f.Frame == ref || slices.Contains(f.Frames, ref)) {
			f.Doubt = finding.DoubtChanged
		}
	}
}

// transport is the family of rules that report such frames themselves.
const transport = "TRANS"

// wasChanged reports whether a frame was changed, or one of those of an RPC, if that is not nil.
func (s *reportState) wasChanged(frame flow.Ref, r *dissect.RPC) bool {
	for x := range s.changed.All() {
		if *x == frame || r != nil && slices.Contains(r.Frames, *x) {
			return true
		}
	}
	return false
}
