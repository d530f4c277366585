package rules

import (
	"reflect"
	"testing"

	"github.com/rdmacap/rdmacap/report/finding"
)

// TestNilFinding calls every method that a rule fills in a finding by on nil, with arguments that are
// zero: a nil Message or Parts too must not be looked into.
func TestNilFinding(t *testing.T) {
	var none *Finding
	v, model := reflect.ValueOf(none), reflect.TypeFor[*finding.Finding]()
	called := 0
	for i := range v.NumMethod() {
		m := v.Type().Method(i)
		if _, ok := model.MethodByName(m.Name); ok {
			continue // of what is reported, which a rule asks for nothing
		}
		call, in := v.Method(i), []reflect.Value(nil)
		for n := range call.Type().NumIn() {
			in = append(in, reflect.Zero(call.Type().In(n)))
		}
		t.Run(m.Name, func(t *testing.T) {
			do := call.Call
			if call.Type().IsVariadic() {
				do = call.CallSlice
			}
			for _, out := range do(in) {
				if out.Type() != v.Type() || !out.IsNil() {
					t.Errorf("it returns %v", out)
				}
			}
		})
		called++
	}
	if called < 13 {
		t.Errorf("only %d methods were called", called)
	}
}
