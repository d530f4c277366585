package findings

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/lines"
	"github.com/rdmacap/rdmacap/report/words"
)

// splitUsual are the rows of an overview without the notes that Linux peers have, and these.
func splitUsual(list []*finding.OverviewRow) (shown, usual []*finding.OverviewRow) {
	for _, r := range list {
		if r.Usual {
			usual = append(usual, r)
		} else {
			shown = append(shown, r)
		}
	}
	return shown, usual
}

// usual prints one line for notes that Linux peers have.
func (x *form) usual(list []*finding.OverviewRow) {
	if len(list) == 0 {
		return
	}
	var ids []string
	for _, r := range list {
		ids = append(ids, r.ID)
	}
	slices.Sort(ids)
	p := lines.Paragraph{To: &x.t.Writer}
	p.Write("", fmt.Sprintf("%s normal with Linux peers (%s): --all lists them.", words.AppendCount(nil, int64(len(list)), "note"), strings.Join(ids, ", ")))
}

// short prints what is seen when the rest has scrolled away: what the verdict begins with, the worst finding, the
// counts, and why the exit status is what it is.
func (x *form) short(e *finding.Ending) {
	p := lines.Paragraph{To: &x.t.Writer}
	if len(e.Verdict) > 0 {
		p.Write("", e.Verdict[0])
	}
	if len(e.Overview) > 0 && e.Overview[0].Severity > finding.Note {
		worst := e.Overview[0]
		text := fmt.Sprintf("Worst: %s %s", worst.Severity, worst.ID)
		if worst.First.Number != 0 {
			text += ", " + x.t.Where().Frame(worst.First)
		}
		p.Write("", lines.Shorten(lines.Clean(text+": "+worst.Worst), x.t.Width()))
	}
	x.counts(e)
	if x.judges {
		p.Write("", x.status(e))
	}
}

// status says why the exit status is what it is: of findings, unless a capture could not be used.
func (x *form) status(e *finding.Ending) string {
	for _, err := range e.Problems {
		if !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Sprintf("The exit status reflects that not everything could be read: %v.", err)
		}
	}
	if n := e.Absent(); n > 0 {
		return fmt.Sprintf("The exit status reflects that there is no connection %d.", n)
	}
	n := int64(0)
	for _, s := range finding.Severities() {
		if s >= x.failOn {
			n += *e.Tally.Of(s)
		}
	}
	switch {
	case x.failOn == 0:
		return "Exit status 0 whatever is found (--fail-on never)."
	case n == 0:
		return fmt.Sprintf("Exit status 0: no finding is as severe as --fail-on %s.", x.failOn)
	}
	return fmt.Sprintf("Exit status 1: %s as severe as --fail-on %s.", words.AppendCount(nil, n, "finding"), x.failOn)
}
