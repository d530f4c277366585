package filter

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// The tables of the language, as the script of the page has them.

var (
	operatorKeys = [...]string{
		equal: "equal", less: "less", lessEqual: "lessEqual", greater: "greater", greaterEqual: "greaterEqual",
		contains: "contains", matches: "matches", among: "among",
	}
	quantityKeys = [...]string{some: "some", every: "every", none: "none", someNot: "someNot", present: "present"}
)

// TestTablesOfThePage holds the tables of the page's script to those of the package. With
// -update they are written anew.
func TestTablesOfThePage(t *testing.T) {
	const path = "../report/page/web/src/filter/tables.ts"
	want := tablesOfThePage(t)
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if has, err := os.ReadFile(path); err != nil || string(has) != want {
		t.Errorf("%s is not what the package has: run go test ./filter -run Tables -update, and npm run build there", path)
	}
}

func tablesOfThePage(t *testing.T) string {
	var b strings.Builder
	b.WriteString("// Written by go test ./filter -run Tables -update: do not edit.\n")
	quoted := func(v any) string {
		s, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(string(s))
	}
	union := func(name, doc string, of []string) {
		fmt.Fprintf(&b, "\n/** %s */\nexport type %s = ", doc, name)
		for i, s := range of {
			if i > 0 {
				b.WriteString(" | ")
			}
			b.WriteString(quoted(s))
		}
		b.WriteString(";\n")
	}
	table := func(name, doc, kind string, rows ...[]any) {
		fmt.Fprintf(&b, "\n/** %s */\nexport const %s: %s = [\n", doc, name, kind)
		for _, r := range rows {
			var cells []string
			for _, c := range r {
				if s, ok := c.(number); ok {
					cells = append(cells, string(s))
				} else {
					cells = append(cells, quoted(c))
				}
			}
			fmt.Fprintf(&b, "  [%s],\n", strings.Join(cells, ", "))
		}
		b.WriteString("];\n")
	}
	union("Operator", "What is asked of each value.", operatorKeys[:])
	union("Quantity", "How many of a field's values have to pass.", quantityKeys[:])
	var kinds []string
	var words [][]any
	for k := Uint; int(k) < len(kindWords); k++ {
		kinds = append(kinds, k.Key())
		words = append(words, []any{k.Key(), kindWords[k].name, kindWords[k].example})
	}
	union("Kind", "What the values of a field are.", kinds)
	table("kinds", "Kinds, with their names and literals of them.", "readonly [key: Kind, name: string, example: string][]", words...)
	var relations [][]any
	for _, sign := range slices.Sorted(maps.Keys(operators)) {
		relations = append(relations, []any{sign, operatorKeys[operators[sign].op], quantityKeys[operators[sign].of]})
	}
	table("operators", "What may stand between a field and a value.", "readonly [sign: string, op: Operator, of: Quantity][]", relations...)
	var offers [][]any
	for _, o := range offered {
		offers = append(offers, []any{o.sign, o.doc})
	}
	table("offered", "The operators that completions offer.", "readonly [sign: string, doc: string][]", offers...)
	fmt.Fprintf(&b, "\n/** Words that join tests. */\nexport const keywords: readonly string[] = %s;\n", quoted(keywords))
	fmt.Fprintf(&b, "\n/** The characters that end a word, beside spaces. */\nexport const signs = %s;\n", quoted(signs))
	fmt.Fprintf(&b, "\n/** Operators made of signs, longer ones first. */\nexport const operatorSigns: readonly string[] = %s;\n", quoted(operatorSigns))
	var sizes, durations [][]any
	for _, s := range scales {
		sizes = append(sizes, []any{s.unit, number(fmt.Sprintf("%dn", s.of))})
	}
	table("scales", "Units of sizes.", "readonly [unit: string, of: bigint][]", sizes...)
	for _, unit := range []string{"ns", "us", "\u00b5s", "\u03bcs", "ms", "s", "m", "h"} { // of time.ParseDuration
		d, err := time.ParseDuration("1" + unit)
		if err != nil {
			t.Fatal(err)
		}
		durations = append(durations, []any{unit, number(fmt.Sprintf("%dn", d.Nanoseconds()))})
	}
	table("durations", "Units of durations, in nanoseconds.", "readonly [unit: string, of: bigint][]", durations...)
	return b.String()
}

// A number is written as it is, not in quotes.
type number string
