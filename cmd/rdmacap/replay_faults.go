package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rdmacap/rdmacap/internal/query"
	"github.com/rdmacap/rdmacap/internal/replay/requester"
	"github.com/rdmacap/rdmacap/internal/replay/wire"
)

// replayFaults are the flags of rdmacap replay that make faults on purpose.
type replayFaults struct {
	honorCredits bool
	oversize     int
	edits        []string
	parsed       []requester.Edit
}

func (o *replayFaults) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&o.honorCredits, "honor-credits", true, "respect the server's credit grant; =false sends all calls at once (fault injection)")
	f.IntVar(&o.oversize, "oversize", 0, "pad the last call's Send to `BYTES` (fault injection); without a number, one word beyond what the server can receive")
	f.Lookup("oversize").NoOptDefVal = "-1"
	f.StringArrayVar(&o.edits, "edit", nil, "`'EXPR : FIELD = VALUE'`: in calls that match EXPR, change a field of the transport header (fault injection)")
}

// mostOversize is how long a Send can be made: longer than any server receives.
const mostOversize = 64 << 20

// check refuses a Send of no length.
func (o *replayFaults) check(given func(flag string) bool) error {
	if given("oversize") && o.oversize != -1 && (o.oversize < 1 || o.oversize > mostOversize) {
		return fmt.Errorf("--oversize takes a number of bytes from 1 to %d, or none", mostOversize)
	}
	return nil
}

// marks asks of each RPC whether the edits are for it. It reads the edits, whose filters say which calls they are for.
func (o *replayFaults) marks(sets *query.Sets) (list []*query.Query, err error) {
	for i, text := range o.edits {
		expr, edit, err := parseEdit(sets, text)
		if err != nil {
			return nil, fmt.Errorf("--edit: %w", err)
		}
		q, err := sets.Compile(query.RPCs, expr)
		if err != nil {
			return nil, fmt.Errorf("--edit: %w", err)
		}
		list = append(list, q)
		o.parsed = append(o.parsed, requester.Edit{Mark: i, Edit: edit})
	}
	return list, nil
}

// apply sets the faults in the options of a replay.
func (o *replayFaults) apply(r *requester.Options) {
	r.IgnoreCredits, r.Oversize, r.Edits = !o.honorCredits, o.oversize, o.parsed
}

// anEdit is FILTER : FIELD = VALUE, where the field may have a number after it.
var anEdit = regexp.MustCompile(`^(?s)(.*)\s:\s*([A-Za-z0-9_.]+)(?:\[(\d+)\])?\s*=\s*([^=].*?)\s*$`)

// parseEdit takes an edit apart.
func parseEdit(sets *query.Sets, text string) (expr string, e wire.Edit, err error) {
	m := anEdit.FindStringSubmatch(text)
	if m == nil {
		return "", e, errors.New("write it as in 'rpc.xid == 0x1a2b3c4d : rdma.credits = 0'")
	}
	e = wire.Edit{Field: strings.ToLower(m[2]), Nth: -1}
	if m[3] != "" {
		if e.Nth, err = strconv.Atoi(m[3]); err != nil {
			return "", e, err
		}
	}
	if err := e.Check(); err != nil {
		return "", e, err
	}
	if e.Value, err = sets.Set(query.Messages).Value(e.Field, m[4]); err != nil {
		return "", e, err
	}
	return m[1], e, e.Check()
}
