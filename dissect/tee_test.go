package dissect

import (
	"slices"
	"testing"
)

// TestTee holds who receives what, and in which order.
func TestTee(t *testing.T) {
	var told []string
	all := &teeAll{teeSome{"all", &told}}
	tee := NewTee(&teeSome{"some", &told}, nil, all)
	tee.Connection(nil, true)
	tee.Frame(nil)
	tee.Message(nil)
	tee.RPC(nil)
	tee.Access(nil)
	tee.Tick(0)
	want := []string{
		"some connection", "all connection", "some frame", "all frame", "some message", "all message", "some RPC", "all RPC",
		"all access", "all tick",
	}
	if !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
}

type teeSome struct {
	name string
	told *[]string
}

func (x *teeSome) note(what string)             { *x.told = append(*x.told, x.name+" "+what) }
func (x *teeSome) Connection(*Connection, bool) { x.note("connection") }
func (x *teeSome) Frame(*FrameView)             { x.note("frame") }
func (x *teeSome) Message(*Message)             { x.note("message") }
func (x *teeSome) RPC(*RPC)                     { x.note("RPC") }

type teeAll struct{ teeSome }

func (x *teeAll) Access(*Access) { x.note("access") }
func (x *teeAll) Tick(int64)     { x.note("tick") }
