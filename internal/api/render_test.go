package api

import (
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// A renderer renders the exported API of one package.
type renderer struct {
	pkg   *types.Package
	lines map[string]bool
	// named are the packages whose types the API names.
	named map[*types.Package]bool
}

// render returns a line for each exported thing of a package, sorted, and the packages whose types
// these lines name.
func render(pkg *types.Package) (lines []string, named []*types.Package) {
	r := renderer{pkg, make(map[string]bool), make(map[*types.Package]bool)}
	for _, name := range pkg.Scope().Names() {
		if object := pkg.Scope().Lookup(name); object.Exported() {
			r.object(object)
		}
	}
	byPath := func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) }
	return slices.Sorted(maps.Keys(r.lines)), slices.SortedFunc(maps.Keys(r.named), byPath)
}

func (r *renderer) add(format string, args ...any) { r.lines[fmt.Sprintf(format, args...)] = true }

func (r *renderer) object(object types.Object) {
	switch o := object.(type) {
	case *types.Const:
		r.add("const %s %s = %s", o.Name(), r.text(o.Type()), o.Val().ExactString())
	case *types.Var:
		r.add("var %s %s", o.Name(), r.text(o.Type()))
	case *types.Func:
		r.add("func %s%s", o.Name(), r.signature(o))
	case *types.TypeName:
		if o.IsAlias() {
			r.add("type %s = %s", o.Name(), r.text(types.Unalias(o.Type())))
			return
		}
		r.typeName(o)
	}
}

func (r *renderer) typeName(o *types.TypeName) {
	switch under := o.Type().Underlying().(type) {
	case *types.Struct:
		r.add("type %s struct", o.Name())
		if types.Comparable(under) {
			r.add("type %s struct, comparable", o.Name())
		}
		r.fields(o.Name(), under)
	case *types.Interface:
		r.interfaceType(o.Name(), under)
		return // its methods are in it
	default:
		r.add("type %s %s", o.Name(), r.text(under))
	}
	values := types.NewMethodSet(o.Type())
	for selection := range types.NewMethodSet(types.NewPointer(o.Type())).Methods() {
		method := selection.Obj().(*types.Func)
		if !method.Exported() {
			continue
		}
		receiver := "*" + o.Name()
		if values.Lookup(method.Pkg(), method.Name()) != nil {
			receiver = o.Name()
		}
		r.add("method (%s) %s%s", receiver, method.Name(), r.signature(method))
	}
}

// fields adds the exported fields of a struct, and those that it has from an embedded type that is
// not exported itself. Whether there are others says whether a conversion or a literal without
// names can be written.
func (r *renderer) fields(name string, of *types.Struct) {
	for f := range of.Fields() {
		if !f.Exported() {
			r.add("type %s struct, unexported fields", name)
			if inner, ok := f.Type().Underlying().(*types.Struct); ok && f.Embedded() {
				r.fields(name, inner)
			}
			continue
		}
		what := f.Name() + " " + r.text(f.Type())
		if f.Embedded() {
			what = "embedded " + r.text(f.Type())
		}
		r.add("type %s struct, %s", name, what)
	}
}

func (r *renderer) interfaceType(name string, of *types.Interface) {
	r.add("type %s interface", name)
	for method := range of.Methods() {
		if method.Exported() {
			r.add("type %s interface, %s%s", name, method.Name(), r.signature(method))
		} else {
			r.add("type %s interface, unexported methods", name)
		}
	}
	if !of.IsMethodSet() {
		r.add("type %s interface, %s", name, r.text(of))
	}
}

// signature is what a function takes and returns.
func (r *renderer) signature(f *types.Func) string {
	return strings.TrimPrefix(r.text(f.Signature()), "func")
}

// unnamed is a function's type without the names of parameters and results, but for those of a
// generic one; any other type is returned as it is.
func unnamed(t types.Type) types.Type {
	s, ok := t.(*types.Signature)
	if !ok || s.TypeParams() != nil || s.RecvTypeParams() != nil {
		return t
	}
	without := func(list *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range list.Variables() {
			vars = append(vars, types.NewParam(token.NoPos, v.Pkg(), "", unnamed(v.Type())))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(nil, nil, nil, without(s.Params()), without(s.Results()), s.Variadic())
}

// text is a type as the package writes it, with the paths of other packages.
func (r *renderer) text(t types.Type) string {
	return types.TypeString(unnamed(t), func(p *types.Package) string {
		if p == r.pkg {
			return ""
		}
		r.named[p] = true
		return strings.TrimPrefix(p.Path(), module+"/")
	})
}
