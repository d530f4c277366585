package rocev2

import (
	"strings"
	"testing"
)

// AttributeIDs and names of IBA chapter 12.
func TestCMKind(t *testing.T) {
	for _, test := range []struct {
		kind        CMKind
		id          uint16
		name, title string
	}{
		{CMReq, 0x10, "REQ", "ConnectRequest (REQ)"},
		{CMMra, 0x11, "MRA", "MsgRcptAck (MRA)"},
		{CMRej, 0x12, "REJ", "ConnectReject (REJ)"},
		{CMRep, 0x13, "REP", "ConnectReply (REP)"},
		{CMRtu, 0x14, "RTU", "ReadyToUse (RTU)"},
		{CMDreq, 0x15, "DREQ", "DisconnectRequest (DREQ)"},
		{CMDrep, 0x16, "DREP", "DisconnectReply (DREP)"},
		{CMSidrReq, 0x17, "SIDR_REQ", "ServiceIDResReq (SIDR_REQ)"},
		{CMSidrRep, 0x18, "SIDR_REP", "ServiceIDResReqResp (SIDR_REP)"},
		{CMLap, 0x19, "LAP", "LoadAlternatePath (LAP)"},
		{CMApr, 0x1a, "APR", "AlternatePathResponse (APR)"},
		{CMClassPortInfo, 0x01, "ClassPortInfo", "ClassPortInfo"},
		{0x0f, 0x0f, "CM attribute 0x000f", "CM attribute 0x000f"},
		{0x1b, 0x1b, "CM attribute 0x001b", "CM attribute 0x001b"},
	} {
		if uint16(test.kind) != test.id || test.kind.String() != test.name || test.kind.Title() != test.title {
			t.Errorf("%#x, %v, %s; want %#x, %s, %s", uint16(test.kind), test.kind, test.kind.Title(), test.id, test.name, test.title)
		}
	}
}

func TestRejectReason(t *testing.T) {
	for reason, want := range map[RejectReason]string{
		RejNoResources: "No resources available", RejTimeout: "Timeout", RejInvalidServiceID: "Invalid Service ID",
		RejStaleConnection: "Stale connection", RejConsumer: "Consumer Reject",
		1: "No QP available", 17: "Invalid Primary Packet Rate", 23: "Invalid Alternate Packet Rate", 26: "Invalid Path MTU",
		31: "Unsupported Class Version", 33: "Invalid Alternate Flow Label", 35: "Vendor option not supported",
		0: "reserved reason 0", 34: "reserved reason 34", 36: "reserved reason 36", 65535: "reserved reason 65535",
	} {
		if got := reason.String(); got != want {
			t.Errorf("reason %d is %q, want %q", uint16(reason), got, want)
		}
	}
	seen := map[string]RejectReason{}
	for r := RejectReason(1); r <= 33; r++ {
		s := r.String()
		if before, ok := seen[s]; ok || strings.HasPrefix(s, "reserved") {
			t.Errorf("reason %d is %q, as is %d", uint16(r), s, uint16(before))
		}
		seen[s] = r
	}
}

func TestServices(t *testing.T) {
	for _, test := range []struct {
		id       uint64
		protocol uint8
		port     uint16
		ok       bool
		name     string
	}{
		{0x0000000001064e51, 6, 20049, true, "NFS/RDMA"},
		{0x0000000001061144, 6, 4420, true, "NVMe-oF"},
		{0x0000000001060cbc, 6, 3260, true, "iSER"},
		{0x00000000010601bd, 6, 445, true, "SMB Direct"},
		{0x0000000001061545, 6, 5445, true, "SMB Direct"},
		{0x0000000001061c06, 6, 7174, true, "rping"},
		{0x0000000001064853, 6, 18515, true, "perftest"},
		{0x0000000001110035, 17, 53, true, ""},
		{0x0000000002064e51, 0, 0, false, ""},
		{0x1000000001064e51, 0, 0, false, ""},
		{0x0000000101064e51, 0, 0, false, ""},
		{0, 0, 0, false, ""},
	} {
		protocol, port, ok := ServiceIDPort(test.id)
		if protocol != test.protocol || port != test.port || ok != test.ok || ServiceName(port) != test.name {
			t.Errorf("%#x: %d, %d, %v, %q", test.id, protocol, port, ok, ServiceName(port))
		}
	}
}

func TestCMNames(t *testing.T) {
	for _, test := range []struct {
		name  string
		enum  func(uint64) string
		value uint64
		want  string
	}{
		{"path MTU", namePathMTU, 1, "256 bytes"}, {"path MTU", namePathMTU, 5, "4096 bytes"},
		{"path MTU", namePathMTU, 0, ""}, {"path MTU", namePathMTU, 6, ""},
		{"timeout", nameTimeout, 0, "4.096µs"}, {"timeout", nameTimeout, 14, "67.11ms"}, {"timeout", nameTimeout, 18, "1.074s"},
		{"timeout", nameTimeout, 31, "2h26m36s"}, {"timeout", nameTimeout, 32, ""},
		{"rate", namePacketRate, 2, "2.5 Gb/s"}, {"rate", namePacketRate, 7, "40 Gb/s"}, {"rate", namePacketRate, 16, "100 Gb/s"},
		{"rate", namePacketRate, 18, "300 Gb/s"}, {"rate", namePacketRate, 21, "400 Gb/s"}, {"rate", namePacketRate, 0, ""},
		{"rate", namePacketRate, 63, ""},
		{"transport", nameTransport, 0, "RC"}, {"transport", nameTransport, 1, "UC"}, {"extended transport", nameExtTransport, 1, "XRC"},
		{"RNR retry", nameRNRRetry, 7, "no limit"}, {"RNR retry", nameRNRRetry, 6, ""},
		{"MRAed", nameMRAed, 2, "LAP"}, {"MRAed", nameMRAed, 3, ""}, {"rejected", nameRejected, 1, "REP"},
		{"SIDR status", nameSIDRStatus, 1, "Service ID not supported"}, {"AP status", nameAPStatus, 13, "SL rejected"},
		{"AP status", nameAPStatus, 14, ""},
		{"service ID", nameServiceID, 0x1110035, "port 53 of UDP port space"}, {"service ID", nameServiceID, 0x1330035, "port 53 of protocol 51 port space"},
		{"service ID", nameServiceID, 7, ""},
	} {
		if got := test.enum(test.value); got != test.want {
			t.Errorf("%s %d is %q, want %q", test.name, test.value, got, test.want)
		}
	}
}
