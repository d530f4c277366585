package record

import (
	"net/url"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/words"
)

// sarif writes a log of the Static Analysis Results Interchange Format (SARIF)
// version 2.1.0, of OASIS, with one run. Results are written as connections end. Their
// rules come after them, as only the end knows which had results: nothing but these is kept.
type sarif struct {
	*JSON   // its buffer, its options and its writer
	names   []string
	version string
	rules   []ruleOrCase   // those that have results, in the order of their first ones
	index   map[string]int // of each ID among them
	gated   []gatedConnection
}

// A ruleOrCase is what an ID of findings stands for: each is a rule of SARIF.
type ruleOrCase struct {
	rule *finding.Rule
	of   *finding.Case // nil for findings without a letter
}

// stdin is how the command line names standard input.
const stdin = "-"

// indexOf is the index of a finding's rule, which is added to the rules if it is not there.
func (x *sarif) indexOf(f *finding.Finding) int {
	id := f.ID()
	at, ok := x.index[id]
	if !ok {
		at = len(x.rules)
		x.index[id] = at
		x.rules = append(x.rules, ruleOrCase{f.Rule, f.Rule.Case(f.Letter)})
	}
	return at
}

// tool appends what made the results: rdmacap, and of its rules those that have results.
func (x *sarif) tool() {
	b := &x.j
	b.object("tool")
	b.object("driver")
	b.str("name", "rdmacap")
	if x.version != "" {
		b.str("version", x.version)
	}
	b.list("rules")
	for _, r := range x.rules {
		x.rule(r.rule, r.of)
	}
	b.Close(']')
	b.Close('}')
	b.Close('}')
}

// rule appends the descriptor of a rule, or with c of a case of it.
func (x *sarif) rule(r *finding.Rule, c *finding.Case) {
	b := &x.j
	id, title, severity, advice := r.ID, r.Title, r.Severity, r.Advice
	if c != nil {
		id, title, severity = r.ID+c.Letter, r.Title+": "+c.Title, c.Severity
		if c.Advice != "" {
			advice = c.Advice
		}
	}
	b.Line()
	b.Open('{')
	b.str("id", id)
	b.str("name", pascal(r.Title))
	message(b, "shortDescription", title)
	message(b, "fullDescription", r.Meaning)
	plain, marked := helpTexts(r, advice)
	b.object("help")
	b.str("text", plain)
	b.str("markdown", marked)
	b.Close('}')
	b.object("defaultConfiguration")
	b.str("level", severity.String())
	b.Close('}')
	b.object("properties")
	b.str("family", r.Family())
	b.str("since", r.Since)
	b.str("reference", r.Reference)
	b.list("tags")
	b.str("", r.Family())
	b.Close(']')
	b.Close('}')
	b.Close('}')
}

// helpTexts are the same help as plain text and as Markdown.
func helpTexts(r *finding.Rule, advice string) (plain, marked string) {
	var p, m []string
	for _, part := range []struct{ name, text string }{
		{"What it means", r.Meaning}, {"Why it matters", r.Why}, {"What to do", advice},
		{"Reference", r.Reference}, {"Limits", r.Limits},
	} {
		if part.text == "" {
			continue
		}
		p = append(p, part.name+": "+part.text)
		m = append(m, "**"+part.name+".** "+markdownEscape(part.text))
	}
	return strings.Join(p, "\n\n"), strings.Join(m, "\n\n")
}

// markdownEscape keeps the names of fields, rdma_xid, from becoming emphasis.
func markdownEscape(s string) string {
	return strings.NewReplacer(`\`, `\\`, "_", `\_`, "*", `\*`, "`", "\\`", "<", `\<`, "[", `\[`).Replace(s)
}

// pascal is a title as an identifier: "ZeroCredits".
func pascal(title string) string {
	var b strings.Builder
	for _, word := range strings.FieldsFunc(title, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9')
	}) {
		b.WriteString(strings.ToUpper(word[:1]) + word[1:])
	}
	return b.String()
}

// message appends a SARIF message, or another object with a text.
func message(b *buffer, name, text string) {
	b.object(name)
	b.str("text", text)
	b.Close('}')
}

// location appends a frame as a place: in the capture, and as a part of its
// connection. It has no region: a capture may be compressed, or a pipe, so that
// nobody else could find bytes of it by their offset.
func (x *sarif) location(c *dissect.Connection, r flow.Ref, xid, text string) {
	b := &x.j
	b.object("")
	if r.File < len(x.names) && x.names[r.File] != stdin {
		b.object("physicalLocation")
		b.object("artifactLocation")
		b.str("uri", fileURI(x.names[r.File]))
		b.int("index", int64(r.File))
		b.Close('}')
		b.Close('}')
	}
	frame := "frame " + strconv.FormatInt(r.Number, 10)
	path := frame
	if xid != "" {
		path = xid + "/" + path
	}
	if c != nil {
		path = "connection " + strconv.Itoa(c.ID) + "/" + path
	}
	b.list("logicalLocations")
	b.object("")
	b.str("name", frame)
	b.str("fullyQualifiedName", path)
	b.str("kind", "frame")
	b.Close('}')
	b.Close(']')
	if text != "" {
		message(b, "message", text)
	}
	b.Close('}')
}

// sarifXID names the RPC of a finding, "" if it is about none.
func sarifXID(f *finding.Finding) string {
	if !f.HasXID {
		return ""
	}
	return "xid " + string(words.AppendHandle(nil, f.XID))
}

// fileURI is a file's name as a URI: relative to where rdmacap was run if the
// name is.
func fileURI(name string) string {
	path := filepath.ToSlash(name)
	if !filepath.IsAbs(name) {
		return (&url.URL{Path: path}).String()
	}
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // C:/captures
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// A gatedConnection is one of which not everything could be checked.
type gatedConnection struct {
	id    int
	gates []finding.Gate
}
