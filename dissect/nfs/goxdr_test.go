//go:build long

package nfs_test

import (
	"bytes"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/buildbarn/go-xdr/pkg/protocols/nfsv3"
	"github.com/buildbarn/go-xdr/pkg/protocols/nfsv4"
	"github.com/buildbarn/go-xdr/pkg/protocols/nlm"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// A decoder reads a value with code that go-xdr generated from the RFCs' own
// texts, so it shares neither text nor code with this package. The value
// encodes itself again.
type decoder func(io.Reader) (io.WriterTo, error)

// aStruct decodes one of go-xdr's structs.
func aStruct[T any, P interface {
	*T
	io.ReaderFrom
	io.WriterTo
}](r io.Reader) (io.WriterTo, error) {
	m := P(new(T))
	_, err := m.ReadFrom(r)
	return m, err
}

// aUnion decodes one of its unions.
func aUnion[U io.WriterTo](read func(io.Reader) (U, int64, error)) decoder {
	return func(r io.Reader) (io.WriterTo, error) {
		m, _, err := read(r)
		return m, err
	}
}

// goxdrProcedures are all procedures that both know but those without arguments
// and result. A result of nil is void.
var goxdrProcedures = []struct {
	prog, vers, proc uint32
	args, result     decoder
}{
	{100003, 3, 1, aStruct[nfsv3.Getattr3args], aUnion(nfsv3.ReadGetattr3res)},
	{100003, 3, 2, aStruct[nfsv3.Setattr3args], aUnion(nfsv3.ReadSetattr3res)},
	{100003, 3, 3, aStruct[nfsv3.Lookup3args], aUnion(nfsv3.ReadLookup3res)},
	{100003, 3, 4, aStruct[nfsv3.Access3args], aUnion(nfsv3.ReadAccess3res)},
	{100003, 3, 5, aStruct[nfsv3.Readlink3args], aUnion(nfsv3.ReadReadlink3res)},
	{100003, 3, 6, aStruct[nfsv3.Read3args], aUnion(nfsv3.ReadRead3res)},
	{100003, 3, 7, aStruct[nfsv3.Write3args], aUnion(nfsv3.ReadWrite3res)},
	{100003, 3, 8, aStruct[nfsv3.Create3args], aUnion(nfsv3.ReadCreate3res)},
	{100003, 3, 9, aStruct[nfsv3.Mkdir3args], aUnion(nfsv3.ReadMkdir3res)},
	{100003, 3, 10, aStruct[nfsv3.Symlink3args], aUnion(nfsv3.ReadSymlink3res)},
	{100003, 3, 11, aStruct[nfsv3.Mknod3args], aUnion(nfsv3.ReadMknod3res)},
	{100003, 3, 12, aStruct[nfsv3.Remove3args], aUnion(nfsv3.ReadRemove3res)},
	{100003, 3, 13, aStruct[nfsv3.Rmdir3args], aUnion(nfsv3.ReadRmdir3res)},
	{100003, 3, 14, aStruct[nfsv3.Rename3args], aUnion(nfsv3.ReadRename3res)},
	{100003, 3, 15, aStruct[nfsv3.Link3args], aUnion(nfsv3.ReadLink3res)},
	{100003, 3, 16, aStruct[nfsv3.Readdir3args], aUnion(nfsv3.ReadReaddir3res)},
	{100003, 3, 17, aStruct[nfsv3.Readdirplus3args], aUnion(nfsv3.ReadReaddirplus3res)},
	{100003, 3, 18, aStruct[nfsv3.Fsstat3args], aUnion(nfsv3.ReadFsstat3res)},
	{100003, 3, 19, aStruct[nfsv3.Fsinfo3args], aUnion(nfsv3.ReadFsinfo3res)},
	{100003, 3, 20, aStruct[nfsv3.Pathconf3args], aUnion(nfsv3.ReadPathconf3res)},
	{100003, 3, 21, aStruct[nfsv3.Commit3args], aUnion(nfsv3.ReadCommit3res)},
	{100021, 4, 1, aStruct[nlm.Nlm4Testargs], aStruct[nlm.Nlm4Testres]},
	{100021, 4, 2, aStruct[nlm.Nlm4Lockargs], aStruct[nlm.Nlm4Res]},
	{100021, 4, 3, aStruct[nlm.Nlm4Cancargs], aStruct[nlm.Nlm4Res]},
	{100021, 4, 4, aStruct[nlm.Nlm4Unlockargs], aStruct[nlm.Nlm4Res]},
	{100021, 4, 5, aStruct[nlm.Nlm4Testargs], aStruct[nlm.Nlm4Res]},
	{100021, 4, 6, aStruct[nlm.Nlm4Testargs], nil},
	{100021, 4, 7, aStruct[nlm.Nlm4Lockargs], nil},
	{100021, 4, 8, aStruct[nlm.Nlm4Cancargs], nil},
	{100021, 4, 9, aStruct[nlm.Nlm4Unlockargs], nil},
	{100021, 4, 10, aStruct[nlm.Nlm4Testargs], nil},
	{100021, 4, 11, aStruct[nlm.Nlm4Testres], nil},
	{100021, 4, 12, aStruct[nlm.Nlm4Res], nil},
	{100021, 4, 13, aStruct[nlm.Nlm4Res], nil},
	{100021, 4, 14, aStruct[nlm.Nlm4Res], nil},
	{100021, 4, 15, aStruct[nlm.Nlm4Res], nil},
	{100021, 4, 20, aStruct[nlm.Nlm4Shareargs], aStruct[nlm.Nlm4Shareres]},
	{100021, 4, 21, aStruct[nlm.Nlm4Shareargs], aStruct[nlm.Nlm4Shareres]},
	{100021, 4, 22, aStruct[nlm.Nlm4Lockargs], aStruct[nlm.Nlm4Res]},
	{100021, 4, 23, aStruct[nlm.Nlm4Notify], nil},
	{100003, 4, 1, aStruct[nfsv4.Compound4args], aStruct[nfsv4.Compound4res]},
	{0x40000000, 1, 1, aStruct[nfsv4.CbCompound4args], aStruct[nfsv4.CbCompound4res]},
}

// TestGoXDR makes random messages of every procedure's arguments and results.
// What go-xdr decodes of them, and encodes again, has the same bytes and the
// same values as what the texts of this package find; and cut at every byte
// the message is a fault.
func TestGoXDR(t *testing.T) {
	names, err := filepath.Glob("*.x")
	if err != nil {
		t.Fatal(err)
	}
	spec := parseTexts(t, names...)
	plan := every(t, spec)
	compared := 0
	operations := map[uint64]bool{}
	for _, p := range goxdrProcedures {
		proc := spec.Procedure(p.prog, p.vers, p.proc)
		if proc == nil {
			t.Errorf("the texts have no program %d version %d procedure %d", p.prog, p.vers, p.proc)
			continue
		}
		for _, side := range []struct {
			route  *walk.Route
			decode decoder
		}{{plan.Args(proc), p.args}, {plan.Result(proc), p.result}} {
			if side.decode == nil {
				if side.route.Type.Kind != types.Void {
					t.Errorf("%s has a result", proc.Name)
				}
				continue
			}
			messages := 60
			if p.vers == 4 && p.prog == 100003 {
				messages = 1500 // 71 operations, many of them with unions
			}
			g := generator{random: rand.New(rand.NewPCG(uint64(p.prog+p.vers), uint64(p.proc)))}
			for i := range messages {
				name := proc.Name + " " + side.route.Type.Name
				g.bytes = g.bytes[:0]
				g.value(side.route.Type, 0)
				data := slices.Clone(g.bytes)
				m, err := side.decode(bytes.NewReader(data))
				if err != nil {
					t.Errorf("%s: go-xdr: %v in %x", name, err, data)
					break
				}
				var encoded bytes.Buffer
				if _, err := m.WriteTo(&encoded); err != nil || !bytes.Equal(encoded.Bytes(), data) {
					t.Errorf("%s: go-xdr makes %x of %x, %v", name, encoded.Bytes(), data, err)
					break
				}
				n := sameValues(t, name, plan, side.route, m, data)
				if n < 0 {
					break
				}
				compared += n
				if p.prog == 100003 && p.vers == 4 {
					for _, op := range operationsOf(side.route, data) {
						operations[op] = true
					}
				}
				if i < 40 && len(data) < 600 {
					cutEverywhere(t, name, side.route, data)
				}
			}
		}
	}
	for op := uint64(3); op <= 71; op++ {
		if !operations[op] {
			t.Errorf("operation %d of NFS version 4 did not come up", op)
		}
	}
	if compared < 50000 {
		t.Errorf("only %d values were compared", compared)
	}
}

// operationsOf are the numbers of the operations in a COMPOUND.
func operationsOf(route *walk.Route, data []byte) (numbers []uint64) {
	var w walk.Walker
	w.Walk(route, data, walk.Reduction{})
	for i := range w.Events {
		if w.Events[i].Kind == walk.Operation {
			numbers = append(numbers, w.Events[i].Value)
		}
	}
	return numbers
}

// sameValues holds what the walker reports of a message against the value that
// go-xdr decoded. It returns how many values were compared, -1 if one differs.
func sameValues(t *testing.T, name string, plan *walk.Plan, route *walk.Route, m io.WriterTo, data []byte) int {
	t.Helper()
	var w walk.Walker
	w.Walk(route, data, walk.Reduction{})
	if w.Fault.Bad() || w.Consumed != len(data) || w.Dropped {
		t.Errorf("%s: %v, consumed %d of %d bytes, of %x", name, w.Fault, w.Consumed, len(data), data)
		return -1
	}
	leaves := flatten(m)
	seen := make([]bool, len(leaves))
	for i := range w.Events {
		e := &w.Events[i]
		if e.Kind != walk.Value {
			continue
		}
		mark := plan.Marks[e.Mark]
		class := classOf(mark.Type)
		if class == classNone || mark.Field == nil {
			continue
		}
		at := slices.IndexFunc(leaves, func(l leaf) bool { return l.class == class && l.offset == int(e.Offset) })
		if at < 0 {
			if inOpaque(leaves, int(e.Offset)) {
				continue // what the texts know of the content of opaque data
			}
			t.Errorf("%s: %s at byte %d is %d, go-xdr has no such value there, in %x", name, mark.Path, e.Offset, int64(e.Value), data)
			return -1
		}
		seen[at] = true
		l := leaves[at]
		same := e.Value == l.value
		switch {
		case class == classData:
			same = string(data[e.Offset:][:e.Length]) == l.bytes
		case e.Length == 4:
			// Where an RFC has an unsigned int a text may have an enum, for its
			// names.
			same = uint32(e.Value) == uint32(l.value)
		}
		if !same || !sameName(l.name, mark.Field.Name) {
			t.Errorf("%s: %s at byte %d is %d, go-xdr says %+v, in %x", name, mark.Path, e.Offset, int64(e.Value), l, data)
			return -1
		}
	}
	compared := 0
	for i, l := range leaves {
		if seen[i] {
			compared++
		} else if l.name != "" {
			t.Errorf("%s: go-xdr has %+v, which the texts do not report, in %x", name, l, data)
			return -1
		}
	}
	return compared
}
