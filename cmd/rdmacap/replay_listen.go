package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/internal/replay/responder"
)

// replayListen are the flags of rdmacap replay that are about its role as a server.
type replayListen struct {
	at          string
	unmatched   string
	connections int
	most        int // connections at once

	what responder.Unmatched // as check has read it
}

func (o *replayListen) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.at, "listen", "", "play the captured server to live clients that connect to `ADDR:PORT`, until interrupted")
	f.StringVar(&o.unmatched, "unmatched", responder.RPCError.String(), "what to do with calls that are not in the capture: `ACTION` is error (PROC_UNAVAIL), stall (no answer) or disconnect")
	f.IntVar(&o.connections, "clients", 0, "exit after serving `N` clients (default: when interrupted)")
	f.IntVar(&o.most, "max-connections", responder.DefaultMaxConnections, "serve at most `N` connections at a time, and refuse others")
	completeWith(cmd, "unmatched", "error", "stall", "disconnect")
}

func (o *replayListen) chosen() bool { return o.at != "" }

func (o *replayListen) modes() (live, verbatim replayMode) { return listening, listeningVerbatim }

func (o *replayListen) check(given func(flag string) bool) (err error) {
	if o.connections < 1 && given("clients") {
		return errors.New("--clients must be at least 1")
	}
	if o.most < 1 {
		return errors.New("--max-connections must be at least 1")
	}
	if o.what, err = responder.ParseUnmatched(o.unmatched); err != nil {
		return fmt.Errorf("--unmatched: %w", err)
	}
	_, err = o.address()
	return err
}

func (o *replayListen) marks(*query.Sets) ([]*query.Query, error) { return nil, nil }

func (o *replayListen) untilInterrupted() bool { return o.connections == 0 }

// address is where to listen.
func (o *replayListen) address() (netip.AddrPort, error) {
	at, err := netip.ParseAddrPort(o.at)
	if err == nil {
		return at, nil
	}
	if addr, err := netip.ParseAddr(strings.Trim(o.at, "[]")); err == nil {
		return netip.AddrPortFrom(addr, portNFS), nil
	}
	if rest, is := strings.CutPrefix(o.at, ":"); is {
		if port, err := strconv.ParseUint(rest, 10, 16); err == nil {
			return netip.AddrPortFrom(netip.IPv4Unspecified(), uint16(port)), nil
		}
	}
	return at, fmt.Errorf("--listen: %q is not an address and port, such as 0.0.0.0:20049", o.at)
}

func (o *replayListen) run(ctx context.Context, s streams, common *replayOptions, of *replayed) error {
	at, err := o.address()
	if err != nil {
		return err
	}
	options := responder.Options{Specs: of.bindings.Own(), Connections: o.connections, Unmatched: o.what, Limits: responder.Limits{
		Memory: max(1, of.memory-of.Bytes), MaxRegistered: of.registered, MaxConnections: o.most,
	}}
	spec, err := nfs.Spec()
	if err != nil {
		return err
	}
	options.Specs = append(options.Specs, spec)
	if common.format == "text" {
		options.Noted = func(line string) { fmt.Fprintln(s.err, field.Visible(line)) }
	}
	server, err := responder.New(of.Conversation, options)
	if err != nil {
		return err
	}
	if common.dryRun {
		return o.plan(s.out, common, server.Plan())
	}
	err = server.Serve(ctx, of.provider, at, func(at netip.AddrPort) {
		fmt.Fprintf(s.err, "connection %d of the capture is served at %v\n", of.ID, at)
	})
	if err != nil {
		return err
	}
	report := server.Report()
	if common.format == "text" {
		err = report.WriteText(s.out)
	} else {
		err = writeObject(s.out, common.format == "json", "replay_served", report)
	}
	if err == nil && report.UnmatchedCalls()+report.NoRoom+report.OverLimit+report.Refused > 0 {
		return &statusError{exitDiffers}
	}
	return outputError(err)
}

// plan writes what a dry run says.
func (o *replayListen) plan(w io.Writer, common *replayOptions, plan *responder.Plan) error {
	if common.format == "text" {
		return outputError(plan.WriteText(w, o.at))
	}
	return outputError(writeObject(w, common.format == "json", "replay_listen_plan", plan))
}

// writeObject writes a record with its type first, in an array if it is to be one.
func writeObject(w io.Writer, array bool, kind string, record any) error {
	b, err := json.Marshal(record)
	if err != nil {
		return err
	}
	b = append([]byte(`{"type":`+strconv.Quote(kind)+","), b[1:]...)
	if array {
		b = append(append([]byte("["), b...), ']')
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
