package track_test

import (
	"fmt"
	"testing"

	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

const handle = 0xc82

// transfer appends an RDMA Read of the server, of n bytes from va on.
func transfer(s *build.Conversation, va uint64, n int) build.Span {
	return s.Read(build.ToClient, handle, va, memory(handle, va, n))
}

// whole says how many bytes of each Read request, by its frame, were seen, and
// demands that none was seen twice.
func (d *recorder) brought() (size map[int64]int, complete int) {
	d.t.Helper()
	size = make(map[int64]int)
	seen := make(map[string]bool)
	for _, x := range d.data {
		size[x.read.frame] += x.length
		if x.whole {
			complete++
		}
		if id := fmt.Sprint(x.read.frame, x.at); seen[id] {
			d.t.Errorf("byte %d of the Read of frame %d was brought twice", x.at, x.read.frame)
		} else {
			seen[id] = true
		}
	}
	return size, complete
}

func TestReads(t *testing.T) {
	const mtu = 1024
	for _, n := range []int{0, 1, 5, mtu - 1, mtu, mtu + 1, 3 * mtu, 3*mtu + 2} {
		t.Run(fmt.Sprint(n, " bytes"), func(t *testing.T) {
			s := build.NewConversation(build.Setup{PMTU: mtu})
			s.Connect()
			transfer(s, 0x1000, n)
			transfer(s, 0x9000, 4)
			greet(s, 1)
			for name, frames := range map[string]build.Frames{"set up": s.Frames, "inferred": s.Frames[3:]} {
				d := record(t, frames)
				d.placedRight()
				size, complete := d.brought()
				if r := d.reads[0]; len(d.reads) != 2 || r.handle != handle || r.offset != 0x1000 || r.length != uint32(n) || size[r.frame] != n {
					t.Errorf("%s: %d Reads; the first of %d bytes at 0x%x, of which %d came", name, len(d.reads), r.length, r.offset, size[r.frame])
				}
				if c := d.only(); complete != 2 || c.LostInCapture+c.Retransmissions+c.Duplicates != 0 || d.notes() != "" {
					t.Errorf("%s: %d whole, %+v, %s", name, complete, c.Counters, d.notes())
				}
				if len(d.sends) != 2 {
					t.Errorf("%s: %d Sends behind the Reads, want 2", name, len(d.sends))
				}
			}
		})
	}
}

// Several requests are on their way at once; the responses come in order, and
// the requests in between take PSNs after those of the responses.
func TestReadsOutstanding(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	greet(s, 99) // shows which two directions are one, but not the MTU
	var requests []build.Read
	for i := range 5 {
		requests = append(requests, s.ReadRequest(build.ToClient, handle, uint64(i)<<16, 1000+i*700))
		s.Send(build.ToClient, call(uint32(i)))
	}
	for i, r := range requests {
		s.ReadResponse(r, memory(handle, uint64(i)<<16, r.Length))
	}
	for name, frames := range map[string]build.Frames{"set up": s.Frames, "inferred": s.Frames[3:]} {
		d := record(t, frames)
		d.placedRight()
		size, complete := d.brought()
		if len(d.reads) != 5 || len(d.sends) != 7 || complete != 5 {
			t.Errorf("%s: %d Reads, %d whole, %d Sends", name, len(d.reads), complete, len(d.sends))
		}
		for i, r := range d.reads {
			if size[r.frame] != 1000+i*700 {
				t.Errorf("%s: %d bytes of Read %d", name, size[r.frame], i)
			}
		}
		if c := d.conns[0]; c.LostInCapture+c.Retransmissions != 0 || d.notes() != "" {
			t.Errorf("%s: %+v, %s", name, c.Counters, d.notes())
		}
	}
}

// A response is lost on the wire. The requester asks again: for what it lacks,
// with the PSN and address where that begins, or for all of it.
func TestReadAgain(t *testing.T) {
	const n, mtu = 5000, 1024
	for lost := range 5 {
		for _, partial := range []bool{true, false} {
			t.Run(fmt.Sprintf("response %d lost, partial %v", lost, partial), func(t *testing.T) {
				s := build.NewConversation(build.Setup{PMTU: mtu})
				s.Connect()
				r := s.ReadRequest(build.ToClient, handle, 0x1000, n)
				responses := s.ReadResponse(r, memory(handle, 0x1000, n))
				s.Wait(1e6)
				from := 0
				if partial {
					from = lost
				}
				va, left := uint64(0x1000+from*mtu), n-from*mtu
				s.Packet(build.ToClient, build.BTH{OpCode: build.RCReadRequest, PSN: r.PSN + uint32(from), AckReq: true},
					build.RETH{VA: va, RKey: handle, DMALen: uint32(left)})
				s.ReadResponse(build.Read{Dir: build.ToClient, PSN: r.PSN + uint32(from), Length: left}, memory(handle, va, left))
				transfer(s, 0x8000, 100)
				// What comes after the lost one is not accepted, but captured.
				d := record(t, s.Frames.Drop(responses.First+lost))
				d.placedRight()
				size, complete := d.brought()
				if c := d.only(); complete != 2 || size[4] != n || c.LostInCapture != 0 {
					t.Errorf("%d Reads whole, %d bytes of the first, %d frames lost in the capture", complete, size[4], c.LostInCapture)
				}
				want := int64(1)
				if lost == 4 && !partial {
					want = 0 // it may not have been sent: nothing after it was
				}
				if c := d.only(); c.LostOnWire != want || c.Reordered != 0 {
					t.Errorf("%d lost on the wire, %d reordered, want %d and 0", c.LostOnWire, c.Reordered, want)
				}
				named := d.verdicts[responses.End+lost-from] // one dropped, one request more
				if want == 1 && named.Note != flow.LostOnWire {
					t.Errorf("the lost response is noted as %v", named.Note)
				}
				if behind := d.verdicts[responses.First+lost]; (lost < 4) != (behind.Note == flow.Gap && behind.Missing == 1) {
					t.Errorf("the frame behind the lost one is noted as %v, %d missing", behind.Note, behind.Missing)
				}
				if c := d.only(); c.Retransmissions == 0 || c.Duplicates != 0 {
					t.Errorf("%d retransmissions, %d duplicates", c.Retransmissions, c.Duplicates)
				}
			})
		}
	}
}

// Two responses change places: the later one is not lost, and nobody asked again.
func TestResponsesReordered(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	span := transfer(s, 0x1000, 5000)
	transfer(s, 0x8000, 100)
	for at := span.First + 1; at < span.End-1; at++ {
		d := record(t, s.Frames.Swap(at, at+1))
		d.placedRight()
		if got, want := disorder(d.only()), (flow.Counters{Reordered: 1}); got != want || d.verdicts[at+1].Note != flow.Reordered {
			t.Errorf("responses %d and %d swapped: %+v, noted as %v", at, at+1, got, d.verdicts[at+1].Note)
		}
	}
}

// The capture has the responses before the request.
func TestResponseBeforeRequest(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	s.Send(build.ToClient, call(1))
	span := transfer(s, 0x1000, 3500)
	greet(s, 2)
	at := span.First
	late := append(build.Frames{}, s.Frames...)
	for i := range 4 {
		late = late.Swap(at+i, at+i+1)
		d := record(t, late)
		d.placedRight()
		size, complete := d.brought()
		if c := d.only(); complete != 1 || len(size) != 1 || len(d.sends) != 3 || c.LostInCapture+c.Retransmissions != 0 {
			t.Errorf("the request %d frames late: %v bytes, %d whole, %d Sends, %+v", i+1, size, complete, len(d.sends), c.Counters)
		}
	}
}

// Responses that do not fit what was asked for are placed nowhere.
func TestWrongResponses(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	r := s.ReadRequest(build.ToClient, handle, 0x1000, 2000)
	response := func(op uint8, psn uint32, n int) {
		layers := []build.Layer{build.Payload(make([]byte, n))}
		if op != build.RCReadResponseMiddle {
			layers = append(layers, build.AETH{Syndrome: build.SyndromeAck})
		}
		s.Packet(build.ToServer, build.BTH{OpCode: op, PSN: psn}, layers...)
	}
	response(build.RCReadResponseOnly, r.PSN, 2004)     // more than was asked for
	response(build.RCReadResponseFirst, r.PSN, 1000)    // not a whole packet
	response(build.RCReadResponseMiddle, r.PSN+1, 1024) // beyond the end
	response(build.RCReadResponseLast, r.PSN+1, 980)    // beyond the end
	response(build.RCReadResponseLast, r.PSN+2, 4)      // a PSN after it
	response(build.RCReadResponseOnly, r.PSN-1, 4)      // a PSN before it
	if d := record(t, s.Frames); len(d.data) != 0 || len(d.reads) != 1 {
		t.Errorf("%d pieces of data were placed", len(d.data))
	}
	s.ReadResponse(r, memory(handle, 0x1000, 2000))
	d := record(t, s.Frames)
	d.placedRight()
	if _, complete := d.brought(); complete != 1 {
		t.Error("the right responses behind the wrong ones are not placed")
	}
}

// Where the path MTU is unknown, a response says which request it answers only
// if its PSN is the request's: nothing is placed by guess.
func TestReadsWithoutMTU(t *testing.T) {
	s := build.NewConversation(build.Setup{PMTU: 4096})
	s.Connect()
	a := s.ReadRequest(build.ToClient, handle, 0x10000, 600)
	b := s.ReadRequest(build.ToClient, handle, 0x20000, 500)
	big := s.ReadRequest(build.ToClient, handle, 0x30000, 9000)
	s.ReadResponse(a, memory(handle, 0x10000, 600))
	s.ReadResponse(b, memory(handle, 0x20000, 500))
	rest := s.ReadResponse(big, memory(handle, 0x30000, 9000))
	greet(s, 1)
	greet(s, 2)
	frames := s.Frames[3:]
	for lost := range len(frames) {
		d := record(t, frames.Drop(lost))
		d.placedRight()
		d.brought()
		if c := d.conns[0]; c.LostInCapture > 1 {
			t.Errorf("frame %d dropped, %d lost in the capture", lost, c.LostInCapture)
		}
	}
	// Only the last response of the large one is there: its place is unknown.
	d := record(t, frames.Drop(rest.First-3, rest.First-2))
	d.placedRight()
	if size, _ := d.brought(); size[3] != 0 {
		t.Errorf("%d bytes placed by guess", size[3])
	}
}

func TestReadResponsesCut(t *testing.T) {
	s := build.NewConversation(build.Setup{})
	s.Connect()
	transfer(s, 0x1000, 2500)
	d := record(t, s.Frames.Cut(200))
	d.placedRight()
	size, complete := d.brought()
	if size[4] != 2500 || complete != 1 {
		t.Errorf("%d bytes counted, whole %d", size[4], complete)
	}
	if n := len(d.data[0].bytes); n != 200-58 {
		t.Errorf("%d bytes of the first response captured", n)
	}
}
