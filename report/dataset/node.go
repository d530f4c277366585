package dataset

import (
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/query"
)

// A kind is what a column has, or what some have together.
type kind uint8

const (
	number   kind = iota // 64 bits, signed
	truth                // true or false
	moment               // nanoseconds since 1970, UTC
	text                 // UTF-8
	word                 // UTF-8, of which there are few
	document             // JSON
	ordinal              // the number of a connection, which only the order of the capture decides
	group                // columns
	numbers              // a list of numbers
	groups               // a list of columns
)

// A node is a column, or some with one name. Each may be null, but for lists, which may be empty.
type node struct {
	name   string
	kind   kind
	fields []*node // of group and groups
	// Where a value stands in a row: the first of its columns, how many of the nodes on its path
	// are there if it is (the definition level of Parquet), and how many of them are lists (the
	// greatest repetition level).
	column, there, lists int
	// again says that it is an earlier node's column: the members of one name of which a row has at
	// most one. What is not there changes nothing.
	again bool
	// The values that are most frequent, made once: nothing, by how many nodes are there, and false
	// and true.
	nothing []parquet.Value
	no, yes parquet.Value
}

// prepare makes the values that are made once.
func (n *node) prepare() {
	n.nothing = n.nothing[:0]
	for there := range n.there {
		n.nothing = append(n.nothing, parquet.NullValue().Level(0, there, n.column))
	}
	n.no, n.yes = parquet.BooleanValue(false).Level(0, n.there, n.column), parquet.BooleanValue(true).Level(0, n.there, n.column)
}

// place gives the columns of some nodes their places and returns the column after them.
func place(fields []*node, column, there, lists int) int {
	first := make(map[string]int, len(fields))
	for _, n := range fields {
		n.column, n.there, n.lists = column, there+1, lists
		if n.column, n.again = first[n.name]; n.again {
			n.prepare()
			continue
		}
		n.column, first[n.name] = column, column
		switch n.kind {
		case group:
			column = place(n.fields, column, n.there, n.lists)
		case groups:
			n.lists++
			column = place(n.fields, column, n.there, n.lists)
		case numbers:
			n.lists++
			column++
		default:
			column++
		}
		n.prepare()
	}
	return column
}

// parquet is the node as the library takes it.
func (n *node) parquet() parquet.Node {
	switch n.kind {
	case truth:
		return parquet.Optional(parquet.Leaf(parquet.BooleanType))
	case moment:
		return parquet.Optional(parquet.Encoded(parquet.TimestampAdjusted(parquet.Nanosecond, false), &parquet.DeltaBinaryPacked))
	case text:
		return parquet.Optional(parquet.String())
	case word:
		return parquet.Optional(parquet.Encoded(parquet.String(), &parquet.RLEDictionary))
	case document:
		return parquet.Optional(parquet.JSON())
	case group:
		return parquet.Optional(newOrdered(n.fields))
	case numbers:
		return parquet.List(parquet.Int(64))
	case groups:
		return parquet.List(newOrdered(n.fields))
	}
	return parquet.Optional(parquet.Encoded(parquet.Int(64), &parquet.DeltaBinaryPacked))
}

// documents are the paths of the columns that have JSON. Nobody looks for the least and the greatest
// of those, and the library would keep both, whole, of each page until its group is written.
func documents(fields []*node, above []string) (paths [][]string) {
	for _, n := range fields {
		path := append(slices.Clone(above), n.name)
		switch n.kind {
		case document:
			paths = append(paths, path)
		case group:
			paths = append(paths, documents(n.fields, path)...)
		case groups:
			paths = append(paths, documents(n.fields, append(path, "list", "element"))...)
		}
	}
	return paths
}

// nodeOf is the node of a member that has a value.
func nodeOf[T any](m *query.RecordMember[T]) *node {
	n := &node{name: m.Member.Name}
	switch m.Kind {
	case filter.Bool:
		n.kind = truth
	case filter.Time:
		n.kind = moment
	case filter.String:
		if n.kind = text; m.Worded() {
			n.kind = word
		}
	case filter.Enum:
		if n.kind = word; m.Member.AsNumber {
			n.kind = number
		}
	default:
		if digitsOf(&m.Field) != 0 {
			n.kind = text
		}
	}
	return n
}

// structured is the node of a member that docs/json.md says is of a type: "object or null".
func structured(name, typed string) *node {
	word, _, _ := strings.Cut(typed, " ")
	kinds := map[string]kind{"number": number, "string": text, "boolean": truth}
	if k, ok := kinds[word]; ok {
		return &node{name: name, kind: k}
	}
	return &node{name: name, kind: document}
}

// nodes are those of members: own are the ones that this package knows the insides of, by name.
func nodes[T any](list []query.RecordMember[T], own func(name string) []*node) (fields []*node) {
	for i := range list {
		m := &list[i]
		if m.Key == "" {
			continue // a gate: all may be null
		}
		if !m.Structured() {
			fields = append(fields, nodeOf(m))
		} else if n := own(m.Member.Name); n != nil {
			fields = append(fields, n...)
		} else {
			fields = append(fields, structured(m.Member.Name, m.Type()))
		}
	}
	return fields
}
