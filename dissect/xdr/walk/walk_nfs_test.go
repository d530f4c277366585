package walk_test

import (
	"encoding/binary"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/nfs"
	"github.com/rdmacap/rdmacap/dissect/xdr/types"
	"github.com/rdmacap/rdmacap/dissect/xdr/view"
	"github.com/rdmacap/rdmacap/dissect/xdr/walk"
)

// The programs of package nfs that these tests call.
const (
	programNFS = 100003
	compound   = 1 // procedure of version 4
	read3      = 6 // procedure of version 3
)

// nfsPlan is the plan of the texts of package nfs, with the marks of their
// summaries.
func nfsPlan(t testing.TB, fields ...string) *walk.Plan {
	t.Helper()
	spec, err := nfs.Spec()
	if err != nil {
		t.Fatal(err)
	}
	p, err := walk.NewPlan(spec, fields...)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// xdr writes numbers as words, uint64 as hypers, text as opaque data with its
// length word, and bytes as they are.
func xdr(values ...any) (b []byte) {
	for _, v := range values {
		switch v := v.(type) {
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(v))
		case uint64:
			b = binary.BigEndian.AppendUint64(b, v)
		case string:
			b = append(binary.BigEndian.AppendUint32(b, uint32(len(v))), v...)
		case []byte:
			b = append(b, v...)
		default:
			panic("no XDR for a value of this type")
		}
		for len(b)%4 != 0 {
			b = append(b, 0)
		}
	}
	return b
}

var (
	session  = []byte("session of 16...")
	stateid  = []byte("\x00\x00\x00\x02abcdefghijkl")
	handle   = "a filehandle of an NFS server"
	nfstime4 = xdr(uint64(1700000000), 500)

	// What Linux asks for after a READ: change, size, space_used and the times.
	readMask = xdr(2, 1<<3|1<<4, 1<<13|1<<15|1<<20|1<<21)
	readVals = string(xdr(uint64(7), uint64(1<<20), uint64(1<<20), nfstime4, nfstime4, nfstime4))

	// readCall is SEQUENCE, PUTFH, READ, GETATTR of minor version 1, readReply
	// its result; the data travelled in a Write chunk.
	readCall = xdr("", 1, 4, 53, session, 17, 3, 4, 0, 22, handle, 25, stateid, uint64(65536), 32768, 9, readMask)
	reply    = xdr(0, "", 4, 53, 0, session, 17, 3, 4, 4, 0, 22, 0, 25, 0, 1, 32768, 9, 0, readMask, readVals)
	readPut  = walk.Reduction{Start: 24, Writes: []uint32{32768}}

	read3Call = xdr(handle, uint64(65536), 32768)
)

func TestReadOfNFS(t *testing.T) {
	p := nfsPlan(t)
	proc := p.Spec.Procedure(programNFS, 4, compound)
	var w walk.Walker
	for _, tt := range []struct {
		route   *walk.Route
		data    []byte
		reduced walk.Reduction
		want    string
	}{
		{p.Args(proc), readCall, walk.Reduction{}, "SEQUENCE slot 3 seq 17; PUTFH 0x306fbbbc; READ 2:0xf6781b24 offset 65536 count 32768; GETATTR"},
		{p.Result(proc), reply, readPut, "SEQUENCE slot 3 seq 17; PUTFH; READ 32768 bytes, eof; GETATTR size 1048576"},
	} {
		w.Walk(tt.route, tt.data, tt.reduced)
		if w.Fault.Bad() || w.Inside.Bad() || w.Consumed != len(tt.data) {
			t.Errorf("%s: fault %q, inside %q, %d of %d bytes", tt.want, w.Fault, w.Inside, w.Consumed, len(tt.data))
		}
		if got := string(view.AppendSummary(nil, &w)); got != tt.want {
			t.Errorf("summary is\n%s\nwant\n%s", got, tt.want)
		}
	}
}

func benchmarkWalk(b *testing.B, content []byte, reduced walk.Reduction, route func(p *walk.Plan) *walk.Route) {
	p := nfsPlan(b)
	r := route(p)
	var w walk.Walker
	b.ReportAllocs()
	b.SetBytes(int64(len(content)))
	for b.Loop() {
		w.Walk(r, content, reduced)
	}
	b.ReportMetric(float64(len(w.Events)), "events")
	if w.Fault.Bad() || w.Consumed != len(content) {
		b.Fatal(w.Fault)
	}
}

// BenchmarkNFS4Args walks over SEQUENCE, PUTFH, READ, GETATTR with the marks of
// all summaries.
func BenchmarkNFS4Args(b *testing.B) {
	benchmarkWalk(b, readCall, walk.Reduction{}, func(p *walk.Plan) *walk.Route {
		return p.Args(p.Spec.Procedure(programNFS, 4, compound))
	})
}

// BenchmarkNFS4Result walks over their results.
func BenchmarkNFS4Result(b *testing.B) {
	benchmarkWalk(b, reply, readPut, func(p *walk.Plan) *walk.Route {
		return p.Result(p.Spec.Procedure(programNFS, 4, compound))
	})
}

// BenchmarkNFS3Args walks over the arguments of READ of version 3.
func BenchmarkNFS3Args(b *testing.B) {
	benchmarkWalk(b, read3Call, walk.Reduction{}, func(p *walk.Plan) *walk.Route {
		return p.Args(p.Spec.Procedure(programNFS, 3, read3))
	})
}

// BenchmarkParseNFS reads all texts of package nfs, as a program does when it
// meets the first RPC.
func BenchmarkParseNFS(b *testing.B) {
	sources, err := nfs.Sources()
	if err != nil {
		b.Fatal(err)
	}
	size := 0
	for i := range sources {
		size += len(sources[i].Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := types.ParseAll(sources...); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlanNFS makes a plan and the routes that a capture needs.
func BenchmarkPlanNFS(b *testing.B) {
	spec, err := nfs.Spec()
	if err != nil {
		b.Fatal(err)
	}
	for _, tt := range []struct {
		name          string
		version, proc uint32
	}{{"NFS3READ", 3, read3}, {"NFS4COMPOUND", 4, compound}} {
		b.Run(tt.name, func(b *testing.B) {
			proc := spec.Procedure(programNFS, tt.version, tt.proc)
			b.ReportAllocs()
			for b.Loop() {
				p, err := walk.NewPlan(spec)
				if err != nil {
					b.Fatal(err)
				}
				p.Args(proc)
				p.Result(proc)
			}
		})
	}
}

// TestBareStatuses has the procedures of NFS version 2 of which the result is a
// status and nothing else (RFC 1094, section 2.2).
func TestBareStatuses(t *testing.T) {
	p := nfsPlan(t)
	var w walk.Walker
	for proc, name := range map[uint32]string{10: "REMOVE", 11: "RENAME", 12: "LINK", 13: "SYMLINK", 15: "RMDIR"} {
		for status, want := range map[int]string{0: "NFS_OK", 13: "NFSERR_ACCES", 4711: "4711"} {
			w.Walk(p.Result(p.Spec.Procedure(programNFS, 2, proc)), xdr(status), walk.Reduction{})
			statuses := 0
			for _, e := range w.Events {
				if e.Kind != walk.Status {
					continue
				}
				statuses++
				if int(e.Value) != status || e.OK != (status == 0) || p.Fields[e.Field].Type.Name != "stat" {
					t.Errorf("%s: status is %+v", name, e)
				}
			}
			if got := string(view.AppendSummary(nil, &w)); statuses != 1 || got != want {
				t.Errorf("%s: %d statuses, summary %q, want %q", name, statuses, got, want)
			}
		}
	}
}

// TestProgramOfNFS looks for all versions of NFS by its number.
func TestProgramOfNFS(t *testing.T) {
	p := nfsPlan(t).Spec.Program(programNFS)
	for number, name := range map[uint32]string{2: "NFS_PROGRAM", 3: "NFS3_PROGRAM", 4: "NFS4_PROGRAM"} {
		if v := p.Version(number); v == nil || v.ProgramName != name {
			t.Errorf("version %d is %+v", number, v)
		}
	}
	if len(p.Versions) != 3 || len(p.Names) != 3 || p.Name != p.Names[0] {
		t.Errorf("program is %+v", p)
	}
}

// TestInsideOfAttributes has attributes of a file that nobody knows, or not to
// the end.
func TestInsideOfAttributes(t *testing.T) {
	p := nfsPlan(t)
	r := p.Result(p.Spec.Procedure(programNFS, 4, compound))
	var w walk.Walker
	for _, tt := range []struct {
		mask, vals any
		inside     int // bytes after the begin of the values, -1 if nothing is wrong
		unknown    bool
	}{
		{xdr(1, 1<<4), string(xdr(uint64(4096))), -1, false},
		{xdr(0), "", -1, false},
		{xdr(1, 1<<4), string(xdr(uint64(4096), 1)), 8, false},
		{xdr(1, 1<<4), "1234", 4, false},
		{xdr(4, 1<<4, 0, 0, 1<<31), string(xdr(uint64(4096), 1)), 8, true},
	} {
		b := xdr(0, "", 1, 9, 0, tt.mask, tt.vals)
		w.Walk(r, b, walk.Reduction{})
		begin := 20 + len(tt.mask.([]byte)) + 4
		if w.Fault.Bad() || w.Consumed != len(b) || w.Inside.Bad() != (tt.inside >= 0) || w.Inside.Bad() && w.Inside.Offset != begin+tt.inside || w.Unknown != tt.unknown {
			t.Errorf("%x with mask %x: fault %q, inside %q, unknown %v", tt.vals, tt.mask, w.Fault, w.Inside, w.Unknown)
		}
	}
}
