package dissect

import (
	"slices"
	"strings"
	"sync"

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
	// nfs is of the texts that come with the program, which are read when a call first
	// needs them, once for all goroutines; nil until then, or until fields are asked for.
	nfs func() *walk.Plan
	// marks are the fields that Ask named.
	marks []string
	// unasked is Dissector.NoteUnasked, nil if nobody wants to know.
	unasked func(field string)
	// found are the bindings that were asked for, so that each is made once; near are the last
	// ones by a few bits of what they are of.
	found map[*types.Procedure]*Binding
	near  [16]nearBinding
}

// A nearBinding is what find returned.
type nearBinding struct {
	program, version, procedure uint32
	reverse                     bool
	*Binding                    // nil if nothing was found, or looked for
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
	for _, name := range fields {
		if len(inText(spec, []string{name})) == 0 && b.inOwn(name) {
			continue
		}
		if _, err := walk.NewPlan(spec, name); err != nil {
			return err // which says what it may have been
		}
	}
	return b.AskKnown(fields...)
}

// AskKnown is Ask for fields of which a test knows that the texts that come with the program
// have them, or that only texts of a user's may: those of the program are not read
// before a call needs them.
func (b *Bindings) AskKnown(fields ...string) error {
	marks := append(slices.Clone(b.marks), fields...)
	own := make([]*walk.Plan, len(b.own))
	for i, p := range b.own {
		var err error
		if own[i], err = walk.NewPlan(p.Spec, inText(p.Spec, marks)...); err != nil {
			return err
		}
	}
	b.own, b.nfs, b.marks, b.near = own, nfsPlan(marks), marks, [16]nearBinding{}
	return nil
}

// inOwn reports whether a text of the user's has a field.
func (b *Bindings) inOwn(field string) bool {
	return slices.ContainsFunc(b.own, func(p *walk.Plan) bool { return len(inText(p.Spec, []string{field})) > 0 })
}

// inText are those of the fields that a text has, by key or by type.
func inText(s *types.Spec, fields []string) (list []string) {
	for _, name := range fields {
		of, _, _ := strings.Cut(name, ".")
		if s.Type(of) != nil || s.Field(name) != nil {
			list = append(list, name)
		}
	}
	return list
}

// forAnother are the same bindings for another goroutine: the plans are shared.
func (b *Bindings) forAnother() *Bindings {
	if b.nfs == nil {
		b.nfs = nfsPlan(b.marks)
	}
	return &Bindings{own: b.own, nfs: b.nfs, marks: b.marks, unasked: b.unasked}
}

// A Binding is a procedure and the plan that has the ways over its arguments
// and result.
type Binding struct {
	*types.Procedure
	plan *walk.Plan
	of   *Bindings
}

// Plan is the plan that the events of the procedure's bodies are of.
func (b *Binding) Plan() *walk.Plan { return b.plan }

// Index is the Plan.Index of a field. It is -1 if bodies of the plan do not report the field, because
// the plan is of another text, or because nobody asked for the field (Bindings.Ask).
func (b *Binding) Index(field string) int {
	i := b.plan.Index(field)
	if i < 0 && b.of.unasked != nil && !slices.Contains(b.of.own, b.plan) {
		b.of.unasked(field)
	}
	return i
}

// NoteUnasked has note called when a reader of bodies looks for a field of the texts that come with
// the program and nobody asked for it: such a reader finds nothing, ever, without any error. It is for
// tests, and to be called before the first frame.
func (d *Dissector) NoteUnasked(note func(field string)) { d.bindings.unasked = note }

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

// findBinding returns the binding of a procedure; nil if no text describes it. A call
// in the reverse direction of a program that nobody knows is an NFS callback,
// whose program number the client chooses (RFC 8881 section 18.36).
func (b *Bindings) findBinding(program, version, procedure uint32, reverse bool) *Binding {
	n := &b.near[(procedure+version)%uint32(len(b.near))]
	if n.Binding == nil || n.program != program || n.version != version || n.procedure != procedure || n.reverse != reverse {
		*n = nearBinding{program, version, procedure, reverse, b.look(program, version, procedure, reverse)}
	}
	return n.Binding
}

// look is find for what was not asked for lately.
func (b *Bindings) look(program, version, procedure uint32, reverse bool) *Binding {
	for _, p := range b.own {
		if proc := p.Spec.Procedure(program, version, procedure); proc != nil {
			return b.binding(proc, p)
		}
	}
	if b.nfs == nil {
		b.nfs = nfsPlan(b.marks)
	}
	plan := b.nfs()
	proc := plan.Spec.Procedure(program, version, procedure)
	if proc == nil && reverse && rpc.ProgramName(program) == "" {
		proc = plan.Spec.Procedure(rpc.ProgramNFSCallback, 1, procedure)
	}
	if proc == nil {
		return nil
	}
	return b.binding(proc, plan)
}

// binding is that of a procedure, which a plan is about.
func (b *Bindings) binding(proc *types.Procedure, plan *walk.Plan) *Binding {
	found := b.found[proc]
	if found == nil || found.plan != plan {
		found = &Binding{proc, plan, b}
		if b.found == nil {
			b.found = make(map[*types.Procedure]*Binding)
		}
		b.found[proc] = found
	}
	return found
}

// nfsPlan makes the plan of the texts that come with the program, when it is called first;
// tests hold that they can be read, and what is asked of them.
func nfsPlan(marks []string) func() *walk.Plan {
	return sync.OnceValue(func() *walk.Plan {
		spec, err := nfs.Spec()
		if err == nil {
			var plan *walk.Plan
			if plan, err = walk.NewPlan(spec, inText(spec, marks)...); err == nil {
				return plan
			}
		}
		panic("dissect: the texts of package nfs: " + err.Error())
	})
}
