package dissect_test

import (
	"fmt"
	"testing"
)

// cut keeps the first n bytes of each frame, as a snap length does.
func (list frames) cut(n int) frames {
	short := make(frames, len(list))
	for i, f := range list {
		f.Data = f.Data[:min(n, len(f.Data))]
		short[i] = f
	}
	return short
}

// TestSnapLength reads a capture whose frames were cut: what is still said of
// an RPC is what the whole frames say, and nothing is called malformed that
// only was cut.
func TestSnapLength(t *testing.T) {
	type least struct{ rpcs, named int }
	for name, snaps := range map[string]map[int]least{
		"rxe-basic": {
			60:  {0, 0},     // not one RPC-over-RDMA header
			100: {350, 0},   // the transport header of those without chunks
			128: {500, 350}, // and what they call
			200: {566, 566}, // all headers
		},
		"siw-basic": {
			60:  {0, 0},     // not all of TCP's header
			90:  {0, 0},     // nor of the MPA frames
			100: {0, 0},     // those
			128: {529, 0},   // the transport header of those without chunks
			160: {529, 339}, // and what they call
			232: {529, 529}, // all headers
		},
	} {
		list := load(t, name)
		whole := make(map[uint32]rpcRecord)
		for _, r := range list.record(t).rpcs {
			whole[r.xid] = r
		}
		for snap, want := range snaps {
			t.Run(fmt.Sprintf("%s/%d", name, snap), func(t *testing.T) {
				got := list.cut(snap).record(t)
				named := 0
				for _, r := range got.rpcs {
					w, known := whole[r.xid]
					if !known {
						t.Errorf("XID 0x%08x was invented", r.xid)
						continue
					}
					if r.program != 0 {
						named++
						if r.program != w.program || r.procedure != w.procedure {
							t.Errorf("XID 0x%08x: program %d procedure %d, want %d, %d", r.xid, r.program, r.procedure, w.program, w.procedure)
						}
					}
					if r.complete && !sameMeaning(r, w) {
						t.Errorf("XID 0x%08x: complete, but\n got %+v\nwant %+v", r.xid, r, w)
					}
				}
				if len(got.rpcs) < want.rpcs || named < want.named {
					t.Errorf("%d RPCs, %d with their procedure; want at least %d, %d", len(got.rpcs), named, want.rpcs, want.named)
				}
				t.Logf("%d RPCs, %d with their procedure, %d frames malformed, %d lost", len(got.rpcs), named, got.summary.MalformedFrames, got.summary.LostInCapture)
			})
		}
	}
}
