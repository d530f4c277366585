package bind

import (
	"fmt"

	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// A plan is a Spec and the ways over what it describes, with marks on everything that
// notes bind.
type plan struct {
	*walk.Plan
	roles []role // by mark
}

// A role is what a mark is there for.
type role struct {
	kind types.BindKind
	// holds says that the value is opaque data that hold items.
	holds bool
	// variable says that a length word stands before the value.
	variable bool
	// counted says that the value is part of what a sequence number counts: what is
	// counted apart has another name.
	counted string
	// by are the marks of what a sequence number counts.
	by []int32
	// field is the key of the field, or of the type, for messages.
	field string
}

// newPlan marks what the notes of a Spec name: types that are bound, fields that are, what
// holds others, and what sequence numbers count.
func newPlan(s *types.Spec) (*plan, error) {
	var names []string
	roles := make(map[string]role)
	by := make(map[string][]string)
	add := func(name string, r role) {
		if _, known := roles[name]; !known {
			names = append(names, name)
		}
		roles[name] = roles[name].and(r)
	}
	for _, t := range s.Types {
		if t.Root() != t {
			continue
		}
		if bound(t.Bind) && t.IsLeaf() {
			add(t.Name, role{kind: t.Bind.Kind, field: typeKey(t)})
		}
		for i := range t.Fields {
			f := &t.Fields[i]
			if f.Bind == nil || len(f.Bind.By) == 0 {
				continue
			}
			for _, j := range f.Bind.By {
				for _, name := range leaves(t, &t.Fields[j]) {
					add(name, role{counted: t.Fields[j].Type.Name})
					by[f.Key] = append(by[f.Key], name)
				}
			}
		}
	}
	for f := range s.Fields() {
		if bound(f.Bind) && !byType(f) {
			add(f.Key, role{kind: f.Bind.Kind, field: f.Key})
		}
		if f.Content != nil {
			add(f.Key, role{holds: true, field: f.Key})
		}
	}
	w, err := walk.NewPlan(s, names...)
	if err != nil {
		return nil, fmt.Errorf("notes of what is bound: %w", err)
	}
	p := &plan{Plan: w, roles: make([]role, len(w.Marks))}
	for _, name := range names {
		at := w.Index(name) // that of several names may be one
		r := p.roles[at].and(roles[name])
		for _, other := range by[name] {
			r.by = append(r.by, int32(w.Index(other)))
		}
		kind := w.Marks[at].Type.Kind
		r.variable = kind == types.Opaque || kind == types.String
		p.roles[at] = r
	}
	return p, nil
}

// and is a mark that is there for two things.
func (r role) and(other role) role {
	if r.kind == types.NotBound {
		r.kind = other.kind
	}
	if r.counted == "" {
		r.counted = other.counted
	}
	if r.field == "" {
		r.field = other.field
	}
	r.holds = r.holds || other.holds
	return r
}

func bound(b *types.Bind) bool { return b != nil && b.Kind != types.NotBound }

// typeKey is how messages name a value of a type that is no field's.
func typeKey(t *types.Type) string {
	if key := t.Key(); key != "" {
		return key
	}
	return t.Name
}

// byType reports whether the mark on the field's type stands for the field.
func byType(f *types.Field) bool {
	t := f.Type
	if t.Kind == types.Optional {
		t = t.Elem
	}
	root := t.Root()
	return root.Name != "" && root.Bind == f.Bind && root.IsLeaf()
}

// leaves are the names of the values that a field consists of.
func leaves(in *types.Type, f *types.Field) []string {
	name := in.Name + "." + f.Name
	if f.Type.IsLeaf() {
		return []string{name}
	}
	var names []string
	for i := range f.Type.Fields {
		if sub := &f.Type.Fields[i]; sub.Type.IsLeaf() {
			names = append(names, name+"."+sub.Name)
		}
	}
	return names
}

// procedure is that of a message, nil if the texts do not describe it.
func (p *plan) procedure(m *Message) *types.Procedure {
	proc := p.Spec.Procedure(m.Program, m.Version, m.Procedure)
	if proc == nil && m.Reverse && p.Spec.Program(m.Program) == nil {
		// The client chooses the program's number: RFC 8881, section 18.36.
		proc = p.Spec.Procedure(rpc.ProgramNFSCallback, 1, m.Procedure)
	}
	return proc
}

// route is the way over a message's arguments or result.
func (p *plan) route(m *Message, isResult bool) *walk.Route {
	proc := p.procedure(m)
	switch {
	case proc == nil:
		return nil
	case isResult:
		return p.Result(proc)
	}
	return p.Args(proc)
}
