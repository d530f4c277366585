package main

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/internal/pipeline"
	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/report/listing"
)

// placeOptions are the flags of commands that show a part of what was captured. The whole is
// followed all the same.
type placeOptions struct {
	connections  connectionList
	since, until string
}

// register gives a command the flags.
func (o *placeOptions) register(cmd *cobra.Command) {
	o.registerConnection(cmd)
	f := cmd.Flags()
	f.StringVar(&o.since, "since", "", "only what was in progress at or after `TIME`: seconds since the first frame (12.5), or RFC 3339")
	f.StringVar(&o.until, "until", "", "only what was in progress until `TIME`, or +3s after --since")
}

// registerConnection gives a command --connection alone.
func (o *placeOptions) registerConnection(cmd *cobra.Command) {
	cmd.Flags().Var(&o.connections, "connection", "only connection `N`, or several (2,5-7)")
}

// given reports whether any of them is.
func (o *placeOptions) given() bool { return len(o.connections) > 0 || o.since != "" || o.until != "" }

// parse reads them; nil if none is given.
func (o *placeOptions) parse(start *query.Start) (*query.Place, error) {
	return query.ParsePlace(o.connections, o.since, o.until, start)
}

// conclude is that of a command whose flags these are: it says also which connections the captures
// do not have, since nothing shown of those does not mean that nothing was found.
func (o *placeOptions) conclude(s streams, r pipeline.Result, err error) error {
	if err = conclude(s, r, err); r.Interrupted || len(r.Unopened) > 0 {
		return err // there may be more connections than were found
	}
	if status, told := errors.AsType[*statusError](err); told && status.code == exitDone {
		return err // whoever read the output has left
	}
	for _, n := range o.connections {
		if int64(n) > r.Connections {
			are := "are"
			if r.Connections == 1 {
				are = "is"
			}
			complain(s, "--connection: there is no connection %d: there %s %s (see 'rdmacap stats')", n, are, field.Counted(r.Connections, "connection"))
			err = &statusError{exitUnusable}
		}
	}
	return err
}

// A placeFilter lets through what is of a place, and what another filter lets through, nil for
// anything.
type placeFilter struct {
	place *query.Place
	other listing.Filter
}

// Frame is that of listing.Filter.
func (f placeFilter) Frame(v *dissect.FrameView) bool {
	return f.place.HasConnection(v.Connection) && f.place.HasTime(v.Frame.Time, v.Frame.Time) && (f.other == nil || f.other.Frame(v))
}

// Message is that of listing.Filter.
func (f placeFilter) Message(m *dissect.Message) bool {
	return f.place.HasConnection(m.Connection) && f.place.HasTime(m.First, m.Last) && (f.other == nil || f.other.Message(m))
}

// RPC is that of listing.Filter.
func (f placeFilter) RPC(r *dissect.RPC) bool {
	return f.place.HasConnection(r.Connection) && f.place.HasTime(r.Start(), lasted(r)) && (f.other == nil || f.other.RPC(r))
}

// Another is that of listing.Filter.
func (f placeFilter) Another() listing.Filter {
	if f.place.ByNumber() {
		return nil
	}
	if f.other != nil {
		if f.other = f.other.Another(); f.other == nil {
			return nil
		}
	}
	return f
}

// lasted is until when an RPC was going on, in nanoseconds since 1970: without a reply, until its
// connection was over.
func lasted(r *dissect.RPC) int64 {
	if r.Reply == nil {
		return r.Connection.LastTime
	}
	return r.Reply.Last
}
