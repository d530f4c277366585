package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/internal/replay/script"
	"github.com/rdmacap/rdmacap/internal/replay/transport"
)

// replayOptions are the flags of rdmacap replay that both roles have.
type replayOptions struct {
	inputOptions
	connection connectionChoice
	selected   string
	memory     string
	registered string // --max-registered
	format     string
	dryRun     bool
	verbatim   bool
	bindings   []string
	roles      []replayRole
}

// A replayRole is the end of a conversation that a replay takes.
type replayRole interface {
	// register gives the command the role's flags, and chosen says whether they ask for it.
	register(cmd *cobra.Command)
	chosen() bool
	// modes are the role's without and with --verbatim.
	modes() (live, verbatim replayMode)
	// check reads what its flags say before a capture is read; given says which were given.
	check(given func(flag string) bool) error
	// marks are what it wants to know of each RPC: script.Call.Marks has the answers.
	marks(sets *query.Sets) ([]*query.Query, error)
	// run replays a conversation, until ctx ends.
	run(ctx context.Context, s streams, o *replayOptions, of *replayed) error
	// verbatim replays it to another rdmacap that plays the other role.
	verbatim(ctx context.Context, s streams, o *replayOptions, of *replayed) error
	// untilInterrupted says that it goes on until it is interrupted, which is no failure.
	untilInterrupted() bool
}

// replayed is what is replayed, and with what.
type replayed struct {
	*script.Conversation
	// all are the connections of --connection all, else the one. leftOut are those over mostTogether.
	all      []*script.Conversation
	leftOut  []script.Other
	bindings *dissect.Bindings
	provider transport.Provider
	// memory and registered are --memory and --max-registered in bytes.
	memory, registered int64
}
