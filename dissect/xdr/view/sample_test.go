package view_test

import (
	"testing"

	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
	"github.com/rdmacap/rdmacap/internal/xdrsample"
)

// sample is the plan of xdrsample.Text, and of the fields that a test marks too.
func sample(t testing.TB, fields ...string) *walk.Plan {
	t.Helper()
	s, err := types.Parse("sample.x", xdrsample.Text)
	if err != nil {
		t.Fatal(err)
	}
	p, err := walk.NewPlan(s, fields...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sampleArgs and sampleResult are the routes of a procedure of the sample.
func sampleArgs(p *walk.Plan, n uint32) *walk.Route {
	return p.Args(p.Spec.Procedure(xdrsample.Program, 1, n))
}

func sampleResult(p *walk.Plan, n uint32) *walk.Route {
	return p.Result(p.Spec.Procedure(xdrsample.Program, 1, n))
}

func hexBytes(parts ...any) []byte { return xdrsample.Bytes(parts...) }

type data = xdrsample.Data
