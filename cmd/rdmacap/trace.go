package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/export/cut"
)

// mostTraced is how many XIDs a filter may name for all frames of their RPCs to be found: each
// takes one bit a frame.
const mostTraced = 16

// trace reads captures twice to find all frames of the RPCs whose XIDs a filter of frames names,
// before they are listed. Where that cannot be done it says so: the filter then finds the frames
// that carry headers.
func (a *asker) trace(ctx context.Context, s streams, o inputOptions, files []string) error {
	if len(a.xids) == 0 {
		return nil
	}
	why := ""
	if i := slices.IndexFunc(files, isPipe); i >= 0 {
		why = files[i] + " is a pipe, which cannot be read twice: save it to a file first"
		if files[i] == "-" {
			why = "standard input cannot be read twice: save it to a file first"
		}
	} else if len(a.xids) > mostTraced {
		why = fmt.Sprintf("the filter names %d XIDs; all frames are found for at most %d", len(a.xids), mostTraced)
	}
	if why != "" {
		if !o.quiet {
			complain(s, "warning: an XID selects only frames that carry the transport header: %s", why)
		}
		return nil
	}
	choosers := make([]*cut.Chooser, len(a.xids))
	choosing, marking := make([]dissect.Sink, len(a.xids)), make([]dissect.Sink, len(a.xids))
	for i, xid := range a.xids {
		choosers[i] = cut.NewChooser(cut.Choice{RPC: func(r *dissect.RPC) bool { return r.XID == xid }, Bare: true})
		choosing[i] = choosers[i]
	}
	if err := a.pass(ctx, s, o, files, choosing); err != nil {
		return err
	}
	if !slices.ContainsFunc(choosers, (*cut.Chooser).Any) {
		return nil
	}
	for i, x := range choosers {
		m := cut.NewMarker(x)
		marking[i] = m
		a.made.Parts.AddRPC(a.xids[i], func(r flow.Ref) bool { return m.Frames().Has(r.File, r.Number) })
	}
	return a.pass(ctx, s, o, files, marking)
}

// pass reads captures into sinks. What is wrong with a capture is told when it is listed.
func (a *asker) pass(ctx context.Context, s streams, o inputOptions, files []string, sinks []dissect.Sink) error {
	input := o.pipeline(a.bindings)
	input.Units, input.Clock = true, s.now
	r, err := filesOf(s, files, o.quiet).Run(ctx, tracing{dissect.NewTee(sinks...)}, input)
	if err == nil && r.Interrupted {
		err = &statusError{exitInterrupted}
	}
	return err
}

// tracing is what captures are run into, which writes nothing.
type tracing struct{ *dissect.Tee }

// Err is that of pipeline.Renderer.
func (tracing) Err() error { return nil }

// Flush is that of pipeline.Renderer.
func (tracing) Flush() error { return nil }

// Finish is that of pipeline.Renderer.
func (tracing) Finish(dissect.Summary, time.Duration) error { return nil }
