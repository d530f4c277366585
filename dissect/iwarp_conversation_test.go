package dissect_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/dissect"
	"github.com/rdmacap/rdmacap/dissect/flow"
	"github.com/rdmacap/rdmacap/internal/build"
)

// conversation is what a story needs of its transport.
type conversation interface {
	Call(build.Message, ...build.Offer) *build.Exchange
	Reply(*build.Exchange, build.Message, ...build.ReplyOption) build.Span
	ReplyError(*build.Exchange, uint32) build.Span
	ReverseCall(call, reply build.Message) build.Span
}

// everyTransfer is a story with each way that an RPC may travel.
func everyTransfer(c conversation) {
	fh, data := []byte("handle"), make([]byte, 5000)
	for i := range data {
		data[i] = byte(i * 7)
	}
	c.Reply(c.Call(build.NFS3Null(1)), build.NFS3NullReply(1))
	c.Reply(c.Call(build.NFS3Write(2, fh, 0, data), build.ReadChunk{{Handle: 0xa, Length: 2048, Offset: 0x1000}, {Handle: 0xb, Length: 2952, Offset: 0x9000}}),
		build.NFS3WriteReply(2, 5000))
	write := build.NFS3Write(3, fh, 0, data)
	c.Reply(c.Call(write, build.LongCall{{Handle: 0xa, Length: uint32(len(write.Bytes)), Offset: 0x1000}}), build.NFS3WriteReply(3, 5000))
	c.Reply(c.Call(build.NFS3Read(4, fh, 0, 5000), build.WriteChunk{{Handle: 0xc, Length: 3000, Offset: 0x1000}, {Handle: 0xd, Length: 3000, Offset: 0x5000}}),
		build.NFS3ReadReply(4, data), build.Invalidate(0xc))
	c.Reply(c.Call(build.NFS3Read(5, fh, 0, 5000), build.ReplyChunk{{Handle: 0xe, Length: 8192, Offset: 0x1000}}), build.NFS3ReadReply(5, data))
	c.ReplyError(c.Call(build.NFS3Null(6)), build.ErrVers)
	c.ReplyError(c.Call(build.NFS3Null(7)), build.ErrChunk)
	c.ReverseCall(build.NFS3Null(8), build.NFS3NullReply(8))
	c.Reply(c.Call(build.NFS3Write(9, fh, 0, data[:3000])), build.NFS3WriteReply(9, 3000)) // inline, of several FPDUs
	c.Reply(c.Call(build.NFS3Read(10, fh, 0, 100), build.WriteChunk{{Handle: 0xc, Length: 100, Offset: 0x1000}}), build.NFS3ReadFailed(10, 70))
	c.Reply(c.Call(build.NFS3GetAttr(11, fh)), build.NFS3GetAttrReply(11, 5000))
}

// TestSameStoryOverIWARP tells one story over RoCEv2 and over iWARP in many
// kinds. Above flow nothing knows which one it was: RPC for RPC, all that is
// said of them is the same.
func TestSameStoryOverIWARP(t *testing.T) {
	roce := build.NewConversation(build.Setup{})
	roce.Connect()
	everyTransfer(roce)
	roce.Disconnect()
	want := emit(t, roce.Frames)
	if s := want.summary; s.RPCs != 11 || s.IncompleteRPCs != 0 {
		t.Fatalf("%d RPCs over RoCEv2, %d incomplete, want 11 whole ones", s.RPCs, s.IncompleteRPCs)
	}
	for name, setup := range map[string]build.IWARPSetup{
		"as Linux":                          {},
		"CRC":                               {CRC: true},
		"markers and CRC":                   {MarkersToServer: true, MarkersToClient: true, CRC: true},
		"markers to the server":             {MarkersToServer: true},
		"markers to the client":             {MarkersToClient: true},
		"FPDUs over three segments":         {MSS: 400, MULPDU: 1100},
		"the same with markers and CRC":     {MSS: 400, MULPDU: 1100, MarkersToServer: true, MarkersToClient: true, CRC: true},
		"segments of seven bytes":           {MSS: 7, MULPDU: 1100},
		"many FPDUs in a segment":           {TSO: 65160, MULPDU: 200},
		"the same, markers":                 {TSO: 65160, MULPDU: 200, MarkersToServer: true, MarkersToClient: true},
		"revision 1":                        {Revision: 1},
		"ready to receive by an RDMA Read":  {RTR: build.RTRRead},
		"ready to receive by a Send":        {RTR: build.RTRSend},
		"ready to receive by an RDMA Write": {RTR: build.RTRWrite},
		"sequence numbers that wrap":        {ClientISN: 0xffffff00, ServerISN: 0xfffff000},
		"another port":                      {Service: 5000},
		"IPv6":                              {Client: build.Host{Addr: build.ClientIPv6}, Server: build.Host{Addr: build.ServerIPv6}},
		"acknowledgements by the receiver":  {AckEvery: 2},
		"VLAN":                              {VLANs: []build.VLAN{{ID: 7}}},
		"segments of one byte with markers": {MSS: 1, MULPDU: 500, MarkersToServer: true},
	} {
		t.Run(name, func(t *testing.T) {
			c := build.NewIWARP(setup)
			c.Connect()
			everyTransfer(c)
			c.Disconnect()
			got := emit(t, c.Frames)
			same(t, got, want)
			conn := got.connections[0]
			if conn.setup != flow.SetupMPA || conn.closing != flow.Disconnected || conn.counters.Frames != int64(len(c.Frames)) {
				t.Errorf("setup %v, end %v, %d frames of %d", conn.setup, conn.closing, conn.counters.Frames, len(c.Frames))
			}
			if conn.thresholds != want.connections[0].thresholds || !conn.known {
				t.Errorf("inline thresholds %+v, known %v, want %+v", conn.thresholds, conn.known, want.connections[0].thresholds)
			}
			client := netip.AddrPortFrom(c.Client.Addr, c.Client.Port)
			if conn.client != client || conn.server != netip.AddrPortFrom(c.Server.Addr, c.Service) {
				t.Errorf("between %v and %v", conn.client, conn.server)
			}
			s := got.summary
			if s.NotRDMAFrames+s.MalformedFrames+s.BadCRC+s.LostInCapture+s.LostOnWire+s.Retransmissions+s.Duplicates+s.Reordered != 0 {
				t.Errorf("found odd: %+v", s)
			}
		})
	}
}

// same holds RPCs against others, in all but frames.
func same(t *testing.T, got, want *recording) {
	t.Helper()
	if len(got.rpcs) != len(want.rpcs) {
		t.Fatalf("%d RPCs, want %d", len(got.rpcs), len(want.rpcs))
	}
	for i, w := range want.rpcs {
		if g := got.rpcs[i]; !sameMeaning(g, w) {
			t.Errorf("RPC %d:\n got %+v\nwant %+v", i+1, g, w)
		}
	}
}

// TestSTagUsedAgainBehindGap is TestHandleUsedAgainBehindGap over iWARP, where
// what is missing of the stream may be missing of several FPDUs.
func TestSTagUsedAgainBehindGap(t *testing.T) {
	const reads = 12
	c := build.NewIWARP(build.IWARPSetup{})
	start := c.Connect()
	memory := build.WriteChunk{{Handle: 0x777, Length: 100, Offset: 0x1000}}
	for xid := uint32(1); xid <= reads; xid++ {
		e := c.Call(build.NFS3Read(xid, []byte("handle"), 0, 100), memory)
		c.Reply(e, build.NFS3ReadReply(xid, make([]byte, 100)))
	}
	c.Disconnect()
	for i := range c.Frames {
		got := emit(t, c.Frames.Drop(i))
		whole := 0
		for xid, r := range byXID(t, got) {
			if r.complete {
				whole++
			}
			if r.complete && (r.writeBytes != 100 || r.status != "SUCCESS") {
				t.Errorf("without frame %d: XID %d is complete with %d bytes and status %q", i+1, xid, r.writeBytes, r.status)
			}
		}
		// Where a call is missing, the calls after it are known too late for
		// what was placed for them meanwhile.
		if c.Frames[i].Dir == build.ToClient && i >= start.End && whole < reads-1 {
			t.Errorf("without frame %d: %d RPCs are complete, want at least %d", i+1, whole, reads-1)
		}
	}
}

// TestOtherProtocolsOverIWARP sends what no RPC-over-RDMA peer sends.
func TestOtherProtocolsOverIWARP(t *testing.T) {
	for _, port := range []uint16{9999, 20049} {
		c := build.NewIWARP(build.IWARPSetup{
			Service: port,
			Client:  build.Host{Private: []byte{}},
			Server:  build.Host{Private: []byte{}},
		})
		c.Connect()
		for i := range 40 {
			c.Send(build.ToServer, []byte("rdma-ping-"+string(rune('0'+i))+": ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
			c.Ack(build.ToClient)
		}
		c.Send(build.ToServer, []byte{0, 0, 0, 9, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0, 2})
		c.Disconnect()
		got := emit(t, c.Frames)
		if len(got.rpcs) != 0 || got.summary.MalformedFrames != 0 || got.connections[0].messages != 0 {
			t.Errorf("port %d: %d RPCs, %d messages, %d frames malformed, want none", port,
				len(got.rpcs), got.connections[0].messages, got.summary.MalformedFrames)
		}
	}
}

// TestPerftestOverIWARP reads a real capture without RPC.
func TestPerftestOverIWARP(t *testing.T) {
	s := new(endings)
	d := dissect.New(s, dissect.Options{})
	list := load(t, "siw-perftest")
	for i := range list {
		d.Frame(&list[i])
	}
	d.Flush()
	sum := d.Summary()
	if sum.Connections != 8 || sum.RPCs+sum.Messages+sum.MalformedFrames+sum.BadCRC != 0 {
		t.Errorf("%+v, want 8 connections and nothing else", sum)
	}
	words := strings.Join(s.list, "\n")
	want := "rping terminated by the server: DDP, Tagged Buffer Error: Base or bounds violation"
	if !strings.HasPrefix(words, want) || strings.Count(words, "perftest disconnect") != 7 {
		t.Errorf("the connections end so:\n%s", words)
	}
	// Of the refused segment the Terminate repeats the header.
	if !strings.Contains(s.list[0], "RDMA Read Response to STag 0x56a22400, TO 0x000055dc46a77170") {
		t.Errorf("the Terminate is told as %q", s.list[0])
	}
}

// endings is a Sink that notes how connections end.
type endings struct {
	counting
	list []string
}

func (s *endings) Connection(c *dissect.Connection, final bool) {
	switch {
	case !final:
	case c.Termination == nil:
		s.list = append(s.list, c.Service+" "+c.Closing.String())
	default:
		by := "client"
		if c.TerminatedBy != c.ClientEnd {
			by = "server"
		}
		s.list = append(s.list, c.Service+" terminated by the "+by+": "+string(c.Termination.AppendTo(nil)))
	}
}
