package query

import (
	"cmp"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/filter"
)

var update = flag.Bool("update", false, "write the list of fields into docs/filter.md anew")

const document = "../../docs/filter.md"

// TestDocumentListsTheFields holds the list of docs/filter.md against the sets, and those of
// docs/json.md against the tables.
func TestDocumentListsTheFields(t *testing.T) {
	holdGenerated(t, document, "fields", describe(newSets(t)))
	holdGenerated(t, "../../docs/json.md", "rpc", describeRecord(RPCMembers()))
	holdGenerated(t, "../../docs/json.md", "connection", describeRecord(ConnectionMembers()))
	holdGenerated(t, "../../docs/json.md", "frame", describeRecord(FrameMembers()))
	holdGenerated(t, "../../docs/json.md", "message", describeRecord(MessageMembers()))
}

// holdGenerated holds a part of a document against what is generated, or writes it anew.
func holdGenerated(t *testing.T, path, part, want string) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(data), "<!-- "+part+": begin; this part is generated -->\n")
	has, after, closed := strings.Cut(rest, "<!-- "+part+": end -->")
	if !found || !closed {
		t.Fatalf("%s has no place for %s", path, part)
	}
	if has == want {
		return
	}
	if !*update {
		t.Errorf("%s is not what the program has: run go test ./query -update", path)
		return
	}
	text := string(data[:len(data)-len(rest)]) + want + "<!-- " + part + ": end -->" + after
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// describeRecord lists the members of a record.
func describeRecord[T any](members []RecordMember[T]) string {
	var b strings.Builder
	b.WriteString("\n| field | type | meaning |\n| --- | --- | --- |\n")
	for _, m := range members {
		if m.Key == "" {
			continue
		}
		doc := m.Member.Doc
		if doc == "" {
			doc = m.Doc
		}
		if asked := cmp.Or(m.Member.Asked, m.Name); asked != "" {
			doc += " (`" + asked + "`)"
		}
		mark := ""
		if m.Member.Beyond {
			mark = " +"
		}
		fmt.Fprintf(&b, "| `%s`%s | %s | %s |\n", m.Member.Name, mark, m.Type(), doc)
	}
	b.WriteString("\n")
	return b.String()
}

// TestExamplesOfTheDocument compiles the examples: a block says by its language
// what they are about.
func TestExamplesOfTheDocument(t *testing.T) {
	data, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	sets := newSets(t)
	for block, l := range map[string]Level{"filter": RPCs, "rpc": RPCs, "message": Messages, "frame": Frames} {
		n := 0
		for i, text := range strings.Split(string(data), "```"+block+"\n") {
			if i == 0 {
				continue
			}
			text, _, _ = strings.Cut(text, "```")
			for line := range strings.Lines(text) {
				expr, _, _ := strings.Cut(line, "  # ")
				if _, err := sets.Compile(l, strings.TrimSpace(expr)); err != nil {
					t.Error(err)
				}
				n++
			}
		}
		if n < 4 {
			t.Errorf("%d examples about %s", n, words[l].rows)
		}
	}
}

// describe lists the fields of all levels: those that are rdmacap's own with
// what they mean, those of headers and texts by where they belong.
func describe(s *Sets) string {
	var b strings.Builder
	b.WriteString("\n### Of RPCs\n\n")
	var own []Field
	for _, f := range append(s.rpcs.fields(), gatheredFields(s)...) {
		if !strings.HasPrefix(f.Name, "rdma.call.") && !strings.HasPrefix(f.Name, "rdma.reply.") {
			own = append(own, f)
		}
	}
	table(&b, own)
	b.WriteString("\nEach `rdma.…` field also exists for the call and the reply alone: `rdma.call.xid`, `rdma.reply.xid`.\n")
	b.WriteString("\nThe arguments and results, named as in the XDR files of [dissect/nfs](../dissect/nfs): type and\nfield, in lower case. Put the prefix on the left before each name on the right.\n\n")
	var keys []string
	for i := range s.texts {
		if t := &s.texts[i]; !strings.HasPrefix(t.Name, "nfs.") {
			keys = append(keys, t.Name)
		}
	}
	groups(&b, "type", keys)
	b.WriteString("\n### Of messages\n\n")
	table(&b, s.messages.fields())
	b.WriteString("\n### Of frames\n\n")
	headers, inHeader := headers(), make(map[string]bool)
	for _, h := range headers {
		for _, f := range h.table.Fields {
			inHeader[h.table.Key+"."+f.Key] = true
		}
	}
	message := make(map[string]bool)
	for _, e := range messageFields() {
		message[e.Name] = true
	}
	own = own[:0]
	keys = keys[:0]
	for _, f := range s.frames.fields() {
		switch {
		case inHeader[f.Name]:
			keys = append(keys, f.Name)
		case !message[f.Name]:
			own = append(own, f)
		}
	}
	table(&b, own)
	b.WriteString("\nA frame that completes a message also has the message's fields, which begin with `rdma.`.\n\nThe fields of its headers:\n\n")
	groups(&b, "header", keys)
	b.WriteString("\n")
	return b.String()
}

func gatheredFields(s *Sets) (list []Field) {
	for i := range s.texts {
		if strings.HasPrefix(s.texts[i].Name, "nfs.") {
			list = append(list, s.texts[i].Field)
		}
	}
	return list
}

// kinds are what a reader takes the kinds of values for.
var kinds = map[filter.Kind]string{
	filter.Uint: "number", filter.Int: "number", filter.Duration: "duration", filter.Bool: "true, false", filter.String: "text",
	filter.Bytes: "bytes", filter.Address: "address", filter.Enum: "names", filter.Time: "time",
}

func table(b *strings.Builder, fields []Field) {
	b.WriteString("| field | values | |\n| --- | --- | --- |\n")
	for _, f := range fields {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", f.Name, valuesOf(f), f.Doc)
	}
}

// valuesOf is the kind of a field's values, or the values if they are few.
func valuesOf(f Field) string {
	const few = 8
	if f.Kind != filter.Enum {
		return kinds[f.Kind]
	}
	var names []string
	for name := range f.Names {
		if strings.ContainsAny(name, " ,") {
			name = `"` + name + `"`
		}
		if names = append(names, "`"+name+"`"); len(names) > few {
			return kinds[f.Kind]
		}
	}
	return strings.Join(names, " ")
}

// groups lists names by what stands before their last dot.
func groups(b *strings.Builder, what string, names []string) {
	fmt.Fprintf(b, "| %s | fields |\n| --- | --- |\n", what)
	var order []string
	members := make(map[string][]string)
	for _, name := range names {
		dot := strings.LastIndexByte(name, '.')
		group := name[:dot+1]
		if !slices.Contains(order, group) {
			order = append(order, group)
		}
		members[group] = append(members[group], "`"+name[dot+1:]+"`")
	}
	for _, group := range order {
		fmt.Fprintf(b, "| `%s` | %s |\n", group, strings.Join(members[group], " "))
	}
}
