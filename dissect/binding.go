package dissect

import (
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// Bindings are the RPC programs whose arguments and results can be decoded, and
// which of their items are DDP-eligible: those of NFS, and others that a user
// describes in XDR language. One goroutine at a time may use them.
type Bindings struct {
	own []*walk.Plan // asked first
	nfs *walk.Plan   // made when it is first needed
	// marks are the fields that Ask named.
	marks []string
	// found are the bindings that were asked for, so that each is made once.
	found map[*types.Procedure]*Binding
}

// NewBindings returns those of NFS and of the given texts, which come first.
func NewBindings(own ...*types.Spec) (*Bindings, error) {
	b := new(Bindings)
	for _, s := range own {
		p, err := walk.NewPlan(s)
		if err != nil {
			return nil, err
		}
		b.own = append(b.own, p)
	}
	return b, nil
}

// Own are the texts that NewBindings was given.
func (b *Bindings) Own() (own []*types.Spec) {
	for _, p := range b.own {
		own = append(own, p.Spec)
	}
	return own
}

// Ask makes bodies report the values of fields, named as for walk.NewPlan,
// beside those that summaries need: Event.Mark is then their Plan.Index. It is to
// be called before the bindings are used. A field that no text has is an error.
func (b *Bindings) Ask(fields ...string) error {
	spec, err := nfs.Spec()
	if err != nil {
		return err
	}
	known := make(map[string]bool)
	marks := append(slices.Clone(b.marks), fields...)
	own := make([]*walk.Plan, len(b.own))
	for i, p := range b.own {
		if own[i], err = walk.NewPlan(p.Spec, inText(p.Spec, marks, known)...); err != nil {
			return err
		}
	}
	ours, err := walk.NewPlan(spec, inText(spec, marks, known)...)
	if err != nil {
		return err
	}
	for _, name := range fields {
		if !known[name] {
			_, err := walk.NewPlan(spec, name) // which says what it may have been
			return err
		}
	}
	b.own, b.nfs, b.marks = own, ours, marks
	return nil
}

// inText are those of the fields that a text has, by key or by type; it notes
// them in known.
func inText(s *types.Spec, fields []string, known map[string]bool) (list []string) {
	for _, name := range fields {
		of, _, _ := strings.Cut(name, ".")
		if s.Type(of) != nil || s.Field(name) != nil {
			known[name] = true
			list = append(list, name)
		}
	}
	return list
}

// forAnother are the same bindings for another goroutine: the plans are shared.
func (b *Bindings) forAnother() *Bindings {
	if b.nfs == nil {
		b.nfs = nfsPlan()
	}
	return &Bindings{own: b.own, nfs: b.nfs, marks: b.marks}
}

// A Binding is a procedure and the plan that has the ways over its arguments
// and result.
type Binding struct {
	*types.Procedure
	plan *walk.Plan
}

// Plan is the plan that the events of the procedure's bodies are of.
func (b *Binding) Plan() *walk.Plan { return b.plan }

// Route is the way over the procedure's arguments or result.
func (b *Binding) Route(result bool) *walk.Route {
	if result {
		return b.plan.Result(b.Procedure)
	}
	return b.plan.Args(b.Procedure)
}

// Label is the procedure's name as a person says it: without the protocol's own
// prefix, where package rpc knows it.
func (b *Binding) Label() string {
	if name := rpc.ProcedureName(b.Program.Number, b.Version.Number, b.Number); name != "" {
		return name
	}
	return b.Name
}

// find returns the binding of a procedure; nil if no text describes it. A call
// in the backward direction of a program that nobody knows is an NFS callback,
// whose program number the client chooses (RFC 8881 section 18.36).
func (b *Bindings) find(program, version, procedure uint32, reverse bool) *Binding {
	for _, p := range b.own {
		if proc := p.Spec.Procedure(program, version, procedure); proc != nil {
			return b.binding(proc, p)
		}
	}
	if b.nfs == nil {
		b.nfs = nfsPlan()
	}
	proc := b.nfs.Spec.Procedure(program, version, procedure)
	if proc == nil && reverse && rpc.ProgramName(program) == "" {
		proc = b.nfs.Spec.Procedure(rpc.ProgramNFSCallback, 1, procedure)
	}
	if proc == nil {
		return nil
	}
	return b.binding(proc, b.nfs)
}

// binding is that of a procedure, which a plan is about.
func (b *Bindings) binding(proc *types.Procedure, plan *walk.Plan) *Binding {
	found := b.found[proc]
	if found == nil || found.plan != plan {
		found = &Binding{proc, plan}
		if b.found == nil {
			b.found = make(map[*types.Procedure]*Binding)
		}
		b.found[proc] = found
	}
	return found
}

// nfsPlan is the plan of the texts that come with the program; a test holds that
// they can be read.
func nfsPlan() *walk.Plan {
	spec, err := nfs.Spec()
	if err == nil {
		var plan *walk.Plan
		if plan, err = walk.NewPlan(spec); err == nil {
			return plan
		}
	}
	panic("dissect: the texts of package nfs: " + err.Error())
}
