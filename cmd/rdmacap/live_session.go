package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture"
	wire "github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/internal/live"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rows/findings"
	"github.com/rdmacap/rdmacap/report/rules"
)

// source says what is wrong with the flags about where frames come from.
func (o *liveOptions) source() error {
	switch {
	case len(o.interfaces) > 0 && o.from != "":
		return errors.New("-i and -r cannot be combined")
	case o.from != "" || len(o.interfaces) > 0 && !o.follow:
		return nil
	case o.follow:
		return errors.New("--follow needs -r FILE")
	}
	return errors.New("live needs -i IFACE, an interface, or -r FILE")
}

// session is what the flags ask for, but for what needs the bindings, or the streams.
func (o *liveOptions) session(c *cobra.Command, s streams, list []*rules.Rule) (x live.Options, err error) {
	x.Interfaces, x.From, x.Follow, x.Quiet, x.Version = o.interfaces, o.from, o.follow, o.quiet, version()
	if x.Shown, err = o.shown(s); err != nil {
		return x, err
	}
	x.Found.Rules, x.Found.Files = list, x.Shown.Files
	if x.Found.Selection, x.Found.Config, err = o.load(list); err != nil {
		return x, err
	}
	if x.Form, err = o.form(); err != nil {
		return x, err
	}
	if len(o.interfaces) > 0 {
		if x.Capture, err = o.capturing(); err != nil {
			return x, err
		}
	}
	if x.Address, x.Metrics, err = o.answered(o, list, x.Found.Selection); err != nil {
		return x, err
	}
	if x.Keep, err = o.keepOptions.parse(c.Flags(), x.Found.Selection.Least); err != nil {
		return x, err
	}
	x.Memory, err = o.divide(len(o.interfaces), c.Flags().Changed("buffer"), x.Keep.Memory(), int(o.workers))
	return x, err
}

// streams has a session use streams, and what they share with the process.
func (o *liveOptions) streams(x *live.Options, s streams) {
	x.Stdin, x.Out, x.Alone, x.HangUp = s.in, s.out, s.alone, s.whenHungUp
	x.Notify = func(line string) { complain(s, "%s", line) }
	x.Stopping = s.stopping(x.Stopping.Asked)
	x.Input.Clock, x.Metrics.Now = s.now, s.now
	x.Progress = func(files []*capture.File) pipeline.Progress { return newProgress(s, files, o.quiet) }
}

// shown reads the flags about what is shown.
func (o *liveOptions) shown(s streams) (l listing.Options, err error) {
	names := o.interfaces
	if o.from != "" {
		names = []string{o.from}
	}
	l = listing.Options{
		Quiet: o.quiet, Brief: o.brief, All: o.all, Names: names, Files: len(names), Width: columnsOf(s.out),
		TimeOfDay: true, WallClock: o.from == "",
	}
	if l.Level, err = listing.ParseLevel(o.level); err != nil {
		return l, fmt.Errorf("--level: %w", err)
	}
	if l.Color, err = wantColor(o.color, s.out); err != nil {
		return l, fmt.Errorf("--color: %w", err)
	}
	return l, nil
}

// form is the one that the flags ask for.
func (o *liveOptions) form() (func(io.Writer, listing.Options) draft.Form, error) {
	switch {
	case o.top:
		return findings.NewLiveSummary, nil
	case o.format == "text":
		return findings.NewLive, nil
	case o.format == "ndjson":
		return record.NewLive, nil
	}
	return nil, fmt.Errorf("--format: unknown format %q: use text or ndjson", o.format)
}

// capturing reads the flags about interfaces.
func (o *liveOptions) capturing() (l wire.Options, err error) {
	l.Filter = wire.Filter{All: o.captureFilter == "none", RoCEPort: uint16(o.rocePort), IWARPPort: uint16(o.iwarpPort)}
	if !l.Filter.All && o.captureFilter != "rdma" {
		return l, fmt.Errorf("--capture-filter: unknown value %q: use rdma or none", o.captureFilter)
	}
	l.Hardware = o.hardware
	return l, nil
}
