package query

import (
	"encoding/binary"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/field"
	"github.com/rdmacap/rdmacap/filter"
	"github.com/rdmacap/rdmacap/internal/long"
)

// TestTextsAreThoseOfTheTree compares the fields of the texts with the tree
// that the details view shows, which is made without marks and events: an RPC
// has the field just if one of its trees has a node with its key, and the field
// has the node's value. Of each sample it takes some RPCs.
func TestTextsAreThoseOfTheTree(t *testing.T) {
	sets := newSets(t)
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	record, keys := whole(sets)
	queries := make(map[string]*filter.Filter)
	is := func(expr string) bool {
		if queries[expr] == nil {
			f, err := sets.Set(RPCs).Compile(expr)
			if err != nil {
				t.Fatal(err)
			}
			queries[expr] = f
		}
		return queries[expr].Match(record)
	}
	met := make(map[string]bool)
	every := long.Pick(8, 3)
	for _, path := range samples(t) {
		n := 0
		read(t, path, &told{rpc: func(r *dissect.RPC) {
			if n++; n%every != 0 || t.Failed() {
				return
			}
			record.row = r
			shown := make(map[string][]string)
			for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
				if b := body(m); b != nil {
					tree := view.Nodes(b.Binding.Route(m.Answer), b.Bytes, 0, b.Reduced, nil)
					textLiterals(shown, sets, spec, b.Bytes, []field.Node{tree})
				}
			}
			for i := range sets.texts {
				name := sets.texts[i].Name
				if strings.HasPrefix(name, "nfs.") {
					continue
				}
				present := name
				if sets.texts[i].Kind == filter.Bool {
					present = name + " in {true, false}"
				}
				values, in := shown[name]
				if is(present) != in {
					t.Errorf("%s, XID %#x: %s is there: %v, the tree has %v", path, r.XID, name, !in, values)
				}
			}
			for name, values := range shown {
				met[name] = true
				for _, value := range values {
					if value != "" && !is(name+" == "+value) {
						t.Errorf("%s, XID %#x: not %s == %s", path, r.XID, name, value)
					}
				}
			}
		}}, keys...)
	}
	for _, want := range []string{"nfs3.read3args.offset", "nfs3.fattr3.type", "nfs3.fattr3.mtime", "nfs3.access3args.access",
		"nfs4.getattr4args.attr_request", "nfs4.fattr4.attrmask", "nfs4.open4args.share_access", "nfs4.stateid4.other",
		"nfs4.component4", "nfs3.diropargs3.name", "nfsacl.getacl3args.mask"} {
		if !met[want] && spec.Field(want) != nil {
			t.Errorf("no sample has %s", want)
		}
	}
	t.Logf("%d fields met", len(met))
}

// textLiterals gathers the values of the nodes of fields of texts, as one
// writes them in an expression; "" stands for one that is there with a value that
// only the field itself knows how to work out.
func textLiterals(to map[string][]string, sets *Sets, spec *types.Spec, data []byte, nodes []field.Node) {
	for i := range nodes {
		n := &nodes[i]
		if at, ok := sets.Set(RPCs).Lookup(n.Key); ok && n.Fault == "" {
			t := spec.Field(n.Key).Type
			if strings.HasPrefix(n.Name, "[") { // an element has its array's key
				t = t.Elem
			}
			if value, has := textLiteral(sets.Set(RPCs).Fields()[at].Kind, t, data[n.Start:n.End], n.Value); has {
				to[n.Key] = append(to[n.Key], value)
			}
		}
		textLiterals(to, sets, spec, data, n.Children)
	}
}

// textLiteral is the value of a node with those bytes.
func textLiteral(k filter.Kind, t *types.Type, content []byte, shown string) (value string, has bool) {
	word := func() uint32 { return binary.BigEndian.Uint32(content) }
	switch t.Kind {
	case types.Struct:
		if k == filter.Time {
			return strconv.Quote(shown), true
		}
		return "", k == filter.Duration
	case types.Optional:
		return "", t.IsList() || len(content) > 4
	case types.Array:
		switch _, _, numbers := numbersOf(t); {
		case k == filter.Enum: // bits
			return "", strings.Trim(string(content[4:]), "\x00") != ""
		case numbers:
			return "", word() > 0
		}
		return strconv.FormatUint(uint64(word()), 10), true
	case types.Bool:
		return strconv.FormatBool(word() == 1), true
	case types.Opaque, types.FixedOpaque, types.String:
		if strings.Contains(shown, "chunk") {
			return "", false
		}
		data := content[:min(int(t.Limit), len(content))]
		if t.Kind != types.FixedOpaque {
			data = content[4 : 4+word()]
		}
		switch {
		case len(data) > 1000:
			return "", true // no expression is that long
		case k == filter.Address:
			return shown, true
		case k == filter.String || len(data) == 0:
			return strconv.Quote(string(data)), true
		}
		return "0x" + hex.EncodeToString(data), true
	case types.Enum:
		if name, _, named := strings.Cut(shown, " ("); named {
			return strings.TrimPrefix(name, t.Names.Prefix), true
		}
		return strconv.FormatUint(uint64(word()), 10), true
	case types.UnsignedHyper:
		return strconv.FormatUint(binary.BigEndian.Uint64(content), 10), true
	case types.Hyper:
		return strconv.FormatInt(int64(binary.BigEndian.Uint64(content)), 10), true
	case types.Int:
		if k == filter.Int {
			return strconv.Itoa(int(int32(word()))), true
		}
	}
	switch k {
	case filter.Time, filter.Duration:
		return "", true
	}
	return strconv.FormatUint(uint64(word()), 10), true
}
