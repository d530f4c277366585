package dissect_test

import (
	"fmt"
	"io"
	"reflect"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/long"
)

// A capture that is not as good as it could be: begun late, of one direction,
// with frames twice or out of order. What is reported to be complete must be what
// the whole capture says; what is not is marked; nothing is invented.

// frames is a capture in memory.
type frames []capture.Frame

// load keeps all frames of a sample.
func load(t testing.TB, name string) (list frames) {
	t.Helper()
	file, err := capture.Open("../samples/"+name+".pcap.zst", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var f capture.Frame
	for file.Next(&f) == nil {
		f.Data = slices.Clone(f.Data)
		list = append(list, f)
	}
	if len(list) == 0 {
		t.Fatalf("%s has no frames", name)
	}
	return list
}

// source gives the frames again, one after the other.
type source struct{ left frames }

func (s *source) Next(f *capture.Frame) error {
	if len(s.left) == 0 {
		return io.EOF
	}
	*f = s.left[0]
	s.left = s.left[1:]
	return nil
}

func (list frames) record(t testing.TB) *recording {
	t.Helper()
	return record(t, &source{list})
}

// truth finds what the whole capture says of an RPC.
type truth map[string]rpcRecord

func identityOf(r *rpcRecord) string {
	return fmt.Sprintf("xid %08x reverse %v program %d procedure %d", r.xid, r.reverse, r.program, r.procedure)
}

func truthOf(t *testing.T, whole *recording) truth {
	t.Helper()
	all := make(truth)
	for _, r := range whole.rpcs {
		if !r.complete {
			continue // the capture itself ends in the middle of it
		}
		if _, twice := all[identityOf(&r)]; twice {
			t.Fatalf("%s stands twice in the sample", identityOf(&r))
		}
		all[identityOf(&r)] = r
	}
	return all
}

// sameMeaning compares two records of an RPC in all but frame numbers and the
// connection's.
func sameMeaning(a, b rpcRecord) bool {
	a.frames, b.frames = nil, nil
	a.connection, b.connection = 0, 0
	return reflect.DeepEqual(a, b)
}

// check holds a worse capture's RPCs against the truth and returns how many
// were complete.
func (all truth) check(t *testing.T, got *recording) (complete int) {
	t.Helper()
	seen := make(map[string]bool)
	for _, r := range got.rpcs {
		if !r.complete {
			if r.missing == "" {
				t.Errorf("%s: incomplete without a reason", identityOf(&r))
			}
			continue
		}
		complete++
		id := identityOf(&r)
		want, known := all[id]
		switch {
		case !known:
			t.Errorf("%s was invented", id)
		case seen[id]:
			t.Errorf("%s is told twice", id)
		case !sameMeaning(r, want):
			t.Errorf("%s:\n got %+v\nwant %+v", id, r, want)
		}
		seen[id] = true
	}
	return complete
}

func TestCaptureEndedEarly(t *testing.T) {
	for _, name := range []string{"rxe-basic", "rxe-cb", "siw-basic"} {
		list := load(t, name)
		all := truthOf(t, list.record(t))
		for _, cut := range []int{84, 85, 86, 120, 200, 201, 202, len(list) / 2} {
			t.Run(fmt.Sprintf("%s to frame %d", name, cut), func(t *testing.T) {
				all.check(t, list[:cut].record(t))
			})
		}
	}
}

func TestOneDirection(t *testing.T) {
	for _, name := range []string{"rxe-basic", "siw-basic"} {
		for _, client := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s from the client %v", name, client), func(t *testing.T) {
				list := load(t, name)
				oneDirection(t, list.record(t), list.only(client).record(t), client)
			})
		}
	}
}

func oneDirection(t *testing.T, whole, got *recording, client bool) {
	t.Helper()
	if len(got.rpcs) != len(whole.rpcs) {
		t.Errorf("%d RPCs, want %d halves", len(got.rpcs), len(whole.rpcs))
	}
	headers := make(map[uint32]rpcRecord)
	for _, r := range whole.rpcs {
		headers[r.xid] = r
	}
	for _, r := range got.rpcs {
		want, known := headers[r.xid]
		switch {
		case !known:
			t.Errorf("XID 0x%08x was invented", r.xid)
		case r.complete:
			t.Errorf("XID 0x%08x: complete with one direction", r.xid)
		case client && (r.reply != nil || !reflect.DeepEqual(r.call, want.call)):
			t.Errorf("XID 0x%08x: call %+v, want %+v", r.xid, r.call, want.call)
		case !client && (r.call != nil || !reflect.DeepEqual(r.reply, want.reply)):
			t.Errorf("XID 0x%08x: reply %+v, want %+v", r.xid, r.reply, want.reply)
		}
	}
}

// only keeps what one of the two hosts sent.
func (list frames) only(client bool) (some frames) {
	for _, f := range list {
		var p link.Packet
		p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
		if (p.Transport == link.RoCEv2 || p.Transport == link.TCP) && (p.Src().String() == "192.0.2.2") == client {
			some = append(some, f)
		}
	}
	return some
}

func TestFramesCapturedTwice(t *testing.T) {
	for _, name := range []string{"rxe-basic", "rxe-cb", "rxe-loss", "siw-basic"} {
		t.Run(name, func(t *testing.T) {
			list := load(t, name)
			whole := list.record(t)
			var twice frames
			for _, f := range list {
				twice = append(twice, f, f)
			}
			got := twice.record(t)
			all := truthOf(t, whole)
			if complete := all.check(t, got); complete != len(all) {
				t.Errorf("%d RPCs complete, want %d", complete, len(all))
			}
			if got.summary.Retransmissions != whole.summary.Retransmissions {
				t.Errorf("%d retransmissions, want the %d of the capture with each frame once",
					got.summary.Retransmissions, whole.summary.Retransmissions)
			}
			if got.summary.Duplicates == 0 {
				t.Error("no frame was seen to be captured twice")
			}
		})
	}
}

func TestNeighboursSwapped(t *testing.T) {
	for name, step := range map[string]int{"rxe-cb": 1, "rxe-basic": 53, "rxe-loss": 211, "siw-basic": 83} {
		t.Run(name, func(t *testing.T) {
			step *= long.Pick(7, 1)
			list := load(t, name)
			all := truthOf(t, list.record(t))
			whole := 0
			for i := 0; i+1 < len(list); i += step {
				swapped := slices.Clone(list)
				swapped[i], swapped[i+1] = swapped[i+1], swapped[i]
				got := swapped.record(t)
				if complete := all.check(t, got); complete == len(all) {
					whole++
				} else if complete < len(all)-2 {
					t.Errorf("frames %d and %d swapped: %d of %d RPCs complete", i+1, i+2, complete, len(all))
				}
				if t.Failed() {
					t.Fatalf("with frames %d and %d swapped", i+1, i+2)
				}
			}
			t.Logf("%d of %d swaps change nothing", whole, (len(list)-2)/step+1)
		})
	}
}
