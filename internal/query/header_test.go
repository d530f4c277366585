package query

import (
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/report/exhibit"
)

// framesTried is how many frames of each sample are looked at.
const framesTried = 150

// TestHeadersAreThoseOfTheTree compares fields of headers with the tree that the
// details view shows, which comes about in another way: a frame has the field
// just if the tree has a node with its name, and the field has the node's value.
func TestHeadersAreThoseOfTheTree(t *testing.T) {
	sets := newSets(t)
	byName := make(map[string]*field.Field)
	for _, h := range headers() {
		for i := range h.table.Fields {
			byName[h.table.Key+"."+h.table.Fields[i].Key] = &h.table.Fields[i]
		}
	}
	queries := make(map[string]*Query)
	is := func(v *dissect.FrameView, expr string) bool {
		if queries[expr] == nil {
			queries[expr] = compile(t, sets, Frames, expr)
		}
		return queries[expr].Frame(v)
	}
	met := make(map[string]bool)
	for _, path := range samples(t) {
		n := 0
		read(t, path, &told{frame: func(v *dissect.FrameView) {
			if n++; n > framesTried || t.Failed() {
				return
			}
			shown := make(map[string][]string)
			for _, e := range exhibit.OfFrame(v, nil) {
				literals(shown, byName, e.Bytes, e.Nodes)
			}
			for name := range byName {
				present := name
				if kind(t, sets, name) == filter.Bool {
					present = name + " in {true, false}"
				}
				has := shown[name]
				switch name { // IPv4 addresses, or those in another header
				case "ip.src":
					has = slices.Concat(has, shown["ipv6.src"], shown["grh.sgid"])
				case "ip.dst":
					has = slices.Concat(has, shown["ipv6.dst"], shown["grh.dgid"])
				}
				if got := is(v, present); got != (len(has) > 0) {
					t.Errorf("%s, frame %d: %s is there: %v, the tree has %v", path, v.Frame.Number, name, got, has)
				}
			}
			for name, values := range shown {
				met[name] = true
				for _, value := range values {
					if !is(v, name+" == "+value) {
						t.Errorf("%s, frame %d: not %s == %s", path, v.Frame.Number, name, value)
					}
				}
			}
		}})
	}
	for _, want := range []string{"eth.type", "ip.src", "udp.dstport", "tcp.seq", "bth.psn", "reth.va", "aeth.syndrome", "ieth.rkey",
		"icrc.icrc", "mad.attributeid", "cm.req.serviceid", "cm.ip.src", "rpcrdma.private.send_size", "mpa.rev", "mpa.enhanced.ird",
		"mpa.fpdu.ulpdu_length", "mpa.crc.crc", "ddp.tagged.stag", "ddp.untagged.msn", "rdmap.opcode", "rdmap.read.size", "rdmap.term.layer", "ipv6.src"} {
		if !met[want] {
			t.Errorf("no sample has %s", want)
		}
	}
}

func kind(t *testing.T, s *Sets, name string) filter.Kind {
	t.Helper()
	i, ok := s.Set(Frames).Lookup(name)
	if !ok {
		t.Fatalf("%s is no field", name)
	}
	return s.Set(Frames).Fields()[i].Kind
}

// literals gathers the values of the nodes of known fields, as one writes them
// in an expression.
func literals(to map[string][]string, known map[string]*field.Field, data []byte, nodes []field.Node) {
	for i := range nodes {
		n := &nodes[i]
		if f := known[n.Key]; f != nil {
			to[n.Key] = append(to[n.Key], literal(f, data[n.Start-f.Start():], n))
		}
		literals(to, known, data, n.Children)
	}
}

func literal(f *field.Field, header []byte, n *field.Node) string {
	switch f.Format {
	case field.IP:
		return n.Value
	case field.Bytes, field.MAC:
		return "0x" + hex.EncodeToString(header[f.Start():f.End()])
	case field.ASCII:
		return strconv.Quote(string(header[f.Start():f.End()]))
	}
	// The number, or the name and the number in parentheses.
	number := strings.TrimSuffix(n.Value[strings.LastIndexAny(n.Value, " (")+1:], ")")
	if f.Format == field.Flag {
		return fmt.Sprint(number == "1")
	}
	return number
}
