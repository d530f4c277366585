package sym

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/rules"
	"github.com/rdmacap/rdmacap/report/rules/know/values"
)

// files are those that a row of RPCs was about, as values.File names them.
type files struct {
	list []string // the first of them
	more bool     // there are others
	none bool     // of some RPC it is not known
}

const mostFiles = 8 // that are remembered

// addFile adds that of an operation of an RPC, of which args is the Args.
func (x *files) addFile(r *dissect.RPC, args int) {
	name := ""
	if b := r.Call.Body(); b != nil {
		name = values.File(b, args)
	}
	switch {
	case name == "":
		x.none = true
	case slices.Contains(x.list, name):
	case len(x.list) == mostFiles:
		x.more = true
	default:
		x.list = append(x.list, name)
	}
}

// phrase goes on after what happened to them.
func (x *files) phrase(once bool) string {
	switch n := len(x.list); {
	case x.none || n == 0:
		return ""
	case x.more:
		return fmt.Sprintf("; more than %d files are affected", n)
	case once:
		return "; the file is " + x.list[0]
	case n > 1:
		return fmt.Sprintf("; %d files are affected", n)
	}
	return "; the file is always " + x.list[0]
}

func (x *files) show(f *rules.Finding) {
	if len(x.list) == 0 {
		return
	}
	list := strings.Join(x.list, ", ")
	if x.more {
		list += " and others"
	}
	f.See("files", list, nil)
}

// searches reports whether an operation only looks for what is there: that a directory may not be
// searched belongs to everyday work.
func searches(op string) bool {
	switch op {
	case "LOOKUP", "LOOKUPP", "GETATTR", "ACCESS", "READDIR", "READDIRPLUS":
		return true
	}
	return false
}
