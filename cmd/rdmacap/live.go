package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture/live"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rows/findings"
	"github.com/rdmacap/rdmacap/report/rules"
)

func newLive(s streams, list ruleList) *cobra.Command {
	var o liveOptions
	cmd := &cobra.Command{
		Use:   "live [flags] {-i IFACE... | -r FILE}",
		Short: "List and check traffic as it happens, on a mirrored port or from a pipe",
		Long: `List and check traffic as it happens: each RPC when it is complete, each finding as soon as
a frame shows it, and what came of a connection's findings when the connection has ended.

With -i frames are captured on a network interface, such as one on a mirrored port, by
rdmacap itself: that takes Linux, and the capability CAP_NET_RAW. Several interfaces are
merged by time. With -r they come from another tool: by a pipe (-), as from ibdump,
which captures on an RDMA device; or with --follow by a file that grows, or a folder of
files of which the newest is written.

With --top the whole terminal shows the connections with their figures instead, and of one
that is opened its RPCs and findings as they come. Where there is no terminal, it is a line a
second.

Unless told otherwise, the kernel passes on only what may carry RDMA: RoCE, iWARP on its
port and --iwarp-port, and tunnels with whatever is in them. Where analysis cannot keep up,
or memory gets short (--memory), whole connections are not followed for a while. Their frames, and
those that the kernel drops, are counted and reported, and nothing that they could explain is
called an error.

With --write every frame that was captured is kept in a ring of pcapng files, and with
--on-finding what was around a finding, as annotated capture and HTML report; SIGHUP
begins a new file of the ring (docs/live.md).

SIGINT or SIGTERM ends it: what is still open is reported, then the summary. A second one
ends it at once.

Exit status: 0 if the input ended, 130 if it was interrupted, 2 if the command or its
input could not be used.`,
		Example: `  rdmacap live -i mirror0                           # one row an RPC, and findings
  rdmacap live -i mirror0 -i mirror1 --brief        # one line a finding
  rdmacap live -i mirror0 --top                     # connections and their figures, on the whole terminal
  rdmacap live -i mirror0 -Y 'rpc.latency > 10ms'
  rdmacap live -i mirror0 --format ndjson | jq 'select(.type == "finding")'
  rdmacap live -i mirror0 --write /var/tmp/rdma --ring 64MB,1h,100 --on-finding
  rdmacap live -i mirror0 --brief --metrics :9400   # http://127.0.0.1:9400/metrics for Prometheus
  ibdump -w - | rdmacap live -r -
  ssh host tcpdump -i eth0 -U -w - udp port 4791 | rdmacap live -r -
  rdmacap live -r /var/tmp/ring --follow            # dumpcap -b files:10 -w /var/tmp/ring/x`,
		RunE: func(c *cobra.Command, _ []string) error {
			all, err := o.all(list, o.bindings)
			if err != nil {
				return err
			}
			return runLive(c, s, &o, all)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.interfaces, "interface", "i", nil, "capture on `IFACE`; may be given several times ('rdmacap interfaces' lists them); or on an RDMA device, as in mlx5_0 or mlx5_0:2 for its second port")
	f.StringVarP(&o.from, "read", "r", "", "read `FILE`: a capture, a FIFO, - for standard input, or with --follow a folder")
	f.BoolVar(&o.follow, "follow", false, "wait for more at the end of FILE, which is being written; of a folder read one file after the other, as dumpcap -b writes them")
	f.StringVar(&o.captureFilter, "capture-filter", "rdma", "what the kernel passes on: `WHAT` is rdma or none, for everything")
	o.memoryOptions.register(f)
	f.BoolVar(&o.hardware, "hardware-time", false, "use the card's time stamps, where it has them for all frames; it takes CAP_NET_ADMIN to turn them on")
	f.StringVar(&o.level, "level", "rpc", "what to list: `WHAT` is frame, message or rpc")
	f.StringVarP(&o.filter, "filter", "Y", "", "list only rows that match `EXPR`, as in 'rpc.latency > 10ms' (docs/filter.md)")
	f.StringVar(&o.format, "format", "text", "output form: `FORM` is text or ndjson (one object a line)")
	f.BoolVar(&o.brief, "brief", false, "no rows; one line a finding: interface:frame: severity: RULE: message")
	o.topOptions.register(f)
	o.ruleOptions.registerSeverity(cmd)
	o.ruleOptions.register(cmd, list)
	o.keepOptions.register(cmd, f)
	o.metricsOptions.register(f)
	f.StringVar(&o.color, "color", "auto", "colour: `WHEN` is auto, always or never; auto honours NO_COLOR")
	o.inputOptions.register(cmd, "no summary, nothing about interfaces")
	registerBindings(cmd, &o.bindings)
	cmd.Args = noFiles
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	completeWith(cmd, "capture-filter", "rdma", "none")
	completeWith(cmd, "format", "text", "ndjson")
	completeWith(cmd, "level", "frame", "message", "rpc")
	completeWith(cmd, "color", "auto", "always", "never")
	return cmd
}

// noFiles takes no arguments, and says what takes them.
func noFiles(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		if _, err := rules.ParseSeverity(args[0]); err == nil && c.Flags().Changed("on-finding") {
			return misuse(c, fmt.Errorf("a severity follows --on-finding with =, as in --on-finding=%s", args[0]))
		}
		return misuse(c, fmt.Errorf("%s takes no arguments: it is -i %s for an interface, -r %s for a file", c.Name(), args[0], args[0]))
	}
	return nil
}

func runLive(c *cobra.Command, s streams, o *liveOptions, list []*rules.Rule) error {
	names := o.interfaces
	if err := o.topOptions.excludes(c); err != nil {
		return misuse(c, err)
	}
	switch {
	case len(names) > 0 && o.from != "":
		return misuse(c, errors.New("-i and -r exclude each other"))
	case o.from != "":
		names = []string{o.from}
	case o.follow && o.from == "":
		return misuse(c, errors.New("--follow needs -r FILE"))
	case len(names) == 0:
		return misuse(c, errors.New("live needs -i IFACE, an interface, or -r FILE"))
	}
	options, err := o.liveOptions(s, list, names)
	if err != nil {
		return misuse(c, err)
	}
	bindings, err := bindingsFor(o.bindings, list)
	if err != nil {
		return err
	}
	if options.Filter, err = compileFilter(o.filter, options.Level, bindings); err != nil {
		return err
	}
	monitor, err := o.monitor(c, s, o, list, options.Selection)
	if err != nil {
		return err
	}
	defer monitor.close()
	options.Views = monitor.views(options.Views)
	input := o.pipeline(bindings)
	input.monitor, input.alone = monitor, s.alone
	var screen *liveTop
	if o.top {
		screen, s = newTop(s, names, &options)
		input.asked, input.begun = screen.asked, func() { screen.begin(c.Context()) }
		defer screen.leave()
	}
	kept, err := o.keepOptions.parse(c.Flags(), options.Selection.Least)
	if err != nil {
		return misuse(c, err)
	}
	if err := o.divide(len(o.interfaces), c.Flags().Changed("buffer"), kept.memory()); err != nil {
		return misuse(c, err)
	}
	input.workers = o.forWorkers(input.workers)
	input.following = o.following
	keeper, err := kept.open(s, o, names, &evidenceMaker{o, options.CheckOptions, shortNames(names), list})
	if err != nil {
		return err
	}
	defer keeper.close()
	if keeper != nil {
		options.Views, input.through = append(options.Views, keeper), keeper.through
	}
	var out *finding.Live
	switch {
	case o.top:
		out = findings.NewLiveSummary(s.out, options)
	case o.format == "text":
		out = findings.NewLive(s.out, options)
	case o.format == "ndjson":
		out = record.NewLive(s.out, options)
	default:
		return misuse(c, fmt.Errorf("--format: unknown form %q: it is text or ndjson", o.format))
	}
	input.units, input.accesses, input.over = true, out, out.Over
	if out.Shardable() {
		input.part, input.pauseBy = out.Part, out.PauseBy
	}
	return screen.finish(o.listen(c, s, names, out, input))
}

// listen follows an input until it ends, or is interrupted.
func (o *liveOptions) listen(c *cobra.Command, s streams, names []string, out *finding.Live, input pipelineOptions) error {
	if o.from != "" {
		return o.followLive(c.Context(), s, out, input)
	}
	capturing, err := o.capturing(s)
	if err != nil {
		return misuse(c, err)
	}
	capturing.State = input.monitor.interfaceState()
	if name, port, is := rdmaDevice(os.DirFS("/"), names); is {
		if len(names) > 1 {
			return misuse(c, fmt.Errorf("-i %s: an RDMA device is captured on alone", name))
		}
		return captureDevice(c.Context(), s, name, port, out, input, capturing)
	}
	return captureLive(c.Context(), s, names, out, input, capturing)
}

// liveOptions reads the flags about what is shown.
func (o *liveOptions) liveOptions(s streams, list []*rules.Rule, names []string) (l finding.LiveOptions, err error) {
	l.Brief = o.brief
	l.CheckOptions = finding.CheckOptions{
		Options: listing.Options{Quiet: o.quiet, Files: len(names)},
		Rules:   list, Names: names, Version: version(),
	}
	if l.Level, err = listing.ParseLevel(o.level); err != nil {
		return l, fmt.Errorf("--level: %w", err)
	}
	if l.Color, err = wantColor(o.color, s.out); err != nil {
		return l, fmt.Errorf("--color: %w", err)
	}
	l.Selection, l.Config, err = o.load(list)
	return l, err
}

// capturing reads the flags about interfaces.
func (o *liveOptions) capturing(s streams) (l live.Options, err error) {
	l.Filter = live.Filter{All: o.captureFilter == "none", RoCEPort: uint16(o.rocePort), IWARPPort: uint16(o.iwarpPort)}
	if !l.Filter.All && o.captureFilter != "rdma" {
		return l, fmt.Errorf("--capture-filter: unknown word %q: it is rdma or none", o.captureFilter)
	}
	l.Buffer, l.Hardware = o.ringSize, o.hardware
	if !o.quiet {
		l.Tell = func(name, what string) { complain(s, "%s: %s", name, what) }
	}
	return l, nil
}

// captureLive captures on interfaces until it is interrupted, or the last is gone.
func captureLive(ctx context.Context, s streams, names []string, out *finding.Live, o pipelineOptions, capturing live.Options) error {
	source, err := live.Open(names, capturing)
	if err != nil {
		return err
	}
	if o.alone {
		// Where that cannot be, they are kept: a build with cgo.
		if err := live.DropPrivileges(); err != nil && !errors.Is(err, errors.ErrUnsupported) {
			source.Close()
			return err
		}
	}
	stop := interruptible(ctx, s, o.asked)
	defer stop.release()
	stop.whenEnded(source.Stop)
	all := strings.Join(names, ", ")
	tell := func(what string) {
		if capturing.Tell != nil {
			capturing.Tell(all, what)
		}
	}
	tell("capturing; interrupt to end")
	defer o.relieve(out, source, tell)()
	links := newLinkWatch(names)
	return links.tell(s, followFeed(s, feed{source: source, waits: true, tick: func() {}, over: func() { source.Close() }}, out, o, links, stop))
}
