package query

import (
	"strconv"
	"strings"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/filter"
)

// Number 6 is READ in version 3 of NFS, CREATE in version 4 and something else
// in other programs. So that a name asks for nothing but what it names, the
// values of nfs.op and rpc.procedure are not these numbers but such as say also
// what they are of:
//
//	| program, 32 bits | version, 12 bits | operation, 1 bit | number, 19 bits |
//
// but the operations of NFS version 4 are their numbers, and so are procedures
// that no text knows.
func operation(program, version, number uint32, inside bool) uint64 {
	v := uint64(program)<<32 | uint64(version&0xFFF)<<20 | uint64(number&0x7FFFF)
	if inside {
		if program == rpc.ProgramNFS {
			return uint64(number)
		}
		v |= 1 << 19
	}
	return v
}

// A named operation or procedure.
type operationName struct {
	name
	number uint32
}

// procedures are the procedures of the texts, and then the operations of those
// that have such. Procedures are named as dissect.Binding.Label does.
func procedures(specs []*types.Spec) (procedures, operations []operationName) {
	for _, s := range specs {
		for _, p := range s.Programs {
			for _, v := range p.Versions {
				for _, proc := range v.Procedures {
					b := dissect.Binding{Procedure: proc}
					procedures = append(procedures, operationName{
						name{b.Label(), operation(p.Number, v.Number, proc.Number, false)}, proc.Number})
					for n, number := range operationsOf(proc.Args) {
						operations = append(operations, operationName{
							name{n, operation(p.Number, v.Number, uint32(number), true)}, uint32(number)})
					}
				}
			}
		}
	}
	return procedures, operations
}

// operationsOf are the operations that arguments may hold: an array in them, of
// unions that an enum selects (types.Type.IsOperations).
func operationsOf(args *types.Type) func(yield func(string, uint64) bool) {
	return func(yield func(string, uint64) bool) {
		if args.Kind != types.Struct {
			return
		}
		for i := range args.Fields {
			t := args.Fields[i].Type
			if t.Kind != types.Array || t.Elem.Kind != types.Union || t.Elem.Fields[0].Type.Kind != types.Enum {
				continue
			}
			for name, v := range enumNames(t.Elem.Fields[0].Type.Names) {
				if !yield(name, v) {
					return
				}
			}
		}
	}
}

// addOperations adds the fields nfs.op and rpc.procedure.
func addOperations(l *list[*dissect.RPC], specs []*types.Spec) {
	procs, ops := procedures(specs)
	l.addField(filter.Field{Name: "nfs.op", Kind: filter.Enum, Names: operationNames(ops, procs), Doc: "each operation of a COMPOUND, else the procedure; a number is an operation number of version 4"},
		giveOperations).cell(set())
	known := make(map[uint64]bool)
	for i := range procs {
		known[procs[i].value] = true
	}
	l.addField(filter.Field{Name: "rpc.procedure", Kind: filter.Enum, Names: procedureNames(procs), Doc: "procedure, by name or number"},
		func(r *dissect.RPC, to *filter.Values) {
			c := r.CallHeader()
			if c == nil {
				return
			}
			program, version := c.Program, c.Version
			if r.Reverse() && rpc.ProgramName(program) == "" {
				program, version = rpc.ProgramNFSCallback, 1
			}
			if v := operation(program, version, c.Procedure, false); known[v] {
				to.Uint(v)
			} else {
				to.Uint(uint64(c.Procedure))
			}
		}).cell(set())
}

func operationNames(lists ...[]operationName) func(yield func(string, uint64) bool) {
	return func(yield func(string, uint64) bool) {
		for _, list := range lists {
			for i := range list {
				if !yield(list[i].text, list[i].value) {
					return
				}
			}
		}
	}
}

// procedureNames are the names of procedures and, as other names, their numbers.
func procedureNames(procs []operationName) func(yield func(string, uint64) bool) {
	return func(yield func(string, uint64) bool) {
		numbers := uint32(0)
		for i := range procs {
			p := &procs[i]
			numbers = max(numbers, p.number+1)
			if !yield(p.text, p.value) {
				return
			}
		}
		for n := range numbers {
			text := strconv.FormatUint(uint64(n), 10)
			if !yield(text, uint64(n)) {
				return
			}
			for i := range procs {
				if procs[i].number == n && !yield(text, procs[i].value) {
					return
				}
			}
		}
	}
}

// giveOperations gives what dissect.RPC.Ops tells: the operations that were
// called, and those that were answered beyond them; the procedure if it has none.
func giveOperations(r *dissect.RPC, to *filter.Values) {
	called, answered := body(r.Call), body(r.Reply)
	n := operationsIn(called, 0, to)
	if n = max(n, operationsIn(answered, n, to)); n > 0 {
		return
	}
	for _, b := range [...]*dissect.Body{called, answered} {
		if b != nil {
			p := b.Binding
			to.Uint(operation(p.Program.Number, p.Version.Number, p.Number, false))
			return
		}
	}
}

// operationsIn gives the operations in a body from one on, and returns how many
// it has.
func operationsIn(b *dissect.Body, from int, to *filter.Values) (n int) {
	if b == nil {
		return 0
	}
	p := b.Binding
	for i := range b.Events {
		if e := &b.Events[i]; e.Kind == walk.Operation {
			if n >= from {
				to.Uint(operation(p.Program.Number, p.Version.Number, uint32(e.Value), true))
			}
			n++
		}
	}
	return n
}

// programName is the name of a program: as package rpc has it, else as its text
// does.
func programName(p *types.Program) string {
	if name := rpc.ProgramName(p.Number); name != "" {
		return name
	}
	return strings.TrimSpace(p.Name)
}
