package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/report/check"
	"github.com/rdmacap/rdmacap/report/draft"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rows/findings"
	"github.com/rdmacap/rdmacap/report/rules"
)

// checkOptions are the flags of rdmacap check.
type checkOptions struct {
	inputOptions
	ruleOptions
	findingOptions
	format   string
	brief    bool
	all      bool
	failOn   string
	color    string
	bindings []string
}

func newCheck(s streams, list ruleList) *cobra.Command {
	var o checkOptions
	cmd := &cobra.Command{
		Use:   "check [flags] FILE...",
		Short: "Check captures against the specifications of RPC-over-RDMA",
		Long: `Check captures against the specifications: RPC-over-RDMA versions 1 and 2, the
NFS bindings, connection setup, and the transport below them.

At the end of the capture the verdict is printed first: the root cause as far
as it is proven, its extent, its cost, and where to look. A table of all
findings follows, then the findings, the most harmful first; findings that
another one explains are indented below it. Each finding gives the frame and
RPC that show it, observed and expected values, the bytes at fault, the
consequences, which missing frames could explain it, and what to do. Identical
findings on several connections are printed once, with a count. What could not
be checked on a connection, and why, is printed with that connection. JSON
records and the lines of --brief are written as connections end.

'rdmacap rules' lists the rules.

FILE is as for rdmacap read.

Exit status: 0 if no finding has the severity of --fail-on or worse; 1 if one
has; 2 if the command, or one of its captures, could not be used.`,
		Example: `  rdmacap check trace.pcap
  rdmacap check --brief *.pcap                      # one line per finding
  rdmacap check --fail-on warning trace.pcap        # warnings fail a test too
  rdmacap check --rules DDP,CREDIT-002 trace.pcap   # only these
  rdmacap check --rules -SEC trace.pcap             # all but these
  rdmacap check --format sarif trace.pcap > findings.sarif
  rdmacap check --format ndjson trace.pcap |
    jq 'select(.type == "finding" and .severity == "error")'`,
		RunE: func(c *cobra.Command, args []string) error {
			all, err := o.ruleOptions.all(list, o.bindings)
			if err != nil {
				return err
			}
			return runCheck(c, s, &o, all, args)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.format, "format", "text", "output format: `FORMAT` is text, json (one array), ndjson (one object per line) or sarif")
	f.BoolVar(&o.brief, "brief", false, "one line per finding: file:frame: severity: RULE: message")
	f.StringVar(&o.failOn, "fail-on", "error", "the lowest `SEVERITY` that makes the exit status 1: error, warning, note or never")
	o.ruleOptions.registerSeverity(cmd)
	registerAll(cmd, &o.all)
	o.ruleOptions.register(cmd, list)
	o.findingOptions.register(cmd)
	f.StringVar(&o.color, "color", "auto", "colour: `WHEN` is auto, always or never; auto honours NO_COLOR")
	o.inputOptions.register(cmd, "no progress, no connections without findings, no summary lines")
	registerBindings(cmd, &o.bindings)
	completeWith(cmd, "format", "text", "json", "ndjson", "sarif")
	completeWith(cmd, "fail-on", "error", "warning", "note", "never")
	completeWith(cmd, "color", "auto", "always", "never")
	return cmd
}

// parseFailOn reads the lowest severity that counts; 0 for never.
func parseFailOn(word string) (finding.Severity, error) {
	if word == "never" {
		return 0, nil
	}
	least, err := finding.ParseSeverity(word)
	if err != nil {
		return 0, fmt.Errorf("--fail-on: unknown severity %q: use error, warning, note or never", word)
	}
	return least, nil
}

// form is the one that the flags name.
func (o *checkOptions) form(s streams, shown listing.Options, failOn finding.Severity) (form draft.Form, err error) {
	switch {
	case o.brief && o.format != "text":
		return form, fmt.Errorf("--brief is a text format and cannot be combined with --format %s", o.format)
	case o.brief:
		return findings.NewBrief(s.out, shown), nil
	}
	switch o.format {
	case "text":
		return findings.New(s.out, shown, failOn), nil
	case "json", "ndjson":
		return record.NewFindings(s.out, o.format == "json", shown), nil
	case "sarif":
		return record.NewSARIF(s.out, shown, version()), nil
	}
	return form, fmt.Errorf("--format: unknown format %q: use text, json, ndjson or sarif", o.format)
}

func runCheck(c *cobra.Command, s streams, o *checkOptions, list []*rules.Rule, files []string) error {
	least, err := parseFailOn(o.failOn)
	if err != nil {
		return misuse(c, err)
	}
	color, err := wantColor(o.color, s.out)
	if err != nil {
		return misuse(c, fmt.Errorf("--color: %w", err))
	}
	shown := listing.Options{Color: color, All: o.all, Quiet: o.quiet, Names: files, Files: len(files), Width: columnsOf(s.out)}
	co := check.Options{Rules: list, Files: len(files)}
	if co.Selection, co.Config, err = o.load(list); err != nil {
		return misuse(c, err)
	}
	if err = o.choose(&co.Selection); err != nil {
		return err
	}
	if least != 0 && least < co.Selection.Least {
		return misuse(c, fmt.Errorf("--fail-on %s: --severity %s hides such findings", o.failOn, o.severity))
	}
	bindings, err := bindingsFor(o.bindings, list)
	if err != nil {
		return err
	}
	form, err := o.form(s, shown, least)
	if err != nil {
		return misuse(c, err)
	}
	out := check.New(form, co)
	input := o.pipeline(bindings).Checked(out)
	input.Document, input.Starts = o.format != "text", o.start.Set
	if err := dissectPlace(c.Context(), s, files, out, input, o.place, o.quiet); err != nil {
		return failed(err, out.Err(), out.Tally(), least)
	}
	return failed(nil, nil, out.Tally(), least)
}

// failed is the exit status: of findings, unless the captures could not be used.
// A reader of the output that left, as head does, changes nothing about what was
// found until then.
func failed(err, output error, found finding.Tally, least finding.Severity) error {
	var status *statusError
	gone := errors.As(err, &status) && status.code == exitDone && output != nil
	if err != nil && !gone {
		return err
	}
	if least != 0 && found.AtLeast(least) {
		return &statusError{exitFindings}
	}
	return err
}
