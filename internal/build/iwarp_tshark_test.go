package build

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/internal/long"
)

// tshark sees every FPDU with its markers and a right CRC and the calls in them
// as they were told, and nothing malformed or out of order.
func TestTsharkAgreesOnIWARP(t *testing.T) {
	for name, setup := range map[string]IWARPSetup{
		"no CRC":                {ClientISN: 0xffffff00, ServerISN: 0xfffffff0},
		"markers":               {CRC: true, MarkersToServer: true, MarkersToClient: true},
		"markers to the server": {ClientCRC: true, MarkersToServer: true},
		"markers to the client": {ServerCRC: true, MarkersToClient: true},
		"segments put together": {CRC: true, Revision: 1, TSO: 65160},
		// tshark takes the responses for malformed that do not have a multiple of four bytes.
		"cut at odd places": {CRC: true, MULPDU: 2998, MSS: 700, RTR: RTRRead},
		"IPv6":              {Client: Host{Addr: ClientIPv6}, Server: Host{Addr: ServerIPv6}, VLANs: []VLAN{{ID: 3}}, CRC: true},
	} {
		if !long.Tests && !slices.Contains([]string{"markers", "cut at odd places"}, name) {
			continue // each asks tshark three times, which takes it a second
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := NewIWARP(setup)
			c.Connect()
			c.Reply(c.Call(NFS3Null(1)), NFS3NullReply(1))
			c.Reply(c.Call(NFS3GetAttr(2, fh)), NFS3GetAttrReply(2, 3001))
			c.Reply(c.Call(NFS3Read(3, fh, 0, 900)), NFS3ReadReply(3, hexBytes(900)))
			write := NFS3Write(4, fh, 0, hexBytes(3001))
			c.Reply(c.Call(write, ReadChunk{{0xa, 3001, 0x1000}}), NFS3WriteReply(4, 3001), Invalidate(0xa))
			c.Write(ToClient, 0xc, 0x2000, hexBytes(3001))
			c.Disconnect()
			show := tshark(t, c.Frames)
			if bad := show("-o", "tcp.check_checksum:TRUE", "-Y", `_ws.malformed || tcp.checksum.status != 1 || ip.checksum.status == 0 ||
				iwarp_mpa.bad_length || tcp.analysis.flags || _ws.expert.severity >= 0x600000`); bad != "" {
				t.Errorf("tshark sees faults:\n%s", bad)
			}
			details := show("-V")
			var fpdus, markers int
			// tshark does not look at the direction without markers if the other has them.
			oneWay := setup.MarkersToServer != setup.MarkersToClient
			for d, marked := range []bool{setup.MarkersToServer, setup.MarkersToClient} {
				if oneWay && !marked {
					continue
				}
				start := len(c.StartFrame(Direction(d)).Bytes())
				for _, f := range unframe(t, sent(t, c, Direction(d))[start:], marked) {
					fpdus++
					markers += len(f.markers)
				}
			}
			wantGood := 0
			if setup.CRC || setup.ClientCRC || setup.ServerCRC {
				wantGood = fpdus
			}
			for text, want := range map[string]int{
				"ULPDU length:": fpdus, "FPDU back pointer:": markers, "(Good CRC32)": wantGood, "(Bad CRC32": 0,
			} {
				if got := strings.Count(details, text); got != want {
					t.Errorf("tshark says %q %d times, want %d", text, got, want)
				}
			}
			if oneWay {
				return
			}
			calls := []string{"0 0x00000001", "0 0x00000002", "0 0x00000003", "0 0x00000004",
				"1 0x00000001", "1 0x00000002", "1 0x00000003", "1 0x00000004"}
			got := strings.Split(strings.ReplaceAll(show("-Y", "rpc", "-T", "fields", "-E", "separator= ", "-e", "rpc.msgtyp", "-e", "rpc.xid"), ",", "\n"), "\n")
			if slices.Sort(got); !slices.Equal(got, calls) {
				t.Errorf("tshark sees calls and replies %q, want %q", got, calls)
			}
		})
	}
}

// sent are the bytes of one direction as they were given to TCP, which frames
// on any path end with.
func sent(t *testing.T, c *IWARP, d Direction) (b []byte) {
	t.Helper()
	for _, f := range c.Frames.Only(d) {
		payload := f.layers[1].(Payload)
		if !bytes.HasSuffix(f.Data, payload) {
			t.Fatal("the frame does not end with its payload")
		}
		b = append(b, payload...)
	}
	return b
}

// The fields of each kind of message, as tshark names them.
func TestTsharkAgreesOnMessages(t *testing.T) {
	t.Parallel()
	c := NewIWARP(IWARPSetup{CRC: true})
	c.Connect()
	c.Send(ToServer, hexBytes(1500))
	c.SendInvalidate(ToClient, 0xab, hexBytes(4))
	c.SendSE(ToServer, hexBytes(4))
	c.SendSEInvalidate(ToClient, 0xcd, hexBytes(4))
	c.Write(ToClient, 0xc, 0x1000, hexBytes(5))
	c.ReadResponse(c.ReadRequestInto(ToServer, ReadRequest{SinkSTag: 1, SinkTO: 2, Size: 3, SourceSTag: 4, SourceTO: 5}), hexBytes(3))
	c.AtomicRequest(ToServer, AtomicRequest{OpCode: AtomicCmpSwap, Identifier: 1, STag: 2, TO: 3, AddSwap: 4, AddSwapMask: 5, Compare: 6, CompareMask: 7})
	c.AtomicResponse(ToClient, 1, 99)
	c.Terminate(ToServer, Termination{Layer: 1, EType: 2, ECode: 5, SegmentLength: 0x1234, DDP: hexBytes(18)})
	show := tshark(t, c.Frames)
	for i, test := range []struct{ filter, fields, want string }{
		{"iwarp_mpa.req || iwarp_mpa.rep", "iwarp_mpa.marker_flag iwarp_mpa.crc_flag iwarp_mpa.rej_flag iwarp_mpa.rev iwarp_mpa.pdlength iwarp_mpa.privatedata",
			"0 1 0 2 12 00800000f6ab0e1801010303\n0 1 0 2 12 00000080f6ab0e1801000303"},
		{"iwarp_ddp.untagged", "iwarp_rdma.opcode iwarp_ddp.last_flag iwarp_ddp.qn iwarp_ddp.msn iwarp_ddp.mo iwarp_rdma.inval_stag", strings.Join([]string{
			"0x03 0 0 1 0 ", "0x03 1 0 1 1424 ", "0x04 1 0 1 0 171", "0x05 1 0 2 0 ", "0x06 1 0 2 0 205",
			"0x01 1 1 1 0 ", "0x0a 1 1 2 0 ", "0x0b 1 3 1 0 ", "0x07 1 2 1 0"}, "\n")},
		{"iwarp_ddp.tagged", "iwarp_rdma.opcode iwarp_ddp.last_flag iwarp_ddp.stag iwarp_ddp.tagged_offset iwarp_mpa.ulpdulength",
			"0x00 1 0x0000000c 0x0000000000001000 19\n0x02 1 0x00000001 0x0000000000000002 17"},
		{"iwarp_rdma.rr", "iwarp_rdma.sinkstag iwarp_rdma.sinkto iwarp_rdma.rdmardsz iwarp_rdma.srcstag iwarp_rdma.srcto",
			"0x00000001 0x0000000000000002 3 0x00000004 0x0000000000000005"},
		{"iwarp_rdma.atomic.remote_stag", "iwarp_rdma.atomic.opcode iwarp_rdma.atomic.request_identifier iwarp_rdma.atomic.remote_stag iwarp_rdma.atomic.remote_tagged_offset " +
			"iwarp_rdma.atomic.swap_data iwarp_rdma.atomic.swap_mask iwarp_rdma.atomic.compare_data iwarp_rdma.atomic.compare_mask",
			"2 1 2 3 4 0x0000000000000005 6 0x0000000000000007"},
		{"iwarp_rdma.atomic.original_remote_data_value", "iwarp_rdma.atomic.original_request_identifier iwarp_rdma.atomic.original_remote_data_value", "1 99"},
		{"iwarp_rdma.terminate", "iwarp_rdma.term_layer iwarp_rdma.term_etype_ddp iwarp_rdma.term_errcode_ddp_untagged iwarp_rdma.term_hdrct_m iwarp_rdma.hdrct_d iwarp_rdma.hdrct_r " +
			"iwarp_rdma.term_ddp_seg_len iwarp_rdma.term_ddp_h", "0x01 0x02 0x05 1 1 0 1234 00070e151c232a31383f464d545b62697077"},
	} {
		if !long.Tests && i%3 != 1 {
			continue // each takes tshark a third of a second
		}
		args := []string{"-Y", test.filter, "-T", "fields", "-E", "separator= "}
		for _, f := range strings.Fields(test.fields) {
			args = append(args, "-e", f)
		}
		if got := show(args...); got != test.want {
			t.Errorf("%s: tshark sees\n%s\nwant\n%s", test.filter, got, test.want)
		}
	}
}
