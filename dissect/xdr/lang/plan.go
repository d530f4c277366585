package lang

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// A Plan is a Spec with marks, and the Routes that report them. A Route is made
// when it is first asked for: most captures have few of the procedures. Any
// number of goroutines may use a Plan.
type Plan struct {
	Spec *Spec
	// Marks are what events name by their Mark: those of summaries first.
	Marks []*Mark
	// Fields are what events name by their Field. One for a result that is a
	// status and nothing else has no Name.
	Fields []*Field

	named         map[string]int          // indices in Marks, by the names that Spec.Plan was given
	args, results []atomic.Pointer[Route] // by Procedure.index
	making        sync.Mutex              // of compiler
	compiler      compiler
}

// A Route is the way over the octets of a procedure's arguments or result.
type Route struct {
	// Type is that of the value.
	Type *Type
	// Procedure is whose arguments or, with IsResult, result these are.
	Procedure *Procedure
	IsResult  bool

	plan  *Plan
	block *block
}

// Plan makes routes that report what summaries need, and the values of the
// fields that the caller names: by their keys ("nfs.fattr3.size"), or by a type
// and the way from there ("fattr3.size", "READ3res.resok.count"). These are
// reported wherever a value of that type stands.
func (s *Spec) Plan(fields ...string) (*Plan, error) {
	p := &Plan{
		Spec: s, Marks: slices.Clone(s.marks), Fields: s.fields, named: make(map[string]int, len(fields)),
		args: make([]atomic.Pointer[Route], len(s.all)), results: make([]atomic.Pointer[Route], len(s.all)),
	}
	p.compiler = compiler{plan: p, types: make(map[*Type]*trie), memo: make(map[memo]*block), arms: make(map[memo]*arms), inside: make(map[*Type]bool)}
	var in slabs
	for _, name := range fields {
		m, err := s.find(&in, name)
		if err != nil {
			return nil, err
		}
		i := p.index(m)
		if i < 0 {
			i = len(p.Marks)
			p.Marks = append(p.Marks, m)
		}
		p.named[name] = i
		root := m.Root.root()
		if p.compiler.types[root] == nil {
			p.compiler.types[root] = new(trie)
		}
		p.compiler.types[root].add(m.fields, int32(i))
	}
	return p, nil
}

// find is the mark that a key or a type and a path name.
func (s *Spec) find(in *slabs, name string) (*Mark, error) {
	k := s.byKey(name)
	if k.field == nil {
		var of string
		of, k.path, _ = strings.Cut(name, ".")
		if k.root = s.types[of]; k.root == nil || k.path == "" || k.path == "." {
			return nil, fmt.Errorf("no field has the key or name %q%s", name, didYouMean(name, s.allKeys()))
		}
	}
	m, _, reason := newMark(in, k.root, nil, k.path)
	if reason != "" {
		return nil, fmt.Errorf("%s: %s", name, reason)
	}
	if !m.Type.leaf() {
		return nil, fmt.Errorf("%s is a %v: name one of its fields", name, m.Type.Kind)
	}
	return m, nil
}

func (s *Spec) allKeys() (keys []string) {
	for f := range s.Fields() {
		keys = append(keys, f.Key)
	}
	return keys
}

// Index is the index in Marks of a field, named as for Spec.Plan; -1 if it has
// no mark.
func (p *Plan) Index(name string) int {
	if i, ok := p.named[name]; ok {
		return i
	}
	m, err := p.Spec.find(new(slabs), name)
	if err != nil {
		return -1
	}
	return p.index(m)
}

func (p *Plan) index(m *Mark) int {
	return slices.IndexFunc(p.Marks, func(x *Mark) bool { return x.Root == m.Root && x.Path == m.Path })
}

// Args is the way over the arguments of a procedure of the plan's Spec.
func (p *Plan) Args(proc *Procedure) *Route {
	if r := p.args[proc.index].Load(); r != nil {
		return r
	}
	return p.make(&p.args[proc.index], proc, proc.Args, false)
}

// Result is the way over the result of a procedure of the plan's Spec.
func (p *Plan) Result(proc *Procedure) *Route {
	if r := p.results[proc.index].Load(); r != nil {
		return r
	}
	return p.make(&p.results[proc.index], proc, proc.Result, true)
}

// make makes a route, unless another goroutine just did.
func (p *Plan) make(at *atomic.Pointer[Route], proc *Procedure, t *Type, isResult bool) *Route {
	p.making.Lock()
	defer p.making.Unlock()
	r := at.Load()
	if r == nil {
		r = p.compiler.route(proc, t, isResult)
		at.Store(r)
	}
	return r
}
