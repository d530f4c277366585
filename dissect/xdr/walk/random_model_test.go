package walk_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A model is a random type, as the test knows it: its text in XDR language and
// how it is encoded share nothing with the package.
type model struct {
	kind   string // "int", "hyper", "bool", "opaque[]", "opaque<>", "string<>", "array[]", "array<>", "optional", "list", "struct", "union"
	name   string // of a struct or union
	limit  int
	parts  []member // of a struct; of a union the arms for 0, 1, ...; of others one
	signed bool
}

type member struct {
	name     string
	of       *model
	eligible bool
}

// A maker makes models and writes their declarations.
type maker struct {
	rnd   *rand.Rand
	text  strings.Builder
	count int
	marks []string // every field that can have a mark
}

func (m *maker) id(prefix string) string {
	m.count++
	return fmt.Sprintf("%s%d", prefix, m.count)
}

// composite makes a struct or union and declares it.
func (m *maker) composite(depth int) *model {
	t := &model{kind: "struct", name: m.id("t")}
	if m.rnd.IntN(4) == 0 {
		t.kind = "union"
	}
	n := 1 + m.rnd.IntN(4)
	var body strings.Builder
	for i := range n {
		f := member{name: m.id("f"), of: m.model(depth - 1)}
		f.eligible = (f.of.kind == "opaque<>" || f.of.kind == "string<>") && m.rnd.IntN(2) == 0
		t.parts = append(t.parts, f)
		if t.kind == "union" {
			fmt.Fprintf(&body, "case %d: ", i)
		}
		fmt.Fprintf(&body, "%s;", declare(f))
		if f.eligible {
			body.WriteString(" /* @eligible */")
		}
		body.WriteByte('\n')
		if markable(f.of) {
			m.marks = append(m.marks, t.name+"."+f.name)
		}
	}
	if t.kind == "struct" {
		fmt.Fprintf(&m.text, "struct %s {\n%s};\n", t.name, &body)
	} else {
		fmt.Fprintf(&m.text, "union %s switch (unsigned int d) {\n%s};\n", t.name, &body)
		m.marks = append(m.marks, t.name+".d")
	}
	return t
}

// markable reports whether the package should tell the value of such a field.
func markable(t *model) bool {
	switch t.kind {
	case "int", "hyper", "bool", "opaque[]", "opaque<>", "string<>":
		return true
	}
	return false
}

func (m *maker) model(depth int) *model {
	if depth > 0 {
		switch m.rnd.IntN(12) {
		case 0, 1, 2:
			return m.composite(depth)
		case 3:
			return &model{kind: "array[]", limit: 1 + m.rnd.IntN(3), parts: []member{{of: m.composite(depth - 1)}}}
		case 4:
			return &model{kind: "array<>", limit: 5, parts: []member{{of: m.composite(depth - 1)}}}
		case 5:
			return &model{kind: "optional", parts: []member{{of: m.composite(depth - 1)}}}
		case 6:
			return m.list(depth)
		case 7:
			return &model{kind: "array<>", limit: 9, parts: []member{{of: &model{kind: "int"}}}}
		}
	}
	switch m.rnd.IntN(6) {
	case 0:
		return &model{kind: "int", signed: m.rnd.IntN(2) == 0}
	case 1:
		return &model{kind: "hyper"}
	case 2:
		return &model{kind: "bool"}
	case 3:
		return &model{kind: "opaque[]", limit: 1 + m.rnd.IntN(9)}
	case 4:
		return &model{kind: "string<>", limit: 12}
	}
	return &model{kind: "opaque<>", limit: 12}
}

// list makes a linked list, a struct that ends with a pointer to itself.
func (m *maker) list(depth int) *model {
	t := &model{kind: "list", name: m.id("t")}
	f := member{name: m.id("f"), of: m.model(depth - 1)}
	t.parts = []member{f}
	if markable(f.of) {
		m.marks = append(m.marks, t.name+"."+f.name)
	}
	fmt.Fprintf(&m.text, "struct %s {\n%s;\n%s *next;\n};\n", t.name, declare(f), t.name)
	return t
}

// declare writes the declaration of a field.
func declare(f member) string {
	t := f.of
	switch t.kind {
	case "int":
		if !t.signed {
			return "unsigned int " + f.name
		}
		return "int " + f.name
	case "hyper", "bool":
		return t.kind + " " + f.name
	case "opaque[]":
		return fmt.Sprintf("opaque %s[%d]", f.name, t.limit)
	case "opaque<>", "string<>":
		return fmt.Sprintf("%s %s<%d>", strings.TrimSuffix(t.kind, "<>"), f.name, t.limit)
	case "array[]":
		return fmt.Sprintf("%s[%d]", declare(member{name: f.name, of: t.parts[0].of}), t.limit)
	case "array<>":
		return fmt.Sprintf("%s<%d>", declare(member{name: f.name, of: t.parts[0].of}), t.limit)
	case "optional":
		return t.parts[0].of.name + " *" + f.name
	case "list":
		return t.name + " *" + f.name
	}
	return t.name + " " + f.name
}
