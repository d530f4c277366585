package types

import (
	"sync"

	"github.com/rdmacap/rdmacap/dissect/xdr/syntax"
)

// A Spec is what texts in XDR language declare. It is never changed, so any
// number of goroutines may use it.
type Spec struct {
	// Programs are in the order of the texts, one for each number.
	Programs []*Program
	// Types are the declared types, in the order of the texts.
	Types []*Type

	consts     map[string]int32 // in values
	values     []int64
	types      map[string]*Type
	procedures map[procedureKey]*Procedure
	all        []*Procedure
	marks      []*Mark // those of summaries
	// fields are those with a key, in the order of the texts, and then those
	// that stand for a value which is no field: a result that is a status and
	// nothing else, by its type in bare.
	fields []*Field
	keyed  int
	bare   map[*Type]*Field
	// names are the fields by their keys, made when one is first asked for.
	names struct {
		sync.Once
		byKey map[string]keyed
	}
}

type procedureKey struct{ program, version, procedure uint32 }

// A Program is an RPC program (RFC 5531, section 12). What several texts declare
// with the same number is one Program: that of NFS comes from three.
type Program struct {
	// Name is the first one that the texts give it; Names are all of them.
	Name   string
	Names  []string
	Number uint32
	// Versions are in ascending order of their numbers.
	Versions []*Version
	Doc      string
	Place    syntax.Place
}

// A Version is one version of a program.
type Version struct {
	Name       string
	Number     uint32
	Procedures []*Procedure
	// ProgramName is the program's name where the version stands.
	ProgramName string
	Doc         string
	Place       syntax.Place
}

// A Procedure is one procedure of a version.
type Procedure struct {
	Program *Program
	Version *Version
	Name    string
	Number  uint32
	// Args is the type of the arguments: Void if there are none, and if there
	// are several a Struct without a name, with fields arg1, arg2 and so on.
	Args *Type
	// Result is the type of the result, Void if there is none.
	Result *Type
	Doc    string
	Place  syntax.Place

	// Index counts the procedures of the Spec, from 0.
	Index int
}

// Const is the value of the constant of that name, or of the enum's value; ok is
// false if there is none. Unsigned hypers keep their bits.
func (s *Spec) Const(name string) (v int64, ok bool) {
	i, ok := s.consts[name]
	if ok {
		v = s.values[i]
	}
	return v, ok
}

// Type is the type declared by that name, nil if there is none.
func (s *Spec) Type(name string) *Type { return s.types[name] }

// Procedure is the procedure with those numbers, nil if the texts have none.
func (s *Spec) Procedure(program, version, procedure uint32) *Procedure {
	return s.procedures[procedureKey{program, version, procedure}]
}

// Procedures are all procedures, by their Index.
func (s *Spec) Procedures() []*Procedure { return s.all }

// Marks are the values that summaries name, by the Mark of their Parts.
func (s *Spec) Marks() []*Mark { return s.marks }

// Numbered are the fields by their Index: those with a key, and then those that
// stand for a result which is a status and nothing else, as StatusAlone has them.
func (s *Spec) Numbered() []*Field { return s.fields }

// StatusAlone is the field that stands for a value of the enum where it is a
// whole result, as in NFS version 2; nil if the enum is no status.
func (s *Spec) StatusAlone(t *Type) *Field { return s.bare[t] }

// Program is the program with that number, nil if the texts have none.
func (s *Spec) Program(number uint32) *Program {
	for _, p := range s.Programs {
		if p.Number == number {
			return p
		}
	}
	return nil
}

// Version is the version with that number, nil if the program has none.
func (p *Program) Version(number uint32) *Version {
	for _, v := range p.Versions {
		if v.Number == number {
			return v
		}
	}
	return nil
}
