package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
)

// exitDiffers is the exit status where a reply is not as captured.
const exitDiffers = 1

// replayTo are the flags of rdmacap replay that are about its role as a client.
type replayTo struct {
	server        string
	pace          string
	inlineSend    int
	inlineReceive int
	yes           bool
	maxCalls      int
	timeout       time.Duration
	maxTime       time.Duration
	replayBind
	replayFaults

	// What check has read of them.
	speed       float64
	immediately bool
}

func (o *replayTo) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&o.server, "to", "", "replay the client side to the server `HOST[:PORT]` (default port: 20049)")
	f.StringVar(&o.pace, "pace", "original", "`PACE` of calls: original (as captured), asap, or a factor (2x is twice as fast)")
	f.BoolVar(&o.yes, "yes", false, "also send calls that change files, end state of the captured client, or could not be decoded completely")
	f.IntVar(&o.maxCalls, "max-calls", requester.DefaultMaxCalls, "send at most `N` calls of the capture")
	f.DurationVar(&o.timeout, "reply-timeout", requester.DefaultReplyLimit, "wait at most `TIME` for each reply")
	f.DurationVar(&o.maxTime, "max-time", requester.DefaultTimeLimit, "stop after `TIME`")
	f.IntVar(&o.inlineSend, "inline-send", 0, "announce `BYTES` as the Send Size, in place of the captured one")
	f.IntVar(&o.inlineReceive, "inline-receive", 0, "announce `BYTES` as the Receive Size, and post such receives, in place of the captured one")
	o.replayBind.register(cmd)
	o.replayFaults.register(cmd)
	completeWith(cmd, "pace", "original", "asap", "2x", "10x")
}

// marks reads what names fields: the edits, and what is ignored.
func (o *replayTo) marks(sets *query.Sets) ([]*query.Query, error) {
	if err := o.known(sets); err != nil {
		return nil, err
	}
	return o.replayFaults.marks(sets)
}

func (o *replayTo) chosen() bool { return o.server != "" }

func (o *replayTo) modes() (live, verbatim replayMode) { return toServer, toVerbatim }

func (o *replayTo) check(given func(flag string) bool) (err error) {
	if o.speed, o.immediately, err = parsePace(o.pace); err != nil {
		return err
	}
	for _, inline := range []struct {
		flag string
		size int
	}{{"inline-send", o.inlineSend}, {"inline-receive", o.inlineReceive}} {
		if given(inline.flag) && (inline.size < 1024 || inline.size > 256<<10 || inline.size%1024 != 0) {
			return fmt.Errorf("--%s: private data can announce multiples of 1024 bytes, from 1024 to 262144", inline.flag)
		}
	}
	switch {
	case o.maxCalls < 1:
		return errors.New("--max-calls must be at least 1")
	case o.timeout <= 0:
		return errors.New("--reply-timeout must be greater than zero, such as 30s")
	case o.maxTime <= 0:
		return errors.New("--max-time must be greater than zero, such as 1h")
	}
	return errors.Join(o.replayBind.check(), o.replayFaults.check(given))
}

// options are those of the replay.
func (o *replayTo) options(of *replayed) (requester.Options, error) {
	r := requester.Options{
		InlineSend: o.inlineSend, InlineReceive: o.inlineReceive, MaxCalls: o.maxCalls, ReplyLimit: o.timeout, TimeLimit: o.maxTime,
		Bindings: of.bindings, NoChanges: !o.yes, MaxRegistered: of.registered, Speed: o.speed, Immediately: o.immediately,
	}
	o.replayFaults.apply(&r)
	return r, o.replayBind.apply(&r, of)
}

// parsePace reads how fast calls follow one another.
func parsePace(s string) (speed float64, immediately bool, err error) {
	switch number, times := strings.CutSuffix(s, "x"); {
	case s == "original":
		return 1, false, nil
	case s == "asap":
		return 0, true, nil
	case times:
		if speed, err := strconv.ParseFloat(number, 64); err == nil && speed >= 1e-6 && speed <= 1e6 {
			return speed, false, nil
		}
	}
	return 0, false, fmt.Errorf("--pace: unknown value %q: use original, asap, or a factor such as 2x", s)
}

func (o *replayTo) run(ctx context.Context, s streams, common *replayOptions, of *replayed) error {
	options, err := o.options(of)
	if err != nil {
		return err
	}
	plan, err := requester.NewTogether(of.all, options)
	if err != nil {
		return err
	}
	plan.LeaveOut(of.leftOut, fmt.Sprintf("%d are replayed at once", mostTogether))
	if common.dryRun {
		if common.format == "text" {
			err = plan.WriteText(s.out, o.server)
		} else {
			err = plan.WriteJSON(s.out, common.format == "json", o.server)
		}
		return outputError(err)
	}
	if plan.Changes() && !o.yes {
		return fmt.Errorf("the replay would, or may, change files on %s or state of the captured client: --dry-run lists the calls, and --yes sends them", o.server)
	}
	to, err := resolve(ctx, o.server)
	if err != nil {
		return err
	}
	results, err := requester.RunTogether(ctx, of.provider, to, plan)
	if results == nil {
		return err
	}
	if common.format == "text" {
		err = errors.Join(err, outputError(requester.WriteText(s.out, results...)))
	} else {
		err = errors.Join(err, outputError(requester.WriteJSON(s.out, common.format == "json", results...)))
	}
	for _, r := range results {
		if err == nil && !r.Same() {
			return &statusError{exitDiffers}
		}
	}
	return err
}

// outputError words an error of the output, if there is one.
func outputError(err error) error {
	if err == nil {
		return nil
	}
	return writeError(err)
}

// portNFS is the port of NFS over RDMA (RFC 8267, section 7).
const portNFS = 20049

// resolve finds the address of HOST[:PORT].
func resolve(ctx context.Context, server string) (to netip.AddrPort, err error) {
	host, port, err := net.SplitHostPort(server)
	if err != nil {
		host, port = strings.Trim(server, "[]"), strconv.Itoa(portNFS)
	}
	number, err := strconv.ParseUint(port, 10, 16)
	if err != nil || number == 0 {
		return to, fmt.Errorf("--to: %q is not a port: use a number from 1 to 65535", port)
	}
	if addr, err := netip.ParseAddr(host); err == nil {
		return netip.AddrPortFrom(addr, uint16(number)), nil
	}
	list, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return to, fmt.Errorf("--to: %w", err)
	}
	return netip.AddrPortFrom(list[0].Unmap(), uint16(number)), nil
}
