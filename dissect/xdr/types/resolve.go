package types

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// A resolver gathers the declarations of all texts and then ties names to
// what they name, in whatever order they stand. What each thing is made of lies
// in few large slices: a program that reads one small capture has to read all the
// texts before.
type resolver struct {
	consts    map[string]int32 // in constants
	constants []constant
	types     map[string]*Type
	order     []*Type // the declared types
	all       []*Type // every type, those without a name too
	aliases   []*Type // other names, after what they are names of
	basics    [Bool + 1]*Type
	usual     map[string]Kind
	programs  []*Program
	numbers   []number
	limits    []limit
	unions    []cases
	notes     []fieldNote
	key       string // prefix of the keys of the text that is read
	slabs
}

// A constant is a name and its value, which may be another name.
type constant struct {
	name  string
	v     syntax.Value
	n     int64
	enum  *Type
	at    syntax.Place
	after int32 // the value is one more than this one's, -1 if v is the value
	// member is the index of an enum's value.
	member int32
	state  state
}

// A number is the value that a program, version or procedure gets.
type number struct {
	v  syntax.Value
	to *uint32
}

// A limit is the length that stands at a type.
type limit struct {
	t *Type
	v syntax.Value
}

// Cases are the labels of a union.
type cases struct {
	t      *Type
	labels []syntax.Label
}

// A fieldNote is a note at a field.
type fieldNote struct {
	t     *Type
	field int
	note  syntax.Note
}

// newResolver returns one for texts of so many bytes together.
func newResolver(size int) *resolver {
	// What texts of that length usually have.
	constants, types := size/160+8, size/170+8
	r := &resolver{
		consts: make(map[string]int32, constants), constants: make([]constant, 0, constants),
		types: make(map[string]*Type, types), order: make([]*Type, 0, types), all: make([]*Type, 0, 3*types/2),
		notes: make([]fieldNote, 0, size/800),
	}
	r.constants = append(r.constants, constant{name: "FALSE", state: resolved, after: -1}, constant{name: "TRUE", n: 1, state: resolved, after: -1})
	r.consts["FALSE"], r.consts["TRUE"] = 0, 1
	return r
}

func twice(name string, at syntax.Place, before syntax.Place) error {
	if before.Line == 0 {
		return fault(at, name+" is a word of the language")
	}
	return fault(at, name+" is declared twice, first at "+before.String())
}

func (r *resolver) declareConst(name string, v syntax.Value, at syntax.Place) error {
	if i, known := r.consts[name]; known {
		// Texts that are used together often repeat a constant.
		if c := &r.constants[i]; c.v.Text != v.Text || c.enum != nil || c.at.Line == 0 {
			return twice(name, at, c.at)
		}
		return nil
	}
	r.consts[name] = int32(len(r.constants))
	r.constants = append(r.constants, constant{name: name, v: v, at: at, after: -1})
	return nil
}

// declareMember declares a value of an enum, which has so many before it.
func (r *resolver) declareMember(t *Type, member int, name string, v syntax.Value, at syntax.Place) error {
	if i, known := r.consts[name]; known {
		return twice(name, at, r.constants[i].at)
	}
	c := constant{name: name, v: v, at: at, enum: t, member: int32(member), after: -1}
	if v.Text == "" {
		c.v.Text = "0"
		if member > 0 {
			// The one before is the constant declared last.
			c.after = int32(len(r.constants)) - 1
		}
	}
	r.consts[name] = int32(len(r.constants))
	r.constants = append(r.constants, c)
	return nil
}

// resolve makes the Spec.
func (r *resolver) resolve() (*Spec, error) {
	for i := range r.constants {
		c := &r.constants[i]
		if err := r.evaluate(c); err != nil {
			return nil, err
		}
		if c.enum == nil {
			continue
		}
		if c.n != int64(int32(c.n)) {
			return nil, fault(c.at, fmt.Sprintf("%s is %d, which does not fit in a signed word", c.name, c.n))
		}
		c.enum.Names.Members[c.member].Value = int32(c.n)
	}
	s := &Spec{Types: r.order, types: r.types, consts: r.consts, values: make([]int64, len(r.constants))}
	for i := range r.constants {
		s.values[i] = r.constants[i].n
	}
	for _, step := range []func(s *Spec) error{r.tie, r.procedures, r.measure, r.annotate, r.keys, r.summaries} {
		if err := step(s); err != nil {
			return nil, err
		}
	}
	for _, t := range r.all {
		t.notes = nil
	}
	return s, nil
}

// evaluate finds the value of a constant.
func (r *resolver) evaluate(c *constant) (err error) {
	switch c.state {
	case resolved:
		return nil
	case resolving:
		return fault(c.at, "the constant is defined by itself")
	}
	c.state = resolving
	if c.after >= 0 {
		before := &r.constants[c.after]
		if err := r.evaluate(before); err != nil {
			return err
		}
		c.n = before.n + 1
	} else if c.n, err = r.number(c.v); err != nil {
		return err
	}
	c.state = resolved
	return nil
}

// number is the value of a number or of the name of a constant.
func (r *resolver) number(v syntax.Value) (int64, error) {
	if !v.IsName() {
		n, err := strconv.ParseInt(v.Text, 0, 64)
		if err != nil {
			// Unsigned hypers beyond the signed ones keep their bits.
			var u uint64
			u, err = strconv.ParseUint(v.Text, 0, 64)
			n = int64(u)
		}
		// What Go has beyond C is no number here.
		digits := strings.TrimPrefix(v.Text, "-")
		goOnly := len(digits) > 1 && digits[0] == '0' && strings.IndexByte("bBoO", digits[1]) >= 0
		if err != nil || goOnly || strings.Contains(v.Text, "_") {
			return 0, fault(v.Place, strconv.Quote(v.Text)+" is not a number")
		}
		return n, nil
	}
	i, known := r.consts[v.Text]
	if !known {
		return 0, fault(v.Place, v.Text+" is not declared"+syntax.DidYouMean(v.Text, r.constNames()))
	}
	if err := r.evaluate(&r.constants[i]); err != nil {
		return 0, err
	}
	return r.constants[i].n, nil
}

func (r *resolver) constNames() (names []string) {
	for i := range r.constants {
		names = append(names, r.constants[i].name)
	}
	return names
}

// word is a number that fits 32 bits.
func (r *resolver) word(v syntax.Value, what string) (uint32, error) {
	n, err := r.number(v)
	if err == nil && n != int64(uint32(n)) {
		err = fault(v.Place, fmt.Sprintf("%s is %d, which is not from 0 to 4294967295", what, n))
	}
	return uint32(n), err
}

// fault is an error of a text.
func fault(at syntax.Place, reason string) error { return &syntax.Error{Place: at, Reason: reason} }
