package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/internal/stats"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rows"
)

// statsOptions are the flags of rdmacap stats.
type statsOptions struct {
	inputOptions
	filter   string
	place    placeOptions
	format   string
	color    string
	columns  string
	sort     string
	limit    int
	bindings []string
}

func newStats(s streams) *cobra.Command {
	var o statsOptions
	cmd := &cobra.Command{
		Use:   "stats [flags] FILE...",
		Short: "Count operations, response times, chunks and credits",
		Long: `Print statistics: for each connection, when it has ended, the credits requested
and granted, the number of calls open at a time, the longest Sends next to the
inline thresholds, and a row for each operation; then the operations of all
connections together, and those inside COMPOUNDs.

A COMPOUND counts as its main operation. Sizes are bytes of the RPC messages as
the upper layer saw them, with chunks put back in place; those of RDMA Read and
Write are bytes moved directly. "i/c/l" are the percentages of messages sent
inline, chunked (some item was placed directly) and long (by a Position-Zero
Read chunk or the Reply chunk). Latency is the time from the last frame of the
call to the first frame of the reply; percentiles are at most 0.8 % off,
minimum and maximum are exact.

FILE is as for rdmacap read.

Exit status: 0 if everything was read, even if a capture ends in the middle of
a record (a warning says so); 2 if the command, or one of its captures, could
not be used.`,
		Example: `  rdmacap stats trace.pcap
  rdmacap stats --color always trace.pcap | less -RS
  rdmacap stats client.pcap.gz server.pcapng.zst    # merged by time
  rdmacap stats --sort p99 --limit 5 trace.pcap
  rdmacap stats --format ndjson trace.pcap |
    jq -r 'select(.type == "operation" and .connection == null) |
      [.name, .calls, .latency_ns.p99] | @tsv'`,
		RunE: func(c *cobra.Command, args []string) error { return runStats(c, s, &o, args) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVarP(&o.filter, "filter", "Y", "", "count only what matches `EXPR`, as in 'nfs.op == READ' (docs/filter.md)")
	o.place.register(cmd)
	f.StringVar(&o.format, "format", "text", "output format: `FORMAT` is text, json (one array), ndjson (one object per line), csv or tsv")
	f.StringVar(&o.columns, "columns", "", "the columns of csv and tsv: `LIST` as in operation,calls,p99; help lists them")
	f.StringVar(&o.sort, "sort", "", "sort operations by `COLUMN`, greatest first, as in p99; -p99: least first")
	f.IntVar(&o.limit, "limit", 0, "list at most `N` operations per connection, and in the total")
	f.StringVar(&o.color, "color", "auto", "colour: `WHEN` is auto, always or never; auto honours NO_COLOR")
	o.register(cmd, "no progress, no summary line")
	registerBindings(cmd, &o.bindings)
	completeWith(cmd, "format", "text", "json", "ndjson", "csv", "tsv")
	completeWith(cmd, "color", "auto", "always", "never")
	helpNeedsNoCapture(cmd, &o.columns)
	return cmd
}

// newRenderer makes the sink that the format names.
func (o *statsOptions) newRenderer(s streams, ro listing.Options) (pipeline.PartedRenderer, error) {
	order, err := stats.ParseOrder(o.sort, o.limit)
	if err != nil {
		return nil, err
	}
	var columns []string
	if o.columns != "" {
		columns = strings.Split(o.columns, ",")
	}
	separator := separators()[o.format]
	switch records := o.format == "json" || o.format == "ndjson"; {
	case columns != nil && separator == 0:
		return nil, errors.New("--columns works with --format csv and tsv")
	case records && order != stats.Order{}:
		return nil, errors.New("--sort and --limit work with --format text, csv and tsv")
	}
	switch o.format {
	case "text":
		return rows.NewStats(s.out, ro, order), nil
	case "json", "ndjson":
		return record.NewStats(s.out, o.format == "json", ro), nil
	case "csv", "tsv":
		ro.Separator = separator
		return rows.NewSeparatedStats(s.out, ro, order, columns)
	}
	return nil, fmt.Errorf("--format: unknown format %q: use text, json, ndjson, csv or tsv", o.format)
}

func runStats(c *cobra.Command, s streams, o *statsOptions, files []string) error {
	color, err := wantColor(o.color, s.out)
	if err != nil {
		return misuse(c, fmt.Errorf("--color: %w", err))
	}
	if o.columns == "help" {
		return listStatsColumns(s)
	}
	bindings, err := loadBindings(o.bindings)
	if err != nil {
		return err
	}
	ro := listing.Options{Color: color, Quiet: o.quiet, Files: len(files), Width: columnsOf(s.out)}
	ask := asker{bindings: bindings}
	if ro.Filter, err = ask.filter(o.filter, listing.LevelRPC, &o.place); err != nil {
		return err
	}
	out, err := o.newRenderer(s, ro)
	if err != nil {
		return misuse(c, err)
	}
	input := o.pipeline(bindings)
	input.Document, input.Starts = o.format != "text", ask.starts
	if ro.Shardable() {
		input.Part = out.Part
	}
	return dissectPlace(c.Context(), s, files, out, input, o.place, o.quiet)
}
