package record

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/words"
)

// maxGated bounds what is kept for the end: a capture may have any number of
// connections.
const maxGated = 1000

// NewSARIF returns a form that writes a SARIF log to w, of a version of rdmacap.
func NewSARIF(w io.Writer, o listing.Options, version string) draft.Form {
	x := &sarif{JSON: NewJSON(w, false, o), names: o.Names, version: version, index: make(map[string]int)}
	x.start()
	return draft.Form{Form: x, Out: x}
}

// start writes what comes before the results.
func (x *sarif) start() {
	b := &x.j
	b.Open('{')
	b.str("$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json")
	b.str("version", "2.1.0")
	b.list("runs")
	b.object("")
	b.list("results")
}

// Found writes the results of a connection, or of the whole capture.
func (x *sarif) Found(f *finding.Found) {
	if c := f.Connection; c != nil && len(f.Gates) > 0 && len(x.gated) < maxGated {
		x.gated = append(x.gated, gatedConnection{c.ID, f.Gates})
	}
	f.All(func(one *finding.Finding) {
		b := &x.j
		b.Line()
		b.Open('{')
		x.result(one, f.Ids)
		b.Close('}')
		if len(b.B) >= draft.FlushAt {
			_ = x.Flush() // Err tells
		}
	})
}

// result appends the members of a result.
func (x *sarif) result(f *finding.Finding, ids map[*finding.Finding]int64) {
	b := &x.j
	b.str("ruleId", f.ID())
	b.int("ruleIndex", int64(x.indexOf(f)))
	b.str("kind", "fail")
	b.str("level", f.Severity.String())
	text := f.Message
	if f.Doubt != "" {
		text += " (likely: " + f.Doubt + ")"
	}
	message(b, "message", text)
	b.list("locations")
	x.location(f.Connection, f.Frame, sarifXID(f), "")
	b.Close(']')
	if len(f.Consequences) > 0 {
		b.list("relatedLocations")
		for _, c := range f.Consequences {
			x.location(f.Connection, c.Frame, "", c.Text)
		}
		b.Close(']')
	}
	b.object("partialFingerprints")
	b.str("rdmacapFinding/v1", fingerprint(f))
	b.Close('}')
	b.int("occurrenceCount", f.Count)
	b.object("properties")
	x.finding(b, f, ids) // as the JSON record has it
	b.Close('}')
}

// fingerprint is the same for the same finding about the same connection in
// another capture of the same test: it leaves out times, frames and XIDs.
func fingerprint(f *finding.Finding) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s %s", f.ID(), f.Call)
	if c := f.Connection; c != nil {
		fmt.Fprintf(h, " %d %s %s", c.ID, c.Client().Addr.AppendTo(nil), c.Server().Addr.AppendTo(nil))
		if f.HasFrom {
			fmt.Fprintf(h, " %s", words.Sender(c, f.From))
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// End writes what comes after the results.
func (x *sarif) End(e *finding.Ending) error {
	b := &x.j
	b.Close(']')
	x.tool()
	b.list("artifacts")
	for _, name := range x.names {
		b.object("")
		if name == stdin {
			b.object("description")
			b.str("text", "standard input")
			b.Close('}')
		} else {
			b.object("location")
			b.str("uri", fileURI(name))
			b.Close('}')
		}
		b.list("roles")
		b.str("", "analysisTarget")
		b.Close(']')
		b.Close('}')
	}
	b.Close(']')
	x.invocation(e)
	b.object("properties")
	b.object("findings")
	b.tally(&e.Tally)
	b.Close('}')
	b.int("frames", e.Frames)
	b.int("connections", e.Connections)
	b.int("rpcs", e.RPCs)
	b.list("notChecked")
	for _, g := range x.gated {
		b.object("")
		b.int("connection", int64(g.id))
		b.gates("gates", g.gates)
		b.Close('}')
	}
	b.Close(']')
	b.Close('}')
	b.Close('}')
	b.Close(']')
	b.Close('}')
	b.B = append(b.B, '\n')
	return x.Flush()
}

// invocation reports what was wrong with reading the captures.
func (x *sarif) invocation(e *finding.Ending) {
	b := &x.j
	successful := true
	for _, err := range e.Problems {
		successful = successful && errors.Is(err, io.ErrUnexpectedEOF)
	}
	b.list("invocations")
	b.object("")
	b.bool("executionSuccessful", successful)
	if len(e.Problems) > 0 {
		b.list("toolExecutionNotifications")
		for _, err := range e.Problems {
			b.object("")
			if errors.Is(err, io.ErrUnexpectedEOF) {
				b.str("level", "warning") // the capture ends in the middle of a record
			} else {
				b.str("level", "error")
			}
			message(b, "message", err.Error())
			b.Close('}')
		}
		b.Close(']')
	}
	b.Close('}')
	b.Close(']')
}
