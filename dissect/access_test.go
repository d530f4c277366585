package dissect_test

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/rpcrdma"
	"github.com/rdmacap/rdmacap/internal/build"
)

// Access holds an operation against the RPC that it serves and its header.
func (s *surveyor) Access(a *dissect.Access) {
	s.accesses++
	if a.RPC == nil {
		s.outside[a.Kind] += uint64(a.Length)
		if a.First {
			s.begun[a.Kind]++
		}
		s.announced[a.Kind] = a.Announced
		if a.Region != nil || a.Connection.Outstanding(a.From.Peer()) > 0 {
			s.Errorf("%v that no call advertised is entered into %+v", a.Kind, a.Region)
		}
	} else {
		moved := s.moved[a.RPC]
		moved[a.Kind] += uint64(a.Length)
		s.moved[a.RPC] = moved
		r := a.Region
		if r.Handle != a.Handle || a.Offset-r.Offset >= uint64(r.Length) || (r.Purpose == rpcrdma.ForRead) == (a.Kind == dissect.AccessWrite) {
			s.Errorf("%v of 0x%x at 0x%x is entered into %+v", a.Kind, a.Handle, a.Offset, r.Segment)
		}
		if a.From == a.RPC.Requester || !slices.Contains(a.RPC.Frames, a.Frames[0]) {
			s.Errorf("%v by end %d in frames %v: XID %#08x is of end %d, frames %v", a.Kind, a.From, a.Frames, a.RPC.XID, a.RPC.Requester, a.RPC.Frames)
		}
	}
	data := s.at(a.Place)
	skip := 0
	if a.Connection.IWARP() && a.Kind == dissect.AccessWrite {
		skip = 2 // control bytes of DDP and RDMAP
	}
	var handle uint32
	var offset uint64
	switch {
	case !a.Connection.IWARP() && len(data) == 16:
		handle, offset = binary.BigEndian.Uint32(data[8:]), binary.BigEndian.Uint64(data)
	case a.Connection.IWARP() && len(data) == skip+12:
		handle, offset = binary.BigEndian.Uint32(data[skip:]), binary.BigEndian.Uint64(data[skip+4:])
	default:
		return
	}
	s.named++
	// Only the first of several packets is where the header says.
	exact := a.First || a.Connection.IWARP() && a.Kind == dissect.AccessWrite
	if handle != a.Handle || exact && offset != a.Offset || offset > a.Offset {
		s.Errorf("%v of 0x%x at 0x%x: its header says 0x%x at 0x%x", a.Kind, a.Handle, a.Offset, handle, offset)
	}
}

// TestAccessOfNoCall reports operations that no call allows, each packet of them.
func TestAccessOfNoCall(t *testing.T) {
	roce := build.NewConversation(build.Setup{})
	roce.Connect()
	roce.Write(build.ToClient, 7, 0x1000, make([]byte, 2500))
	roce.Read(build.ToClient, 8, 0x1000, make([]byte, 2600))
	iwarp := build.NewIWARP(build.IWARPSetup{})
	iwarp.Connect()
	iwarp.Write(build.ToClient, 7, 0x1000, make([]byte, 2500))
	iwarp.ReadResponse(iwarp.ReadRequest(build.ToClient, 8, 0x1000, 2600), make([]byte, 2600))
	iwarp.Flush(build.ToServer)
	for name, test := range map[string]struct {
		frames    build.Frames
		accesses  int
		announced [3]uint32 // by Write, Read, response
	}{
		"RoCEv2": {roce.Frames, 7, [3]uint32{2500, 2600, 2600}},
		"iWARP":  {iwarp.Frames, 5, [3]uint32{0, 2600, 2600}},
	} {
		s := survey(t, captured(test.frames))
		if s.accesses != test.accesses || s.named != s.accesses || s.outside != [3]uint64{2500, 2600, 2600} || s.begun != [3]int{1, 1, 1} || s.announced != test.announced {
			t.Errorf("%s: %d accesses (%d named) of %v bytes, %v begin, %v announced", name, s.accesses, s.named, s.outside, s.begun, s.announced)
		}
	}
}
