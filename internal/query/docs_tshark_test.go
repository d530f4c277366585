package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/report/lines"
)

// TestDocumentListsWiresharksNames holds docs/filter.md to the tables of names.
func TestDocumentListsWiresharksNames(t *testing.T) {
	holdGenerated(t, document, "tshark", describeTshark())
}

// describeTshark lists Wireshark's names by what stands before the last dot, there and in
// our names: those that mean one of our fields, those that have a hint, and those that mean
// another thing here.
func describeTshark() string {
	var b strings.Builder
	var order []string
	fields := make(map[string][]string)
	var hinted []string
	for _, n := range tsharkNames() {
		if n.ours == "" {
			hinted = append(hinted, "`"+n.name+"`")
			continue
		}
		theirs, last := beforeLast(n.name)
		ours, end := beforeLast(n.ours)
		group := "| `" + theirs + "` | `" + ours + "` | "
		if !slices.Contains(order, group) {
			order = append(order, group)
		}
		entry := "`" + last + "`"
		if end != last {
			entry += " = `" + end + "`"
		}
		fields[group] = append(fields[group], entry)
	}
	b.WriteString("\n| Wireshark's | ours | fields |\n| --- | --- | --- |\n")
	for _, group := range order {
		b.WriteString(group + strings.Join(fields[group], ", ") + " |\n")
	}
	b.WriteString("\nFor these, the error message says what to write instead:\n" + strings.Join(lines.Wrap(strings.Join(hinted, ", ")+".", 100, 100), "\n") + "\n")
	b.WriteString("\nThese names mean something else here than in Wireshark:\n\n| field | here |\n| --- | --- |\n")
	for _, n := range otherMeanings() {
		fmt.Fprintf(&b, "| `%s` | %s |\n", n.name, n.hint)
	}
	b.WriteString("\n")
	return b.String()
}

// beforeLast cuts a name after its last dot.
func beforeLast(name string) (before, last string) {
	dot := strings.LastIndexByte(name, '.') + 1
	return name[:dot], name[dot:]
}
