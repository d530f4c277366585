package record

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/words"
)

const (
	// maxComments bounds how many findings are kept as comments, and on how many frames it
	// is reported that one was found again.
	maxComments = 50_000
	// maxRepeats bounds on how many frames that is reported of one finding.
	maxRepeats = 100
	// maxVerdicts bounds how many connections with findings, and how many
	// without, the comment on the file reports: it has 65535 bytes at most.
	maxVerdicts = 200
	// maxRefs bounds how many effects the comment on their cause names.
	maxRefs = 5
)

// Comments are findings as comments on the frames of a capture, and on the capture.
type Comments struct {
	frames      map[int64][]string
	findings    int64        // findings that are comments
	again       int64        // comments on frames in which one was found again
	unsaid      int64        // findings beyond maxComments
	verdicts    [2][]verdict // of connections with findings, then of those without
	connections int64
	capture     []string
	end         finding.Ending
}

// A verdict is what a connection came to, on one line.
type verdict struct {
	connection int
	text       string
}

// NewComments returns a form in which findings become comments.
func NewComments() *Comments {
	return &Comments{frames: make(map[int64][]string)}
}

// Draft is the form, with what it needs.
func (x *Comments) Draft() draft.Form { return draft.Form{Form: x, Repeats: maxRepeats} }

// End implements finding.Form.
func (x *Comments) End(e *finding.Ending) error {
	x.end = *e
	return nil
}

// Found implements finding.Form.
func (x *Comments) Found(f *finding.Found) {
	f.All(func(one *finding.Finding) {
		if x.findings == maxComments {
			x.unsaid++
			return
		}
		x.findings++
		if text := comment(one); one.Frame.Number > 0 {
			x.frames[one.Frame.Number] = append(x.frames[one.Frame.Number], text)
		} else {
			x.capture = append(x.capture, text)
		}
		x.repeated(one)
	})
	if f.Connection != nil {
		x.check(f)
	} else if len(f.Roots) > 0 {
		x.capture = append([]string{"entire capture: " + f.Tally.String()}, x.capture...)
	}
}

// repeated adds the comments on the frames in which a finding was found again.
func (x *Comments) repeated(f *finding.Finding) {
	text := ""
	for _, r := range f.Repeats.All() {
		if x.again == maxComments {
			return
		}
		if r.Number == 0 || r == f.Frame {
			continue
		}
		if text == "" {
			text = fmt.Sprintf("%s %s: found again, as in frame %d; rdmacap rules %s", f.ID(), f.Severity, f.Frame.Number, f.Rule.ID)
		}
		x.again++
		x.frames[r.Number] = append(x.frames[r.Number], text)
	}
}

// comment is a finding as the comment on its frame.
func comment(f *finding.Finding) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s", f.ID(), f.Severity, f.Message)
	if f.Doubt != "" {
		fmt.Fprintf(&b, " [likely: %s]", f.Doubt)
	}
	if f.Count > 1 {
		fmt.Fprintf(&b, " (found %d times, last in frame %d)", f.Count, f.Last.Number)
	}
	if f.Cause != nil {
		fmt.Fprintf(&b, "; explained by %s in frame %d", f.Cause.ID(), f.Cause.Frame.Number)
	}
	for i, e := range f.Effects {
		if i == maxRefs {
			fmt.Fprintf(&b, " and %d more", len(f.Effects)-i)
			break
		}
		word := ","
		if i == 0 {
			word = "; explains"
		}
		fmt.Fprintf(&b, "%s %s in frame %d", word, e.ID(), e.Frame.Number)
	}
	fmt.Fprintf(&b, "; rdmacap rules %s", f.Rule.ID)
	return b.String()
}

// check keeps the verdict on a connection.
func (x *Comments) check(f *finding.Found) {
	c := f.Connection
	x.connections++
	kept := &x.verdicts[1]
	if len(f.Roots) > 0 {
		kept = &x.verdicts[0]
	}
	if len(*kept) == maxVerdicts {
		return
	}
	b := fmt.Appendf(nil, "#%d %s ", c.ID, c.Transport)
	b = append(words.AppendEndpoint(b, c.Client()), " → "...)
	b = words.AppendEndpoint(b, c.Server())
	if c.Service != "" {
		b = append(append(b, ' '), c.Service...)
	}
	b = fmt.Appendf(b, ", frames %d to %d: %s", c.First.Number, c.Last.Number, f.Tally)
	for i, g := range f.Gates {
		word := ";"
		if i == 0 {
			word = "; not checked:"
		}
		b = fmt.Appendf(b, "%s %s (%s)", word, g.What, g.Why)
	}
	*kept = append(*kept, verdict{c.ID, string(b)})
}

// Frames are the comments, by the number of the frame.
func (x *Comments) Frames() map[int64][]string { return x.frames }

// File is the comment on the capture: what all came to, and each connection.
func (x *Comments) File() string {
	lines := []string{"rdmacap: " + x.end.Tally.String()}
	if x.end.Guilty > 0 {
		lines[0] += fmt.Sprintf(" on %d of %s", x.end.Guilty, words.AppendCount(nil, x.connections, "connection"))
	}
	told := slices.Concat(x.verdicts[0], x.verdicts[1])
	slices.SortFunc(told, func(a, b verdict) int { return a.connection - b.connection })
	for _, v := range told {
		lines = append(lines, v.text)
	}
	if n := x.connections - int64(len(told)); n > 0 {
		lines = append(lines, fmt.Sprintf("and %s more", words.AppendCount(nil, n, "connection")))
	}
	lines = append(lines, x.capture...)
	if x.unsaid > 0 {
		lines = append(lines, fmt.Sprintf("%d more findings have no comment: 'rdmacap check' reports them", x.unsaid))
	}
	return strings.Join(lines, "\n")
}
