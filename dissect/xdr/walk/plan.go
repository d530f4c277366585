package walk

import (
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// A Plan is a Spec with marks, and the Routes that report them. A Route is made
// when it is first asked for: most captures have few of the procedures. Any
// number of goroutines may use a Plan.
type Plan struct {
	Spec *types.Spec
	// Marks are what events name by their Mark: those of summaries first.
	Marks []*types.Mark
	// Fields are what events name by their Field. One for a result that is a
	// status and nothing else has no Name.
	Fields []*types.Field

	named         map[string]int          // indices in Marks, by the names that NewPlan was given
	args, results []atomic.Pointer[Route] // by Procedure.index
	making        sync.Mutex              // of compiler and bare
	compiler      compiler
	bare          compiler
}

// A Route is the way over the bytes of a procedure's arguments or result.
type Route struct {
	// Type is that of the value.
	Type *types.Type
	// Procedure is whose arguments or, with IsResult, result these are.
	Procedure *types.Procedure
	IsResult  bool

	// Plan is what its events are of.
	Plan *Plan

	block *block
	bare  atomic.Pointer[block] // tells nothing; nil until it is needed
}

// NewPlan returns one whose routes report what summaries need, and the values of the
// fields that the caller names, as for Spec.Mark. These are reported wherever a value
// of that type stands.
func NewPlan(s *types.Spec, fields ...string) (*Plan, error) {
	p := &Plan{
		Spec: s, Marks: slices.Clone(s.Marks()), Fields: s.Numbered(), named: make(map[string]int, len(fields)),
		args: make([]atomic.Pointer[Route], len(s.Procedures())), results: make([]atomic.Pointer[Route], len(s.Procedures())),
	}
	p.compiler, p.bare = newCompiler(p, false), newCompiler(p, true)
	for _, name := range fields {
		m, err := s.Mark(name)
		if err != nil {
			return nil, err
		}
		i := p.index(m)
		if i < 0 {
			i = len(p.Marks)
			p.Marks = append(p.Marks, m)
		}
		p.named[name] = i
		root := m.Root.Root()
		if p.compiler.types[root] == nil {
			p.compiler.types[root] = new(trie)
		}
		p.compiler.types[root].addPath(m.Steps, int32(i))
	}
	return p, nil
}

// Index is the index in Marks of a field, named as for NewPlan; -1 if it has
// no mark.
func (p *Plan) Index(name string) int {
	if i, ok := p.named[name]; ok {
		return i
	}
	m, err := p.Spec.Mark(name)
	if err != nil {
		return -1
	}
	return p.index(m)
}

func (p *Plan) index(m *types.Mark) int {
	return slices.IndexFunc(p.Marks, func(x *types.Mark) bool { return x.Root == m.Root && x.Path == m.Path })
}

// Args is the way over the arguments of a procedure of the plan's Spec.
func (p *Plan) Args(proc *types.Procedure) *Route {
	if r := p.args[proc.Index].Load(); r != nil {
		return r
	}
	return p.make(&p.args[proc.Index], proc, proc.Args, false)
}

// Result is the way over the result of a procedure of the plan's Spec.
func (p *Plan) Result(proc *types.Procedure) *Route {
	if r := p.results[proc.Index].Load(); r != nil {
		return r
	}
	return p.make(&p.results[proc.Index], proc, proc.Result, true)
}

// make makes a route, unless another goroutine just did.
func (p *Plan) make(at *atomic.Pointer[Route], proc *types.Procedure, t *types.Type, isResult bool) *Route {
	p.making.Lock()
	defer p.making.Unlock()
	r := at.Load()
	if r == nil {
		r = p.compiler.route(proc, t, isResult)
		at.Store(r)
	}
	return r
}

// bareBlock is the way over the same value that tells nothing.
func (r *Route) bareBlock() *block {
	if b := r.bare.Load(); b != nil {
		return b
	}
	r.Plan.making.Lock()
	defer r.Plan.making.Unlock()
	b := r.Plan.bare.block(r.Type, nil, inner, -1)
	r.bare.Store(b)
	return b
}
