package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/capture/device"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/live"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/rules"
)

func newLive(s streams, list ruleList) *cobra.Command {
	var o liveOptions
	cmd := &cobra.Command{
		Use:   "live [flags] {-i IFACE... | -r FILE}",
		Short: "List and check traffic as it happens",
		Long: `List and check traffic as it happens: each RPC when it completes, each finding
as soon as a frame shows it, and at the end of a connection what became of its
findings.

With -i rdmacap captures frames on a network interface itself, such as one on a
mirror port; this needs Linux and the capability CAP_NET_RAW. Several
interfaces are merged by time. With -r frames come from another tool: through a
pipe (-), for example from ibdump, which captures on an RDMA device; or with
--follow from a growing file, or from a directory whose newest file is growing.

Each line of text starts with the time of day in UTC, by the clock of the
capture.

With --top the terminal shows the connections with their figures instead, and
for an opened one its RPCs and findings as they arrive. Without a terminal, it
prints one line per second.

By default the kernel passes on only what may carry RDMA: RoCE, iWARP on its
port and --iwarp-port, and tunnels with whatever is in them. When analysis
cannot keep up, or memory runs short (--memory), whole connections are not
followed for a while. Their frames, and those that the kernel drops, are
counted and reported, and nothing that they could explain is called an error.

With --write every captured frame is kept in a ring of pcapng files, and with
--on-finding the frames around a finding, as an annotated capture and an HTML
report; SIGHUP starts a new file of the ring (docs/live.md).

SIGINT or SIGTERM ends it: open connections are reported, then the summary.
Another one, a second or more later, ends it at once.

Exit status: 0 if the input ended, 130 if it was interrupted, 2 if the command
or its input could not be used.`,
		Example: `  rdmacap live -i mirror0                           # RPCs and findings
  rdmacap live -i mirror0 -i mirror1 --brief        # one line per finding
  rdmacap live -i mirror0 --top                     # the whole terminal
  rdmacap live -i mirror0 -Y 'rpc.latency > 10ms'
  rdmacap live -i mirror0 --format ndjson | jq 'select(.type == "finding")'
  rdmacap live -i mirror0 --write /var/tmp/rdma --ring 64MB,1h,100 --on-finding
  rdmacap live -i mirror0 --brief --metrics :9400   # for Prometheus
  ibdump -w - | rdmacap live -r -
  ssh host tcpdump -i eth0 -U -w - udp port 4791 | rdmacap live -r -
  rdmacap live -r /var/tmp/ring --follow            # from dumpcap -b`,
		RunE: func(c *cobra.Command, _ []string) error {
			all, err := o.ruleOptions.all(list, o.bindings)
			if err != nil {
				return err
			}
			return runLive(c, s, &o, all)
		},
	}
	f := cmd.Flags()
	f.SortFlags = false
	f.StringArrayVarP(&o.interfaces, "interface", "i", nil, "capture on `IFACE`, or on an RDMA device (mlx5_0, or mlx5_0:2 for port 2); may be repeated ('rdmacap interfaces' lists them)")
	f.StringVarP(&o.from, "read", "r", "", "read `FILE`: a capture, a FIFO, - for standard input, or with --follow a directory")
	f.BoolVar(&o.follow, "follow", false, "at the end of FILE wait for more; in a directory read one file after another")
	f.StringVar(&o.captureFilter, "capture-filter", "rdma", "what the kernel passes on: `FILTER` is rdma, or none for everything")
	o.memoryOptions.register(f)
	f.BoolVar(&o.hardware, "hardware-time", false, "use the adapter's timestamps; needs CAP_NET_ADMIN")
	f.StringVar(&o.level, "level", "rpc", "what to list: `WHAT` is frame, message or rpc")
	f.StringVarP(&o.filter, "filter", "Y", "", "list what matches `EXPR`, as in 'rpc.latency > 10ms' (docs/filter.md)")
	o.place.registerConnection(cmd)
	f.StringVar(&o.format, "format", "text", "output format: `FORMAT` is text or ndjson (one object per line)")
	f.BoolVar(&o.brief, "brief", false, "no rows; one line per finding: interface:frame: severity: RULE: message")
	o.topOptions.register(f)
	o.ruleOptions.registerSeverity(cmd)
	registerAll(cmd, &o.all)
	o.ruleOptions.register(cmd, list)
	o.keepOptions.register(cmd, f)
	o.parquetFlags.register(cmd)
	o.metricsOptions.register(f)
	f.StringVar(&o.color, "color", "auto", "colour: `WHEN` is auto, always or never; auto honours NO_COLOR")
	o.inputOptions.register(cmd, "no summary, nothing about interfaces")
	registerBindings(cmd, &o.bindings)
	cmd.Args = noFiles
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	completeInterfaces(cmd, "interface", device.Survey)
	completeWith(cmd, "capture-filter", "rdma", "none")
	completeWith(cmd, "format", "text", "ndjson")
	completeWith(cmd, "level", "frame", "message", "rpc")
	completeWith(cmd, "color", "auto", "always", "never")
	return cmd
}

// noFiles takes no arguments, and says what takes them.
func noFiles(c *cobra.Command, args []string) error {
	if len(args) > 0 {
		if _, err := finding.ParseSeverity(args[0]); err == nil && c.Flags().Changed("on-finding") {
			return misuse(c, fmt.Errorf("a severity follows --on-finding with =, as in --on-finding=%s", args[0]))
		}
		return misuse(c, fmt.Errorf("%s takes no arguments: use -i %s for an interface, -r %s for a file", c.Name(), args[0], args[0]))
	}
	return nil
}

func runLive(c *cobra.Command, s streams, o *liveOptions, list []*rules.Rule) error {
	if err := o.topOptions.excludes(c); err != nil {
		return misuse(c, err)
	}
	if err := o.source(); err != nil {
		return misuse(c, err)
	}
	bindings, err := bindingsFor(o.bindings, list)
	if err != nil {
		return err
	}
	session, err := o.session(c, s, list)
	if err != nil {
		return misuse(c, err)
	}
	parquet, err := o.parquetFlags.use(c, o, &session)
	if err != nil {
		return misuse(c, err)
	}
	ask := asker{bindings: bindings}
	if session.Shown.Filter, err = ask.filter(o.filter, session.Shown.Level, &o.place); err != nil {
		return err
	}
	if err := o.separate(o.from); err != nil {
		return err
	}
	session.Input = o.pipeline(bindings)
	session.Input.Starts = ask.starts
	if parquet != nil {
		session.Input.Starts, session.Input.Parted = parquet.Starts, true
	}
	plain := s // --top holds back what is written meanwhile
	session.Answering = func(line string) {
		if !o.quiet {
			complain(plain, "%s", line)
		}
	}
	var screen *liveTop
	if o.top {
		screen, s = newTop(s, &session.Shown, &session.Found)
		session.Input.Begun = func() { screen.beginTop(c.Context()) }
		session.Stopping.Asked = screen.asked
		defer screen.leave()
	}
	o.streams(&session, s)
	session.Evidence = &live.Evidence{
		Check: session.Found, Version: session.Version, Input: o.pipeline(nil), Names: shortNames(session.Shown.Names),
		Bindings: func() (*dissect.Bindings, error) { return bindingsFor(o.bindings, list) },
		Made:     func() time.Time { return madeAt(s.now()) },
	}
	running, err := live.New(session)
	if _, is := errors.AsType[*live.AddressError](err); is {
		return fmt.Errorf("--metrics: %w", err)
	}
	if err != nil {
		return err
	}
	defer running.Close()
	return finishParquet(s, parquet, o.parquet, o.quiet, screen.finish(follow(c, s, running)))
}

// follow runs a session.
func follow(c *cobra.Command, s streams, running *live.Session) error {
	err := running.Open(c.Context())
	if together, is := errors.AsType[*live.TogetherError](err); is {
		return misuse(c, fmt.Errorf("-i %w", together))
	}
	if errors.Is(err, pipeline.ErrInterrupted) {
		return &statusError{exitInterrupted}
	}
	if err != nil {
		return err
	}
	r, err := running.Run()
	return conclude(s, r, err)
}
