package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

func newReplay(s streams, provider transport.Provider) *cobra.Command {
	var o replayOptions
	o.roles = []replayRole{new(replayTo), new(replayListen)}
	cmd := &cobra.Command{
		Use:   "replay [flags] FILE... {--to HOST[:PORT] | --listen ADDR:PORT}",
		Short: "Replay a captured conversation over a real queue pair",
		Long: `Replay one connection of a capture: its calls are sent to a live server through
an RDMA device of this machine, with the chunks they had and in captured order,
and each reply is compared with the captured one.

Handles, XIDs and, if the device chooses them, offsets are those of the memory
registered for the replay. The server's RDMA Reads get the data that the
capture has; what it lacks is made up, and reported. For a server that may
invalidate handles (R in the private data), the device's capabilities decide
between memory windows, memory registered for each call, and clearing R; the
choice is reported.

A call that changes files, that could not be decoded completely, or that ends a
session, client or open of the captured client, is sent only with --yes.
--dry-run lists such calls, and what cannot be reproduced, without sending
anything. RPCSEC_GSS cannot be replayed.

With --listen rdmacap plays the captured server to live clients. Each call is
matched with a captured one by its procedure and arguments, its Read chunks are
read, and the captured reply is sent with its RDMA Writes, credits and faults.
Everything a client knows of the server comes from captured replies, so a Linux
client can mount, provided that the MOUNT protocol of NFS 3 uses TCP to an
ordinary mountd (docs/replay.md). Calls without a match are listed at the end.
What clients can make it hold is limited: 64 MiB of Read chunks per call,
--max-registered on each connection, --memory in total, and --max-connections;
a client that sends nothing for 10 minutes is disconnected.

With --verbatim two instances of rdmacap replay both sides to each other, on
two hosts or one.

FILE is a capture as for rdmacap read; the conversation, with its file data, is
held in memory.

Exit status: 0 if every reply matches the captured one and with --listen every
call has a match; 1 if not; 2 if nothing could be replayed; 130 if interrupted.`,
		Example: `  rdmacap replay trace.pcap --to 192.0.2.1 --dry-run
  rdmacap replay trace.pcap --connection 2 --to server:20049 --pace asap --yes
  rdmacap replay trace.pcap --connection all --to server --bind --yes
  rdmacap replay trace.pcap --select 'nfs.op == "READ"' --to 192.0.2.1
  rdmacap replay trace.pcap --listen 0.0.0.0:20049 --unmatched disconnect
  rdmacap replay trace.pcap --to host --edit 'rpc.xid == 1 : rdma.credits = 0'`,
		RunE: func(c *cobra.Command, args []string) error { return runReplay(c, s, &o, args, provider) },
	}
	f := cmd.Flags()
	f.SortFlags = false
	for _, r := range o.roles {
		r.register(cmd)
	}
	f.Var(&o.connection, "connection", "replay connection `N|all`, numbered as by read (default: the first that carries RPC-over-RDMA)")
	f.StringVar(&o.selected, "select", "", "replay only RPCs that match `EXPR` (docs/filter.md)")
	f.BoolVar(&o.verbatim, "verbatim", false, "replay to another rdmacap on the other side: the captured bytes except handles and offsets")
	f.BoolVar(&o.dryRun, "dry-run", false, "print the plan and what cannot be reproduced; do not connect")
	f.StringVar(&o.format, "format", "text", "output format: `FORMAT` is text, json (one array) or ndjson (one object per line)")
	f.StringVar(&o.memory, "memory", "1GiB", "memory limit, `SIZE`, for the conversation and, with --listen, for what clients make it hold")
	f.StringVar(&o.registered, "max-registered", "256MiB", "register at most `SIZE` of memory for chunks at a time, with --listen per connection")
	o.register(cmd, "no progress")
	registerBindings(cmd, &o.bindings)
	completeWith(cmd, "format", "text", "json", "ndjson")
	return cmd
}

func runReplay(c *cobra.Command, s streams, o *replayOptions, files []string, provider transport.Provider) error {
	role, err := o.role()
	switch {
	case err != nil:
		return misuse(c, err)
	case o.format != "text" && o.format != "json" && o.format != "ndjson":
		return misuse(c, fmt.Errorf("--format: unknown format %q: use text, json or ndjson", o.format))
	}
	if err := o.mode(role).refuse(c); err != nil {
		return misuse(c, err)
	}
	if o.connection.all && o.mode(role) != toServer {
		return misuse(c, fmt.Errorf("--connection all cannot be combined with %v: it needs --to without --verbatim", o.mode(role)))
	}
	if err := role.check(c.Flags().Changed); err != nil {
		return misuse(c, err)
	}
	bindings, err := loadBindings(o.bindings)
	if err != nil {
		return err
	}
	options, err := o.recording(role, bindings)
	if err != nil {
		return misuse(c, err)
	}
	registered, err := parseLimit("--max-registered", o.registered)
	if err != nil {
		return misuse(c, err)
	}
	of := &replayed{bindings: bindings, provider: provider, memory: options.MaxBytes, registered: registered}
	if err := o.record(c.Context(), s, files, of, options); err != nil {
		return err
	}
	ctx := c.Context()
	defer s.heed(nil)()
	run := role.run
	if o.verbatim {
		run = role.verbatim
	}
	err = run(ctx, s, o, of)
	if ctx.Err() != nil && !role.untilInterrupted() {
		return &statusError{exitInterrupted}
	}
	return err
}

// role is the one that the flags ask for.
func (o *replayOptions) role() (chosen replayRole, err error) {
	for _, r := range o.roles {
		switch {
		case !r.chosen():
		case chosen != nil:
			return nil, errors.New("--to and --listen cannot be combined: replay takes one role at a time")
		default:
			chosen = r
		}
	}
	if chosen == nil {
		return nil, errors.New("replay needs --to HOST[:PORT], the server to replay to, or --listen ADDR:PORT, where clients connect")
	}
	return chosen, nil
}

// recording is what is taken out of the capture.
func (o *replayOptions) recording(role replayRole, bindings *dissect.Bindings) (script.Options, error) {
	options := script.Options{Connection: o.connection.number}
	var err error
	if options.MaxBytes, err = parseLimit("--memory", o.memory); err != nil {
		return options, err
	}
	sets, err := query.NewSets(bindings.Own()...)
	if err != nil {
		return options, err
	}
	marks, err := role.marks(sets)
	if err != nil {
		return options, err
	}
	var keys []string
	for _, q := range marks {
		options.Marks = append(options.Marks, q.RPC)
		keys = append(keys, q.Keys()...)
	}
	if o.selected != "" {
		q, err := sets.Compile(query.RPCs, o.selected)
		if err != nil {
			return options, fmt.Errorf("--select: %w", err)
		}
		options.Select = q.RPC
		keys = append(keys, q.Keys()...)
	}
	return options, bindings.Ask(keys...)
}

// parseLimit reads a size in bytes that is a limit.
func parseLimit(flag, text string) (length int64, err error) {
	size, err := filter.ParseSize(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("%s: %w", flag, err)
	case size == 0:
		return 0, fmt.Errorf("%s must be greater than zero", flag)
	}
	return int64(min(size, 1<<62)), nil
}

// record reads the captures.
func (o *replayOptions) record(ctx context.Context, s streams, files []string, of *replayed, options script.Options) (err error) {
	var unusable error
	if o.connection.all {
		recorders := script.NewRecorders(options, mostTogether)
		unusable = o.dissect(ctx, s, files, of, recorders)
		of.all, of.leftOut, err = recorders.Conversations()
	} else {
		recorder := script.NewRecorder(options)
		unusable = o.dissect(ctx, s, files, of, recorder)
		of.Conversation, err = recorder.Conversation()
		of.all = []*script.Conversation{of.Conversation}
	}
	if large := (*script.TooLarge)(nil); errors.As(err, &large) {
		return fmt.Errorf("%w (--memory)", err)
	}
	return cmp.Or(unusable, err)
}

// dissect shows a recorder the captures.
func (o *replayOptions) dissect(ctx context.Context, s streams, files []string, of *replayed, r interface {
	pipeline.Renderer
	dissect.DataSink
	dissect.AccessSink
}) error {
	input := o.pipeline(of.bindings)
	input.Data, input.Accesses = r, r
	return dissectFiles(ctx, s, files, r, input, o.quiet)
}
