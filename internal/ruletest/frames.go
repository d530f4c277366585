package ruletest

import (
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/internal/scene"
)

// Frames are those of a scene.
func Frames(tb testing.TB, text string, over scene.Transport) []capture.Frame {
	tb.Helper()
	p, err := scene.Play(text, over)
	if err != nil {
		tb.Fatal(err)
	}
	return framesOf(tb, p)
}

// framesOf are those of a scene that was played.
func framesOf(tb testing.TB, p *scene.Scene) (list []capture.Frame) {
	tb.Helper()
	source, err := p.Source()
	if err != nil {
		tb.Fatal(err)
	}
	for f := new(capture.Frame); source.Next(f) == nil; {
		f.Data = slices.Clone(f.Data)
		list = append(list, *f)
	}
	return list
}
