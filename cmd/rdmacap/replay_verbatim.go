package main

import (
	"context"
	"fmt"
	"net/netip"

	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/verbatim"
)

// untilInterrupted is false of a client: it comes to an end.
func (o *replayTo) untilInterrupted() bool { return false }

// verbatim plays the client's side.
func (o *replayTo) verbatim(ctx context.Context, s streams, common *replayOptions, of *replayed) error {
	plan, err := verbatim.NewPlan(of.Conversation, verbatim.Client)
	if err != nil {
		return err
	}
	options := verbatim.Options{Patience: o.timeout, Speed: o.speed, MaxRegistered: of.registered}
	if common.dryRun {
		return verbatimPlan(s, common, plan)
	}
	if plan.Effects.Changes() && !o.yes {
		return fmt.Errorf("if %s is a server and not another rdmacap, the replay would, or may, change files there or state of the captured client: --dry-run lists the calls, and --yes sends them", o.server)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.maxTime, requester.ErrTime)
	defer cancel()
	to, err := resolve(ctx, o.server)
	if err != nil {
		return err
	}
	result, err := verbatim.Dial(ctx, of.provider, to, plan, options)
	if result == nil {
		return err
	}
	return verbatimResult(s, common, result, err)
}

// verbatim plays the server's side.
func (o *replayListen) verbatim(ctx context.Context, s streams, common *replayOptions, of *replayed) error {
	at, err := o.address()
	if err != nil {
		return err
	}
	plan, err := verbatim.NewPlan(of.Conversation, verbatim.Server)
	if err != nil {
		return err
	}
	if common.dryRun {
		return verbatimPlan(s, common, plan)
	}
	result, err := verbatim.Listen(ctx, of.provider, at, plan, verbatim.Options{MaxRegistered: of.registered}, func(at netip.AddrPort) {
		fmt.Fprintf(s.err, "waiting at %[2]v for the other rdmacap, as the server of connection %[1]d\n", of.ID, at)
	})
	if result == nil {
		return err
	}
	return verbatimResult(s, common, result, err)
}

// verbatimPlan writes what a dry run says.
func verbatimPlan(s streams, common *replayOptions, plan *verbatim.Plan) error {
	if common.format == "text" {
		return outputError(plan.WriteText(s.out))
	}
	return outputError(writeObject(s.out, common.format == "json", "replay_verbatim_plan", plan))
}

// verbatimResult writes what came of it.
func verbatimResult(s streams, common *replayOptions, r *verbatim.Result, err error) error {
	if err == nil {
		if common.format == "text" {
			err = outputError(r.WriteText(s.out))
		} else {
			err = outputError(writeObject(s.out, common.format == "json", "replay_verbatim", r))
		}
	}
	if err == nil && (r.Ended != "" || r.Other > 0) {
		return &statusError{exitDiffers}
	}
	return err
}
