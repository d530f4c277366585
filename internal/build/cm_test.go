package build

import (
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

// path is what lies under a frame of rxe-basic's first connection.
func path(d Direction, id uint16) []Layer {
	if d == ToServer {
		return []Layer{Ethernet{Dst: ServerMAC, Src: ClientMAC}, IPv4{Src: ClientIPv4, Dst: ServerIPv4, ID: id}, UDP{SrcPort: 0xd872}}
	}
	return []Layer{Ethernet{Dst: ClientMAC, Src: ServerMAC}, IPv4{Src: ServerIPv4, Dst: ClientIPv4, ID: id}, UDP{SrcPort: 0xd872}}
}

const (
	realTransaction = 0x00000002f30fae8d
	realClientID    = 0x8dae0ff3
	realServerID    = 0x481ec7f8
)

func rebuiltREQ() REQ {
	m := RealREQ()
	m.LocalCommID = realClientID
	m.ServiceID = IPServiceID(PortNFS)
	m.LocalCAGUID = 0x505400fffe000002
	m.LocalQPN = 0x11
	m.StartingPSN, m.FlowLabel = 0xe2d479, 0x2a1
	m.LocalGID, m.RemoteGID = ClientIPv4, ServerIPv4
	m.PrivateData = IPCM{SrcPort: 0x81b0, Src: ClientIPv4, Dst: ServerIPv4}.Bytes(PrivateData(4096, 4096, true))
	return m
}

func rebuiltREP() REP {
	m := RealREP()
	m.LocalCommID, m.RemoteCommID = realServerID, realClientID
	m.LocalQPN = 0x11
	m.StartingPSN = 0x223899
	m.LocalCAGUID = 0x505400fffe000001
	m.PrivateData = PrivateData(4096, 4096, false)
	return m
}

// Five frames that a real client and server sent are built again, to the
// byte, from the Ethernet header to the ICRC.
func TestRealConnection(t *testing.T) {
	for _, test := range []struct {
		name string
		real realFrame
		d    Direction
		id   uint16
		mad  MAD
	}{
		{"REQ", realREQ, ToServer, 0x2316, MAD{Attribute: AttrREQ, Body: rebuiltREQ().Bytes()}},
		{"REP", realREP, ToClient, 0xd88d, MAD{Attribute: AttrREP, Body: rebuiltREP().Bytes()}},
		{"RTU", realRTU, ToServer, 0x231d, MAD{Attribute: AttrRTU, PSN: 1, Body: CommIDs(realClientID, realServerID)}},
		{"DREQ", realDREQ, ToServer, 0x2cec, MAD{Attribute: AttrDREQ, PSN: 2, Body: DREQ(realClientID, realServerID, 0x11)}},
		{"DREP", realDREP, ToClient, 0xe21d, MAD{Attribute: AttrDREP, PSN: 1, Body: CommIDs(realServerID, realClientID)}},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.mad.TransactionID = realTransaction
			same(t, test.name, RoCE(append(path(test.d, test.id), test.mad)...), test.real.bytes(t))
		})
	}
}

// The same REQ field by field, at the places where the InfiniBand
// specification has them, so that a difference is named.
func TestREQFields(t *testing.T) {
	const body = 14 + 20 + 8 + 12 + 8 + 24
	want := realREQ.bytes(t)[body:]
	got := rebuiltREQ().Bytes()
	for _, f := range []struct {
		name     string
		at, size int
	}{
		{"LocalCommID", 0, 4}, {"ServiceID", 8, 8}, {"LocalCAGUID", 16, 8}, {"LocalQKey", 28, 4}, {"LocalQPN", 32, 3},
		{"ResponderResources", 35, 1}, {"LocalEECN", 36, 3}, {"InitiatorDepth", 39, 1}, {"RemoteEECN", 40, 3},
		{"RemoteCMResponseTimeout, TransportService, EndToEndFlowControl", 43, 1}, {"StartingPSN", 44, 3},
		{"LocalCMResponseTimeout, RetryCount", 47, 1}, {"PKey", 48, 2}, {"PathMTU, RNRRetryCount", 50, 1},
		{"MaxCMRetries, SRQ, ExtTransport", 51, 1}, {"PrimaryLocalLID", 52, 2}, {"PrimaryRemoteLID", 54, 2},
		{"PrimaryLocalGID", 56, 16}, {"PrimaryRemoteGID", 72, 16}, {"FlowLabel, PacketRate", 88, 4},
		{"TrafficClass", 92, 1}, {"HopLimit", 93, 1}, {"SL, SubnetLocal", 94, 1}, {"LocalACKTimeout", 95, 1},
		{"alternate path", 96, 44}, {"IP CM header: versions", 140, 2}, {"IP CM header: source port", 142, 2},
		{"IP CM header: source", 144, 16}, {"IP CM header: destination", 160, 16}, {"RPC-over-RDMA private data", 176, 8},
	} {
		same(t, f.name, got[f.at:f.at+f.size], want[f.at:f.at+f.size])
	}
}

func TestREJ(t *testing.T) {
	b := REJ(1, 2, 1, 28, []byte("no"))
	same(t, "communication IDs, REP rejected, consumer reject", b[:12], check.Hex(t, "00000001 00000002 4000 001c"))
	same(t, "private data behind 72 bytes", b[12+72:], []byte("no"))
}
