//go:build long

package nfs_test

import (
	"io"
	"reflect"
	"strings"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
)

// class tells apart what may begin at the same byte.
type class uint8

const (
	classNone    class = iota
	classNumber        // a word or hyper
	classData          // opaque data or a string
	classCount         // how many elements an array has; it begins after its word
	classList          // how many a linked list has
	classPresent       // whether optional data are there
)

// classOf is the class of the events about values of a type.
func classOf(t *types.Type) class {
	switch t.Kind {
	case types.FixedOpaque, types.Opaque, types.String:
		return classData
	case types.Array:
		return classCount
	case types.Optional:
		if t.IsList() {
			return classList
		}
		return classPresent
	case types.Void, types.Struct, types.Union, types.FixedArray:
		return classNone
	}
	return classNumber
}

// A leaf is a value that go-xdr decoded, and the byte where its own encoding
// puts it.
type leaf struct {
	class  class
	offset int
	value  uint64
	bytes  string
	// name is that of the field of a struct or union, as go-xdr makes it of the
	// RFC's: TimeDelta of time_delta. What has none the texts do not report.
	name string
}

// A flattener goes over a value of go-xdr's types in the order of XDR. It knows
// how go-xdr puts XDR into Go: a union is an interface with a method that gets
// the discriminant, optional data are a pointer.
type flattener struct {
	leaves []leaf
	offset int
}

func flatten(m io.WriterTo) []leaf {
	var f flattener
	v := reflect.ValueOf(m)
	if strings.Contains(v.Elem().Type().Name(), "_") {
		f.union(v)
	} else {
		f.value(v.Elem(), "")
	}
	return f.leaves
}

func (f *flattener) add(l leaf, size int) {
	l.offset = f.offset
	f.leaves = append(f.leaves, l)
	f.offset += size
}

func (f *flattener) data(data string, length bool, name string) {
	if length {
		f.offset += 4
	}
	f.add(leaf{class: classData, bytes: data, name: name}, (len(data)+3)&^3)
}

func (f *flattener) value(v reflect.Value, name string) {
	switch v.Kind() {
	case reflect.Bool:
		n := uint64(0)
		if v.Bool() {
			n = 1
		}
		f.add(leaf{class: classNumber, value: n, name: name}, 4)
	case reflect.Int32:
		f.add(leaf{class: classNumber, value: uint64(v.Int()), name: name}, 4)
	case reflect.Uint32:
		f.add(leaf{class: classNumber, value: v.Uint(), name: name}, 4)
	case reflect.Int64:
		f.add(leaf{class: classNumber, value: uint64(v.Int()), name: name}, 8)
	case reflect.Uint64:
		f.add(leaf{class: classNumber, value: v.Uint(), name: name}, 8)
	case reflect.String:
		f.data(v.String(), true, name)
	case reflect.Array:
		var b []byte
		for i := range v.Len() {
			b = append(b, byte(v.Index(i).Uint()))
		}
		f.data(string(b), false, name)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			f.data(string(v.Bytes()), true, name)
			return
		}
		f.offset += 4
		f.add(leaf{class: classCount, value: uint64(v.Len()), name: name}, 0)
		for i := range v.Len() {
			f.value(v.Index(i), "")
		}
	case reflect.Pointer:
		f.pointer(v, name)
	case reflect.Struct:
		for i := range v.NumField() {
			f.value(v.Field(i), v.Type().Field(i).Name)
		}
	case reflect.Interface:
		f.union(v.Elem())
	default:
		panic("go-xdr has a " + v.Type().String())
	}
}

func (f *flattener) pointer(v reflect.Value, name string) {
	of := v.Type().Elem()
	if of.Kind() != reflect.Struct || of.NumField() == 0 || of.Field(of.NumField()-1).Type != v.Type() {
		present := uint64(0)
		if !v.IsNil() {
			present = 1
		}
		f.add(leaf{class: classPresent, value: present}, 4)
		if !v.IsNil() {
			f.value(v.Elem(), "")
		}
		return
	}
	list := len(f.leaves)
	f.add(leaf{class: classList, name: name}, 4)
	for ; !v.IsNil(); v = v.Elem().Field(of.NumField() - 1) {
		f.leaves[list].value++
		for i := range of.NumField() - 1 {
			f.value(v.Elem().Field(i), of.Field(i).Name)
		}
		f.offset += 4
	}
}

// union takes a pointer to the struct of one arm.
func (f *flattener) union(v reflect.Value) {
	discriminant := ""
	for i := range v.NumMethod() {
		if name, ok := strings.CutPrefix(v.Type().Method(i).Name, "Get"); ok && name != "EncodedSizeBytes" {
			discriminant = name
		}
	}
	f.value(v.MethodByName("Get" + discriminant).Call(nil)[0], discriminant)
	arm := v.Elem()
	for i := range arm.NumField() {
		if arm.Type().Field(i).Name != discriminant {
			f.value(arm.Field(i), arm.Type().Field(i).Name)
		}
	}
}

// inOpaque reports whether a byte lies in opaque data.
func inOpaque(leaves []leaf, offset int) bool {
	for _, l := range leaves {
		if l.class == classData && l.offset <= offset && offset < l.offset+(len(l.bytes)+3)&^3 {
			return true
		}
	}
	return false
}

// sameName reports whether go-xdr makes a name of that of a field.
func sameName(goName, name string) bool {
	return strings.EqualFold(goName, strings.ReplaceAll(name, "_", ""))
}
