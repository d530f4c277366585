package rules

import (
	"fmt"
	"slices"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
)

// A Finding is what a rule reports, with what the engine has to know of it.
//
// A Reporter returns nil for what was reported before. All methods of a Finding do nothing then, and
// those that return it return nil. Their arguments are evaluated all the same, and put into interfaces:
// where a finding may be repeated with every message, a rule asks whether it is nil first.
type Finding struct {
	finding.Finding

	highest     int64    // of the numbers that it was reported of, see Reporter.Highest
	turn, again turn     // when it was reported first, and last
	xids        []uint32 // of the RPCs that it was reported of, the first mostXIDs
	// first and by are the newest frames of the connection when it was reported first
	// and last, at their times: what came until then may explain it.
	first, by         flow.Ref
	firstTime, byTime int64
	// since is the first frame of the RPC that it was first reported of, if HasXID and
	// the call was captured.
	since flow.Ref
}

// beginning is the first frame of an RPC, none if its call is not in the capture.
func beginning(r *dissect.RPC) (first flow.Ref) {
	if r.Call != nil {
		first = r.Call.Frames[0]
	}
	return first
}

// mostXIDs is how many RPCs a finding remembers that it was reported of.
const mostXIDs = 16

// about notes the RPC that a finding is reported of.
func (f *Finding) about(xid uint32) {
	f.Also(xid)
}

// Also adds another RPC that is meant: what explains that one's trouble may explain this.
func (f *Finding) Also(xid uint32) *Finding {
	if f == nil {
		return nil
	}
	if n := len(f.xids); n < mostXIDs && (n == 0 || f.xids[n-1] != xid) {
		f.xids = append(f.xids, xid)
	}
	return f
}

// shares reports whether two findings were reported of one RPC, as far as they
// remember.
func (f *Finding) shares(g *Finding) bool {
	return g.HasXID && f.means(g.XID) || slices.ContainsFunc(g.xids, f.means)
}

// means reports whether a finding was reported of an RPC, as far as it remembers.
func (f *Finding) means(xid uint32) bool {
	return f.HasXID && f.XID == xid || slices.Contains(f.xids, xid)
}

// ForXID says which RPC the finding is about, where the Reporter does not know it.
func (f *Finding) ForXID(xid uint32) *Finding {
	if f == nil {
		return nil
	}
	f.XID, f.HasXID = xid, true
	return f
}

// Messagef sets the message.
func (f *Finding) Messagef(format string, args ...any) *Finding {
	if f == nil {
		return nil
	}
	f.Message = fmt.Sprintf(format, args...)
	return f
}

// See adds evidence: what was observed, and what was expected or nil.
func (f *Finding) See(name string, observed, expected any) *Finding {
	if f == nil {
		return nil
	}
	f.Evidence = append(f.Evidence, finding.Evidence{Name: name, Observed: observed, Expected: expected})
	return f
}

// In marks bytes of a message as those at fault, from an offset in its Send on.
func (f *Finding) In(m *dissect.Message, offset, length int) *Finding {
	if f == nil {
		return nil
	}
	f.Bytes = m.Place(f.Bytes, offset, length)
	return f
}

// AtOnce says that it was there with the frame that shows it, though it is reported later: what came after
// that frame does not explain it.
func (f *Finding) AtOnce() *Finding {
	if f == nil {
		return nil
	}
	f.first, f.firstTime, f.by, f.byTime = f.Frame, f.Time, f.Frame, f.Time
	return f
}

// Lasted sets what the finding's call took, in nanoseconds, and which parts of that decide
// who is asked about it.
func (f *Finding) Lasted(ns int64, parts *dissect.Parts) *Finding {
	if f == nil {
		return nil
	}
	f.Took = ns
	f.Resent, _ = parts.Of(dissect.PhaseRetransmission)
	f.Served, _ = parts.Of(dissect.PhaseServer)
	return f
}

// At marks bytes of a frame as those at fault.
func (f *Finding) At(p flow.Place) *Finding {
	if f == nil {
		return nil
	}
	if p.Length > 0 {
		f.Bytes = append(f.Bytes, p)
	}
	return f
}

// With adds frames that belong to what is shown.
func (f *Finding) With(frames ...flow.Ref) *Finding {
	if f == nil {
		return nil
	}
	for _, r := range frames {
		if n := len(f.Frames); n == 0 || f.Frames[n-1] != r {
			f.Frames = append(f.Frames, r)
		}
	}
	return f
}

// Advise sets what to do in this case.
func (f *Finding) Advise(format string, args ...any) *Finding {
	if f == nil {
		return nil
	}
	f.Advice = fmt.Sprintf(format, args...)
	return f
}
