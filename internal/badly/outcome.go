package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/report/finding"
	"github.com/rdmacap/rdmacap/report/listing"
	"github.com/rdmacap/rdmacap/report/record"
	"github.com/rdmacap/rdmacap/report/rules"
)

// An outcome is what a capture says.
type outcome struct {
	errors map[string]string          // the certain ones: messages by ID
	likely map[string]string          // the others
	rpcs   map[string]map[string]bool // records of the complete ones, by identity
}

// observer is a dissect.Sink that keeps the complete RPCs as records, and hands all to the
// rules.
type observer struct {
	*rules.Checker
	out  outcome
	text bytes.Buffer
	json *record.JSON // writes to text
}

// RPC keeps the record of a complete RPC.
func (o *observer) RPC(r *dissect.RPC) {
	o.Checker.RPC(r)
	if !r.Complete || r.Call == nil {
		return
	}
	o.text.Reset()
	o.json.RPC(r)
	if o.json.Flush() != nil {
		return
	}
	text := bytes.TrimSpace(o.text.Bytes())
	text = text[bytes.LastIndexByte(text, '\n')+1:] // after the record of the connection
	var fields map[string]any
	if json.Unmarshal(text, &fields) != nil {
		return
	}
	dropPlaces(fields)
	text, err := json.Marshal(fields) // in the order of the names
	if err != nil {
		return
	}
	c := r.Connection
	id := fmt.Sprintf("%v %v XID %08x", c.Ends[r.Requester&1].Addr, c.Ends[r.Requester.Peer()&1].Addr, r.XID)
	if o.out.rpcs[id] == nil {
		o.out.rpcs[id] = make(map[string]bool)
	}
	o.out.rpcs[id][string(text)] = true
}

// dropPlaces takes out of a record what says where in the capture it is.
func dropPlaces(record map[string]any) {
	for _, name := range []string{"connection", "frame", "frames", "call_frame", "reply_frame", "file", "time", "latency_ns", "parts_ns", "server_or_lost_reply"} {
		delete(record, name)
	}
	for _, half := range []string{"call", "reply"} {
		if m, ok := record[half].(map[string]any); ok {
			dropPlaces(m)
		}
	}
}

// fieldsThatDiffer are the fields in which a record is not the nearest of those wanted.
func fieldsThatDiffer(text string, want map[string]bool) (least []string) {
	for w := range want {
		var a, b map[string]any
		if json.Unmarshal([]byte(text), &a) != nil || json.Unmarshal([]byte(w), &b) != nil {
			return []string{"it is no record: " + text}
		}
		list := differences(a, b)
		if least == nil || len(list) < len(least) {
			least = list
		}
	}
	return least
}

func differences(got, want map[string]any) (list []string) {
	names := slices.Sorted(maps.Keys(want))
	for name := range got {
		if _, is := want[name]; !is {
			names = append(names, name)
		}
	}
	for _, name := range names {
		a, inside := got[name].(map[string]any)
		b, too := want[name].(map[string]any)
		if inside && too {
			for _, d := range differences(a, b) {
				list = append(list, name+"."+d)
			}
		} else if !reflect.DeepEqual(got[name], want[name]) {
			list = append(list, fmt.Sprintf("%s %v, not %v", name, got[name], want[name]))
		}
	}
	return list
}

// observe asks what a capture says.
func observe(list []*rules.Rule, frames []capture.Frame) (*outcome, error) {
	o := &observer{out: outcome{errors: make(map[string]string), likely: make(map[string]string), rpcs: make(map[string]map[string]bool)}}
	o.json = record.NewJSON(&o.text, false, listing.Options{Level: listing.LevelRPC})
	o.Checker = rules.NewChecker(list, rules.DefaultConfig(), func(_ *dissect.Connection, found []*finding.Finding) {
		for _, f := range found {
			if f.Severity == finding.Error {
				kind := o.out.errors
				if f.Doubt != "" {
					kind = o.out.likely
				}
				kind[f.ID()] = fmt.Sprintf("frame %d: %s", f.Frame.Number, f.Message)
			}
		}
	})
	bindings, err := dissect.NewBindings()
	if err != nil {
		return nil, err
	}
	if err := bindings.Ask(rules.Fields(list)...); err != nil {
		return nil, err
	}
	d := dissect.New(o, dissect.Options{Units: true, Accesses: o.Checker, Bindings: bindings})
	for i := range frames {
		d.Frame(&frames[i])
	}
	o.Checker.Over()
	d.Flush()
	o.Checker.Finish()
	return &o.out, nil
}

// blames lists the errors that are likely in a capture that lacks one frame, and that the whole one has not: so little
// is known not to be there that it has to be looked for, before a peer is blamed.
func (o *outcome) blames(whole *outcome) (list []string) {
	for id, text := range o.likely {
		_, certain := whole.errors[id]
		if _, likely := whole.likely[id]; !certain && !likely {
			list = append(list, "new likely error "+id+": "+text)
		}
	}
	return list
}

// differs lists what a badly captured one says that the whole one contradicts.
func (o *outcome) differs(whole *outcome) (list []string) {
	for id, text := range o.errors {
		if id == "SYM-008" { // that nothing left in it is RDMA is true then
			continue
		}
		if _, known := whole.errors[id]; !known {
			list = append(list, "new error "+id+": "+text)
		}
	}
	for id, records := range o.rpcs {
		for text := range records {
			switch want := whole.rpcs[id]; {
			case want == nil:
				list = append(list, "an RPC that the whole capture does not have complete: "+id+": "+text)
			case !want[text]:
				list = append(list, "another RPC: "+id+": "+strings.Join(fieldsThatDiffer(text, want), "; "))
			}
		}
	}
	return list
}
