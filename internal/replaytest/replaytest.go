// Package replaytest has what the tests of the replay packages share: conversations out of
// captures, and a limit for what might hang.
package replaytest

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/shipped"
)

// Must is for what has no reason to fail.
func Must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// Patience ends what hangs, after a minute.
func Patience(tb testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	tb.Cleanup(cancel)
	return ctx
}

// Sample takes a connection out of a capture that ships.
func Sample(tb testing.TB, name string, o script.Options) *script.Conversation {
	tb.Helper()
	r := script.NewRecorder(o)
	Feed(tb, name, r)
	c, err := r.Conversation()
	Must(tb, err)
	return c
}

// Samples takes the first connections, at most so many, out of a capture that ships.
func Samples(tb testing.TB, name string, o script.Options, most int) (list []*script.Conversation, left []script.Other) {
	tb.Helper()
	r := script.NewRecorders(o, most)
	Feed(tb, name, r)
	list, left, err := r.Conversations()
	Must(tb, err)
	return list, left
}

// A Recorder is a script.Recorder, or several.
type Recorder interface {
	dissect.Sink
	dissect.DataSink
	dissect.AccessSink
}

// Feed shows a recorder a capture that ships.
func Feed(tb testing.TB, name string, r Recorder) {
	tb.Helper()
	file, err := capture.NewReader(bytes.NewReader(shipped.File(tb, name)), name, 0)
	Must(tb, err)
	defer file.Close()
	record(tb, r, func(d *dissect.Dissector) {
		faults, err := d.Run(file, func(bool) error { return nil })
		if Must(tb, err); len(faults) > 0 {
			tb.Fatal(faults)
		}
	})
}

// Conversation takes a connection out of frames. The error is the recorder's.
func Conversation(tb testing.TB, frames []capture.Frame, o script.Options) (*script.Conversation, error) {
	tb.Helper()
	r := script.NewRecorder(o)
	record(tb, r, func(d *dissect.Dissector) {
		for i := range frames {
			d.Frame(&frames[i])
		}
	})
	return r.Conversation()
}

func record(tb testing.TB, r Recorder, feed func(*dissect.Dissector)) {
	tb.Helper()
	bindings, err := dissect.NewBindings()
	Must(tb, err)
	d := dissect.New(r, dissect.Options{Units: true, Data: r, Accesses: r, Bindings: bindings})
	feed(d)
	d.Flush()
}
