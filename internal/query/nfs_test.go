package query

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/rpc"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/field"
)

// asker asks RPCs whatever a test comes up with.
type asker struct {
	t       *testing.T
	sets    *Sets
	queries map[string]*Query
	equal   map[[2]string]*Query // by field and value: is it that?
	row     *dissect.RPC
}

func newAsker(t *testing.T) *asker {
	return &asker{t: t, sets: newSets(t), queries: make(map[string]*Query), equal: make(map[[2]string]*Query)}
}

func (a *asker) is(expr string) bool {
	a.t.Helper()
	if a.queries[expr] == nil {
		a.queries[expr] = compile(a.t, a.sets, RPCs, expr)
	}
	return a.queries[expr].RPC(a.row)
}

// exactly wants of all values that the field may have just those that are
// given.
func (a *asker) exactly(path, field string, values, all []string) {
	a.t.Helper()
	for _, v := range all {
		key := [2]string{field, v}
		if a.equal[key] == nil {
			a.equal[key] = compile(a.t, a.sets, RPCs, field+" == "+strconv.Quote(v))
		}
		if got, want := a.equal[key].RPC(a.row), slices.Contains(values, v); got != want {
			a.t.Errorf("%s, XID %#x: %s == %q is %v, the values are %q", path, a.row.XID, field, v, got, values)
		}
	}
	if got := a.is(field); got != (len(values) > 0) {
		a.t.Errorf("%s, XID %#x: %s is there: %v, the values are %q", path, a.row.XID, field, got, values)
	}
}

// names are the names that an Enum's values have.
func (a *asker) names(field string) (list []string) {
	i, _ := a.sets.Set(RPCs).Lookup(field)
	for name := range a.sets.Set(RPCs).Fields()[i].Names {
		list = append(list, name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestOperationsAndStatuses compares nfs.op, nfs.status and rpc.procedure with
// what dissect reports the same RPCs, and rows show.
func TestOperationsAndStatuses(t *testing.T) {
	a := newAsker(t)
	operations, statuses, procedures := a.names("nfs.op"), a.names("nfs.status"), a.names("rpc.procedure")
	// Names of one number are one to nfs.status.
	number := make(map[string]uint64)
	i, _ := a.sets.Set(RPCs).Lookup("nfs.status")
	for name, v := range a.sets.Set(RPCs).Fields()[i].Names {
		number[name] = v
	}
	seen := 0
	for _, path := range samples(t) {
		read(t, path, &told{rpc: func(r *dissect.RPC) {
			a.row = r
			var ops, answers []string
			failed := false
			add := func(status string, ok bool) {
				if status == "" {
					return
				}
				failed = failed || !ok
				for _, s := range statuses {
					if number[s] == number[status] {
						answers = append(answers, s)
					}
				}
			}
			for _, op := range r.Ops(nil) {
				ops = append(ops, op.Name)
				add(op.Status, op.OK)
			}
			add(r.Status())
			a.exactly(path, "nfs.op", ops, operations)
			a.exactly(path, "nfs.status", answers, statuses)
			if got := a.is("nfs.status > NFS4_OK"); got != failed {
				t.Errorf("%s, XID %#x: nfs.status > NFS4_OK is %v, the statuses are %q", path, r.XID, got, answers)
			}
			if c := r.CallHeader(); c != nil {
				name := rpc.ProcedureName(c.Program, c.Version, c.Procedure)
				if r.Reverse() && rpc.ProgramName(c.Program) == "" {
					name = rpc.CallbackProcedureName(c.Procedure)
				}
				a.exactly(path, "rpc.procedure", []string{name, strconv.Itoa(int(c.Procedure))}, procedures)
			}
			seen += len(ops)
		}})
	}
	if seen < 1000 {
		t.Errorf("%d operations", seen)
	}
}

// TestGatheredFields compares fields that gather those of several texts with
// the trees of arguments and results, and with the line about the arguments.
func TestGatheredFields(t *testing.T) {
	a := newAsker(t)
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	var names, handles []string // all that were met
	hash := regexp.MustCompile(`^(0x[0-9a-f]{8}) \(CRC-32 of`)
	amount := regexp.MustCompile(`\b(READ|WRITE|COMMIT) .*?offset (\d+)(?:,| )+(?:count )?(\d+)`)
	stateid := regexp.MustCompile(` (\d+):(0x[0-9a-f]{8})\b`)
	counted, stateids, allNames := 0, 0, 0
	q := compile(t, a.sets, RPCs, "nfs.name or nfs.fh.hash or nfs.offset or nfs.count or nfs.stateid.hash or nfs.stateid.seqid")
	for _, path := range samples(t) {
		for _, pass := range []string{"gather", "compare"} {
			read(t, path, &told{rpc: func(r *dissect.RPC) {
				a.row = r
				var called, met []string
				for _, m := range [...]*dissect.Message{r.Call, r.Reply} {
					b := body(m)
					if b == nil {
						continue
					}
					tree := []field.Node{view.Nodes(b.Binding.Route(m.Answer), b.Bytes, 0, b.Reduced, nil)}
					each(tree, func(n *field.Node) {
						f := spec.Field(n.Key)
						switch {
						case f == nil:
						case !m.Answer && slices.Contains(nameTypes, f.Type.Name):
							name, err := strconv.Unquote(n.Value)
							if err != nil {
								t.Fatal(err)
							}
							called = append(called, name)
						case slices.Contains(handleTypes, f.Type.Name) || n.Key == "nfs3.nfs_fh3.data":
							met = append(met, hash.FindStringSubmatch(n.Value)[1])
						}
					})
				}
				if pass == "gather" {
					names, handles = append(names, called...), append(handles, met...)
					return
				}
				a.exactly(path, "nfs.name", called, names)
				for _, h := range handles {
					if got, want := a.is("nfs.fh.hash == "+h), slices.Contains(met, h); got != want {
						t.Errorf("%s, XID %#x: nfs.fh.hash == %s is %v, the handles are %s", path, r.XID, h, got, met)
					}
				}
				for _, op := range r.Ops(nil) {
					line := op.Name + " "
					if op.Args >= 0 {
						line = string(view.AppendOperation(nil, &r.Call.Body().Walker, op.Args))
					} else if b := body(r.Call); b != nil {
						line += string(view.AppendSummary(nil, &b.Walker))
					}
					for _, found := range stateid.FindAllStringSubmatch(line, -1) {
						stateids++
						if expr := "nfs.stateid.seqid == " + found[1] + " and nfs.stateid.hash == " + found[2]; !a.is(expr) {
							t.Errorf("%s, XID %#x, %s: not %s", path, r.XID, line, expr)
						}
					}
					if found := amount.FindStringSubmatch(line); found != nil {
						counted++
						if expr := "nfs.offset == " + found[2] + " and nfs.count == " + found[3]; !a.is(expr) {
							t.Errorf("%s, XID %#x, %s: not %s", path, r.XID, line, expr)
						}
					}
				}
			}}, q.Keys()...)
			names, handles = compact(names), compact(handles)
		}
		allNames += len(names)
		names, handles = nil, nil
	}
	if counted < 50 || stateids < 50 || allNames < 50 {
		t.Errorf("%d lines with offset and count, %d stateids, %d names", counted, stateids, allNames)
	}
}

func compact(list []string) []string {
	slices.Sort(list)
	return slices.Compact(list)
}

// each calls f for all nodes of a tree.
func each(nodes []field.Node, f func(*field.Node)) {
	for i := range nodes {
		f(&nodes[i])
		each(nodes[i].Children, f)
	}
}

// TestGatheredKeysExist finds each field that is gathered, and each type, in the
// texts: else a misspelt one would go by unnoticed.
func TestGatheredKeysExist(t *testing.T) {
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range newSets(t).texts {
		if !strings.HasPrefix(g.Name, "nfs.") {
			continue
		}
		for _, key := range g.keys {
			if spec.Field(key) == nil {
				t.Errorf("%s: there is no field %s", g.Name, key)
			}
		}
	}
	for _, types := range [][]string{nameTypes, handleTypes, offsetTypes, statusTypes} {
		for _, name := range types {
			if spec.Type(name) == nil {
				t.Errorf("there is no type %s", name)
			}
		}
	}
}
