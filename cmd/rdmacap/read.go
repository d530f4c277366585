package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/report"
)

// readOptions are the flags of rdmacap read.
type readOptions struct {
	format   string
	level    string
	details  bool
	hex      bool
	color    string
	quiet    bool
	rocePort uint16
}

func newRead(s streams) *cobra.Command {
	var o readOptions
	cmd := &cobra.Command{
		Use:   "read [flags] FILE...",
		Short: "List what captures hold: RPCs, messages or frames",
		Long: `List what captures hold: by default one row an RPC, call and reply together.

FILE is a pcap or pcapng file, as it is or compressed with gzip or zstd; "-" reads
one from standard input. Several files are merged by time.

An RPC is listed when its reply and all data placed for it were seen, so rows come
in the order of completion; the time is that of the call, in seconds since the first
frame. Sizes are those of the RPC messages as the upper layer saw them, with the
chunks put back. Latency runs from the call's last frame to the reply's first.`,
		Example: `  rdmacap read trace.pcap
  rdmacap read --level message trace.pcap
  rdmacap read --level frame -V -x trace.pcap | less
  rdmacap read --format ndjson trace.pcap | jq 'select(.type=="rpc" and .latency_ns>1e7)'
  rdmacap read client.pcap.gz server.pcapng.zst
  tcpdump -i mirror0 -w - udp port 4791 | rdmacap read -`,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return fmt.Errorf("read needs a capture file, or - for standard input\nSee '%s --help'.", c.CommandPath())
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return runRead(s, &o, args) },
	}
	f := cmd.Flags()
	f.StringVar(&o.format, "format", "text", "output form: text, json or ndjson")
	f.StringVar(&o.level, "level", "rpc", "what to list: frame, message or rpc")
	f.BoolVarP(&o.details, "details", "V", false, "the field tree of every layer under each row")
	f.BoolVarP(&o.hex, "hex", "x", false, "the octets under each row, each field's span marked")
	f.StringVar(&o.color, "color", "auto", "colour: auto, always or never")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "no progress, no summary line")
	f.Uint16Var(&o.rocePort, "roce-port", 0, "a UDP port that carries RoCEv2 beside 4791")
	completeWith(cmd, "format", "text", "json", "ndjson")
	completeWith(cmd, "level", "frame", "message", "rpc")
	completeWith(cmd, "color", "auto", "always", "never")
	return cmd
}

// completeWith offers a flag's words to the shell.
func completeWith(cmd *cobra.Command, flag string, words ...string) {
	// The error says that the flag does not exist, which a test would show.
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// reportOptions checks the words that the user gave.
func (o *readOptions) reportOptions(s streams, files int) (report.Options, error) {
	level, err := report.ParseLevel(o.level)
	if err != nil {
		return report.Options{}, err
	}
	color, err := wantColor(o.color, s.out)
	if err != nil {
		return report.Options{}, err
	}
	return report.Options{
		Level:   level,
		Details: o.details,
		Hex:     o.hex,
		Color:   color,
		Quiet:   o.quiet,
		Files:   files,
	}, nil
}

// newRenderer makes the sink that the format names.
func (o *readOptions) newRenderer(s streams, ro report.Options) (renderer, error) {
	switch o.format {
	case "text":
		return report.NewText(s.out, ro), nil
	case "json", "ndjson":
		return report.NewJSON(s.out, o.format == "json", ro), nil
	}
	return nil, fmt.Errorf("unknown format %q: it is text, json or ndjson", o.format)
}

func runRead(s streams, o *readOptions, files []string) error {
	ro, err := o.reportOptions(s, len(files))
	if err != nil {
		return err
	}
	out, err := o.newRenderer(s, ro)
	if err != nil {
		return err
	}
	return dissectFiles(s, files, out, pipelineOptions{
		rocePort:   o.rocePort,
		keepOctets: o.details || o.hex,
		quiet:      o.quiet,
	})
}
