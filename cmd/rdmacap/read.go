package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rows"
)

func newRead(s streams) *cobra.Command {
	var o readOptions
	cmd := &cobra.Command{
		Use:   "read [flags] FILE...",
		Short: "List the RPCs, messages or frames of captures",
		Long: `List the contents of captures: by default one row per RPC, call and reply
together.

FILE is a pcap or pcapng file, plain or compressed with gzip or zstd; "-" reads
one from standard input. Several files are merged by time.

RDMA traffic is detected automatically: RoCEv2 (UDP port 4791), RoCEv1, native
InfiniBand, and iWARP (on any TCP port by its MPA frames; if the capture began
after those, on port 20049, or elsewhere by enough consecutive FPDUs).

An RPC is listed once its reply and all data placed for it have been seen, so
rows are in order of completion. The time is that of the call, in seconds since
the first frame. Sizes are bytes of the RPC messages as the upper layer saw
them, with chunks put back in place. Latency is the time from the last frame of
the call to the first frame of the reply.

Lines that start with ── describe a connection: its endpoints, what its setup
negotiated and, at its end, its totals.

Exit status: 0 if everything was read, even if a capture ends in the middle of
a record (a warning says so); 2 if the command, or one of its captures, could
not be used.`,
		Example: `  rdmacap read trace.pcap                           # one row per RPC
  rdmacap read --level message trace.pcap           # headers and chunks
  rdmacap read --level frame -x trace.pcap | less   # every field and its bytes
  rdmacap read -V trace.pcap | less                 # every field
  rdmacap read --level frame -Y 'rpc.xid == 0x03cdea83' trace.pcap # one RPC
  rdmacap read -Y 'nfs.op == READ and rpc.latency > 10ms' trace.pcap
  rdmacap read --sort latency --limit 20 trace.pcap # the slowest
  rdmacap read --columns time,xid,nfs.op,nfs.name,latency trace.pcap
  rdmacap read client.pcap.gz server.pcapng.zst     # merged by time
  tcpdump -i mirror0 -w - udp port 4791 | rdmacap read -
  rdmacap read --format ndjson trace.pcap |
    jq 'select(.type == "rpc" and .latency_ns > 1e7)'`,
		RunE: func(c *cobra.Command, args []string) error { return runRead(c, s, &o, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.level, "level", "rpc", "what to list: `WHAT` is frame, message or rpc")
	f.StringVarP(&o.filter, "filter", "Y", "", "list what matches `EXPR`, as in 'rpc.latency > 10ms' (docs/filter.md)")
	o.place.register(cmd)
	f.StringVar(&o.columns, "columns", "", "show the columns in `LIST`, as in time,xid,nfs.op,latency; help lists all columns")
	f.StringVar(&o.times, "time", "relative", "time format: `FORMAT` is relative, delta, absolute, utc or epoch")
	f.StringVar(&o.sort, "sort", "", "sort rows by `FIELD`, greatest first, or with -FIELD least first, as in latency")
	f.IntVar(&o.limit, "limit", 0, fmt.Sprintf("list at most `N` rows (default: all, or %d with --sort)", rows.SortedMost))
	f.StringVar(&o.format, "format", "text", "output format: `FORMAT` is text, json (one array), ndjson (one object per line), csv or tsv")
	f.BoolVarP(&o.details, "details", "V", false, "print the field tree of every layer under each row")
	f.BoolVarP(&o.hex, "hex", "x", false, "print the bytes of each field, with its name and value, under each row")
	f.StringVar(&o.color, "color", "auto", "colour: `WHEN` is auto, always or never; auto honours NO_COLOR")
	o.register(cmd, "no progress, no summary line")
	registerBindings(cmd, &o.bindings)
	completeWith(cmd, "format", "text", "json", "ndjson", "csv", "tsv")
	completeWith(cmd, "time", "relative", "delta", "absolute", "utc", "epoch")
	completeWith(cmd, "level", "frame", "message", "rpc")
	completeWith(cmd, "color", "auto", "always", "never")
	completeFilter(cmd, &o)
	completeColumns(cmd, &o)
	helpNeedsNoCapture(cmd, &o.columns)
	return cmd
}

// reportOptions checks the words that the user gave.
func (o *readOptions) reportOptions(s streams, files int) (listing.Options, error) {
	level, err := listing.ParseLevel(o.level)
	if err != nil {
		return listing.Options{}, fmt.Errorf("--level: %w", err)
	}
	color, err := wantColor(o.color, s.out)
	if err != nil {
		return listing.Options{}, fmt.Errorf("--color: %w", err)
	}
	times, err := listing.ParseTimes(o.times)
	if err != nil {
		return listing.Options{}, fmt.Errorf("--time: %w", err)
	}
	l := listing.Options{
		Level:   level,
		Details: o.details,
		Hex:     o.hex,
		Color:   color,
		Quiet:   o.quiet,
		Files:   files,
		Width:   columnsOf(s.out),
		Times:   times,
		Limit:   o.limit,
	}
	if l.Separator = separators()[o.format]; l.Separator != 0 {
		l.Color, l.Width = false, 0
	}
	return l, nil
}

// separators are those of the forms in which programs read rows.
func separators() map[string]byte { return map[string]byte{"csv": ',', "tsv": '\t'} }

// A readRenderer lists what captures hold; of RDMA operations it is told where it lists RPCs with details.
type readRenderer interface {
	pipeline.PartedRenderer
	dissect.AccessSink
}

// newRenderer makes the sink that the format names.
func (o *readOptions) newRenderer(s streams, ro listing.Options) (readRenderer, error) {
	switch o.format {
	case "text", "csv", "tsv":
		return rows.NewText(s.out, ro), nil
	case "json", "ndjson":
		return record.NewJSON(s.out, o.format == "json", ro), nil
	}
	return nil, fmt.Errorf("--format: unknown format %q: use text, json, ndjson, csv or tsv", o.format)
}

func runRead(c *cobra.Command, s streams, o *readOptions, files []string) error {
	ro, err := o.reportOptions(s, len(files))
	if err != nil {
		return misuse(c, err)
	}
	bindings, err := loadBindings(o.bindings)
	if err != nil {
		return err
	}
	ask := asker{bindings: bindings}
	if ro.Filter, err = ask.filter(o.filter, ro.Level, &o.place); err != nil {
		return err
	}
	if o.columns == "help" {
		return listColumns(s, ro.Level, bindings)
	}
	if err := o.conflict(&ro); err != nil {
		return misuse(c, err)
	}
	if err = ask.columns(o.columns, &ro); err != nil {
		return err
	}
	if err = ask.order(o.sort, &ro); err != nil {
		return err
	}
	out, err := o.newRenderer(s, ro)
	if err != nil {
		return misuse(c, err)
	}
	if err := ask.trace(c.Context(), s, o.inputOptions, files); err != nil {
		return err
	}
	input := o.pipeline(bindings)
	input.Starts = ask.starts
	input.Document = o.format != "text"
	input.Units, input.KeepBytes = ro.Level == listing.LevelFrame, o.details || o.hex
	if ro.Details && ro.Level == listing.LevelRPC {
		input.Accesses = out
	}
	if ro.Shardable() {
		input.Part = out.Part
	}
	err = dissectPlace(c.Context(), s, files, out, input, o.place, o.quiet)
	if text, is := out.(*rows.Text); is && ro.Separator != 0 { // which has no line that says so
		if n := text.KeptBack(); n > 0 {
			complain(s, "warning: %s not listed: --sort lists %d rows unless --limit says how many", field.CountedAre(n, "row"), rows.SortedMost)
		}
	}
	return err
}

// conflict says which flags do not go together.
func (o *readOptions) conflict(l *listing.Options) error {
	records := o.format == "json" || o.format == "ndjson"
	switch {
	case records && o.columns != "":
		return errors.New("--columns works with --format text, csv and tsv: JSON records have all members")
	case records && l.Times != listing.Relative:
		return errors.New("--time works with --format text, csv and tsv: JSON records have times in UTC")
	case records && (o.sort != "" || o.limit != 0):
		return errors.New("--sort and --limit work with --format text, csv and tsv")
	case o.sort != "" && (l.Times == listing.Delta || slices.Contains(strings.Split(o.columns, ","), "delta")):
		return errors.New("--time delta needs rows in order of time, which --sort changes: use --time relative")
	case o.limit < 0:
		return fmt.Errorf("--limit: %d rows cannot be listed", o.limit)
	case l.Separator != 0 && (o.details || o.hex):
		return fmt.Errorf("--format %s cannot show -V and -x: use text or json", o.format)
	}
	return nil
}
