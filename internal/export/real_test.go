package export_test

import (
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
)

// A summed is a file of which the client printed the MD5 sum, when it had written
// it and read it back.
type summed struct{ path, md5 string }

// TestClientsSums holds that what was written to and read from each file of real
// captures is what the client had: NFS 3, 4.0, 4.1 and 4.2, inline and in chunks,
// with RPCSEC_GSS (krb5 and krb5i) too. A client looked at its files in
// the order that they stand here.
func TestClientsSums(t *testing.T) {
	for _, sample := range []struct {
		name  string
		files []summed
	}{
		{"rxe-basic", []summed{
			{"v3/small", "b1946ac92492d2347c6235b4d2611184"},
			{"v3/mid", "3d45e321f4a3f399756430b985507370"},
			{"v3/big", "d35920053d4c3ef4f56258800a72d7ee"},
			{"v4.0/small", "b1946ac92492d2347c6235b4d2611184"},
			{"v4.0/mid", "a2a23f3ea79405ae67afb118f98a497c"},
			{"v4.0/big", "b0fc24e29961d75ff7fabe70fbf3402f"},
			{"v4.1/small", "b1946ac92492d2347c6235b4d2611184"},
			{"v4.1/mid", "27ea0477d12fd8455cffe65dd9a850a1"},
			{"v4.1/big", "9625807884affd29ec23896f5734a438"},
			{"v4.2/small", "b1946ac92492d2347c6235b4d2611184"},
			{"v4.2/mid", "d66ebb7050b7e1a859190b63dee93d8e"},
			{"v4.2/big", "50e0aa9c28c6abda4945b7bf112c2ce7"},
		}},
		{"siw-basic", []summed{
			{"v3/small", "b1946ac92492d2347c6235b4d2611184"},
			{"v3/mid", "bbc685fd97161da024eb7412e4113f4d"},
			{"v3/big", "81bbe8d8c102a403335eda559d0e14ff"},
			{"v4.0/small", "b1946ac92492d2347c6235b4d2611184"},
			{"v4.0/mid", "ceb25f01cebf09d4a33c4b7f76615271"},
			{"v4.0/big", "5cbeef1bf2374e372295f493a6190308"},
			{"v4.1/small", "b1946ac92492d2347c6235b4d2611184"},
			{"v4.1/mid", "fbef67450e29a116f78202a1c1adf3da"},
			{"v4.1/big", "da71c27e1e910800185c6eb55034ffa9"},
			{"v4.2/small", "b1946ac92492d2347c6235b4d2611184"},
			{"v4.2/mid", "8d36121ad4870b6c6342ab10ec8f89c3"},
			{"v4.2/big", "ca354de15f7ea38f4f105c59067b48dd"},
		}},
		{"rxe-krb", []summed{
			{"g4.1krb5/a", "764efa883dda1e11db47671c4a3bbd9e"},
			{"g4.1krb5/b", "626d92b0e88e726ba170f45a7a60dca8"},
			{"g4.1krb5i/a", "764efa883dda1e11db47671c4a3bbd9e"},
			{"g4.1krb5i/b", "6db65567c2a8521184a548f9fed757e0"},
			{"g3krb5/a", "764efa883dda1e11db47671c4a3bbd9e"},
			{"g3krb5/b", "941a785ba8b5aea2f02429ba02c326c8"},
			{"g3krb5i/a", "764efa883dda1e11db47671c4a3bbd9e"},
			{"g3krb5i/b", "8340959b899fa88cf101a1a1c797859c"},
		}},
	} {
		t.Run(sample.name, func(t *testing.T) {
			x := exportSample(t, sample.name)
			if len(x.objects) != 2*len(sample.files) {
				t.Fatalf("%d objects, want what was read and what was written of %d files: %+v", len(x.objects), len(sample.files), x.objects)
			}
			for i := range x.objects {
				o, want := &x.objects[i], sample.files[i/2]
				if direction := [2]string{"read", "write"}[i%2]; o.Name != filepath.Base(want.path) || o.Direction != direction {
					t.Errorf("%s is %s of %q, want %s of %s", o.File, o.Direction, o.Name, direction, want.path)
				}
				data := x.bytes(t, o)
				if sum := md5.Sum(data); hex.EncodeToString(sum[:]) != want.md5 || len(o.Missing) != 0 || o.Size != int64(len(data)) {
					t.Errorf("%s (%s): %d of %d bytes, missing %v, MD5 %x, the client's %s", o.File, want.path, len(data), o.Size, o.Missing, sum, want.md5)
				}
				if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != o.SHA256 {
					t.Errorf("%s: SHA-256 %x, the manifest says %s", o.File, sum, o.SHA256)
				}
			}
		})
	}
}

// TestLossyCapture holds what is missing where the capture ends amid a READ, and
// that loss on the wire that was made good is none.
func TestLossyCapture(t *testing.T) {
	x := exportSample(t, "rxe-loss")
	if len(x.objects) != 2 || x.objects[0].Lost == 0 || x.objects[1].Lost != 0 || len(x.objects[1].Missing) != 0 {
		t.Errorf("rxe-loss: %+v, want bytes lost of what was read and none of what was written", x.objects)
	}
	read, written := x.bytes(t, &x.objects[0]), x.bytes(t, &x.objects[1])
	at := int64(0)
	for _, g := range append(x.objects[0].Missing, gap{Offset: x.objects[0].Size}) {
		if string(read[at:g.Offset]) != string(written[at:g.Offset]) {
			t.Errorf("bytes %d to %d were read otherwise than they were written", at, g.Offset)
		}
		at = g.Offset + g.Length
	}
	for i, o := range exportSample(t, "siw-loss").objects {
		if len(o.Missing) != 0 {
			t.Errorf("siw-loss: object %d misses %v", i, o.Missing)
		}
	}
}

// TestSparse holds that READ_PLUS's holes are zeros, not missing: a file is read
// as it was written where it was, and as zeros elsewhere (rxe-acl, NFS 4.2).
func TestSparse(t *testing.T) {
	x := exportSample(t, "rxe-acl")
	pairs := 0
	for i := range x.objects {
		if i == 0 || x.objects[i].Handle != x.objects[i-1].Handle {
			continue
		}
		pairs++
		read, written := &x.objects[i-1], &x.objects[i]
		if len(read.Missing) != 0 || len(written.Missing) == 0 || written.Lost != 0 {
			t.Errorf("read %+v, written %+v: want a sparse file", read, written)
		}
		if string(x.bytes(t, read)) != string(x.bytes(t, written)) {
			t.Errorf("%s differs from %s", read.File, written.File)
		}
	}
	if pairs != 2 {
		t.Errorf("%d sparse files were read back, want that of NFS 3 and that of 4.2", pairs)
	}
}

// exportSample exports a capture that ships.
func exportSample(t *testing.T, name string) *exported {
	t.Helper()
	file, err := capture.Open(filepath.Join("..", "..", "samples", name+".pcap.zst"), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table, err := os.Create(filepath.Join(t.TempDir(), "table"))
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	dir := filepath.Join(t.TempDir(), "out")
	x, d := sink(t, dir, table)
	if faults, err := d.Run(file, func(bool) error { return x.Err() }); err != nil || len(faults) > 0 && name != "rxe-loss" {
		t.Fatalf("%v, faults %v", err, faults)
	}
	d.Flush()
	if err := x.Finish(d.Summary(), 0); err != nil {
		t.Fatal(err)
	}
	return open(t, dir, table.Name())
}
