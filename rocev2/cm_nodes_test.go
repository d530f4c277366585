package rocev2

import (
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/field"
)

// What the details view shows of a real REQ, a real REJ and a LAP by hand. The
// values are those that tshark 4.0 shows of the same frames, in our notation.
func TestCMNodes(t *testing.T) {
	for _, test := range []struct {
		name, mad string
		nodes     []string // name, value, bytes
		fields    map[string]string
	}{
		{"REQ", realREQ, []string{
			"Management Datagram Header (MAD) | class ComMgt (0x07) | 0-24",
			"ConnectRequest (REQ) | REQ to 192.0.2.1:20049 (NFS/RDMA) from QP 0x000011, starting PSN 14865529 | 24-164",
			"RDMA IP CM Service Header (IP CM) | 192.0.2.2 to 192.0.2.1 | 164-200",
			"PrivateData | 56 bytes: f6ab0e1801010303, then zeros | 200-256",
		}, map[string]string{
			"mad.baseversion": "1", "mad.classversion": "2", "mad.method": "Send() (0x03)", "mad.transactionid": "0x00000002f30fae8d",
			"mad.attributeid":    "ConnectRequest (REQ), 0x0010",
			"cm.req.localcommid": "0x8dae0ff3", "cm.req.serviceid": "port 20049 of TCP port space, NFS/RDMA (0x0000000001064e51)",
			"cm.req.localcaguid": "0x505400fffe000002", "cm.req.localqpn": "0x000011", "cm.req.responderresources": "128",
			"cm.req.initiatordepth": "0", "cm.req.remotetimeout": "4.295s (20)", "cm.req.transport": "RC (0)", "cm.req.flowcontrol": "0",
			"cm.req.startingpsn": "0xe2d479", "cm.req.localtimeout": "4.295s (20)", "cm.req.retrycount": "6", "cm.req.pkey": "0xffff",
			"cm.req.pathmtu": "1024 bytes (3)", "cm.req.rnrretrycount": "0", "cm.req.maxcmretries": "15", "cm.req.srq": "0",
			"cm.req.exttransport": "0", "cm.req.primary_locallid": "0xffff", "cm.req.primary_localgid": "::ffff:192.0.2.2",
			"cm.req.primary_remotegid": "::ffff:192.0.2.1", "cm.req.primary_flowlabel": "0x00002", "cm.req.primary_packetrate": "0",
			"cm.req.primary_hoplimit": "64", "cm.req.primary_acktimeout": "2.147s (19)", "cm.req.alternate_localgid": "::",
			"cm.ip.majver": "0", "cm.ip.minver": "0", "cm.ip.ipver": "4", "cm.ip.srcport": "33200", "cm.ip.src": "192.0.2.2", "cm.ip.dst": "192.0.2.1",
		}},
		{"REP", realREP, []string{
			"Management Datagram Header (MAD) | class ComMgt (0x07) | 0-24",
			"ConnectReply (REP) | REP from QP 0x000011, starting PSN 2242713 | 24-60",
			"PrivateData | 196 bytes: f6ab0e1801000303, then zeros | 60-256",
		}, map[string]string{
			"cm.rep.remotecommid": "0x8dae0ff3", "cm.rep.startingpsn": "0x223899", "cm.rep.initiatordepth": "128",
			"cm.rep.ackdelay": "134.2ms (15)", "cm.rep.failover": "accepted (0)", "cm.rep.rnrretrycount": "0", "cm.rep.localcaguid": "0x505400fffe000001",
		}},
		{"REJ", realREJ, []string{
			"Management Datagram Header (MAD) | class ComMgt (0x07) | 0-24",
			"ConnectReject (REJ) | REJ of REQ: Invalid Service ID | 24-108",
			"PrivateData | 148 bytes, all zero | 108-256",
		}, map[string]string{
			"cm.rej.localcommid": "0x00000000", "cm.rej.remotecommid": "0xb6fcf46a", "cm.rej.message": "REQ (0)", "cm.rej.infolength": "0",
			"cm.rej.reason": "Invalid Service ID (8)", "cm.rej.info": strings.Repeat("00", 72),
		}},
		{"LAP", handLAP, []string{
			"Management Datagram Header (MAD) | class ComMgt (0x07) | 0-24",
			"LoadAlternatePath (LAP) | LAP to QP 0x000011 | 24-88",
			"PrivateData | 168 bytes: 6c6170, then zeros | 88-256",
		}, map[string]string{
			"cm.lap.remotetimeout": "2.147s (19)", "cm.lap.alternate_locallid": "0x0003", "cm.lap.alternate_remotegid": "fe80::1",
			"cm.lap.alternate_flowlabel": "0x12345", "cm.lap.alternate_tclass": "0x67", "cm.lap.alternate_hoplimit": "64",
			"cm.lap.alternate_packetrate": "10 Gb/s (3)", "cm.lap.alternate_sl": "5", "cm.lap.alternate_subnetlocal": "1",
			"cm.lap.alternate_acktimeout": "1.074s (18)",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			const at = 62 // Ethernet, IPv4, UDP, BTH, DETH
			nodes := CMNodes(mad(t, test.mad), at)
			if got, want := strings.Join(nodeLines(nodes, at), "\n"), strings.Join(test.nodes, "\n"); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			for key, want := range test.fields {
				if got, ok := nodeValue(nodes, key); !ok || got != want {
					t.Errorf("%s is %q, want %q", key, got, want)
				}
			}
		})
	}
}

// nodeLines writes each node as name, value and the bytes from at on.
func nodeLines(nodes []field.Node, at int) (lines []string) {
	for _, n := range nodes {
		lines = append(lines, n.Name+" | "+n.Value+" | "+string(appendRange(nil, n.Start-at, n.End-at)))
	}
	return lines
}

func appendRange(b []byte, from, to int) []byte {
	f := field.Field{Width: 32}
	word := func(v int) []byte { return []byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)} }
	return f.AppendValue(append(f.AppendValue(b, word(from)), '-'), word(to))
}

// nodeValue finds the value of the field with that key.
func nodeValue(nodes []field.Node, key string) (string, bool) {
	for _, n := range nodes {
		for _, c := range n.Children {
			if c.Key == key {
				return c.Value, true
			}
		}
	}
	return "", false
}

// A fault is on the field it lies in, and nowhere else.
func TestCMNodesFault(t *testing.T) {
	for _, test := range []struct {
		name, mad string
		at        int
		value     byte
		key       string
	}{
		{"ClassVersion", realREQ, 2, 1, "mad.classversion"},
		{"Method", realREQ, 3, 1, "mad.method"},
		{"AttributeID", realREQ, 17, 0x30, "mad.attributeid"},
		{"Reject Info Length", realREJ, 33, 0xfe, "cm.rej.infolength"},
		{"IP version", realREQ, 165, 0, "cm.privatedata"},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := mad(t, test.mad)
			b[test.at] = test.value
			var c CM
			c.Decode(b)
			nodes := CMNodes(b, 10)
			if n := countFaults(nodes); n != 1 {
				t.Errorf("%d nodes have a fault", n)
			}
			if got := faultOf(nodes, test.key); got != c.Fault.Reason || got == "" {
				t.Errorf("%s has the fault %q, Decode %q", test.key, got, c.Fault.Reason)
			}
		})
	}
}

func faultOf(nodes []field.Node, key string) string {
	for _, n := range nodes {
		if n.Key == key {
			return n.Fault
		}
		if s := faultOf(n.Children, key); s != "" {
			return s
		}
	}
	return ""
}

func TestCMNodesOfOtherClass(t *testing.T) {
	b := mad(t, "01 04 01 01 0000 0000 0000000000000001 0012")
	nodes := CMNodes(b, 0)
	if len(nodes) != 2 || nodes[0].Value != "class Perf (0x04)" || nodes[1].Name != "Data" || nodes[1].Value != "232 bytes, all zero" {
		t.Errorf("%+v", nodes)
	}
	if v, _ := nodeValue(nodes, "mad.attributeid"); v != "0x0012" {
		t.Errorf("AttributeID of another class is %q", v)
	}
}

func TestAppendCMSummary(t *testing.T) {
	for _, test := range []struct{ mad, want string }{
		{realREQ, "REQ to 192.0.2.1:20049 (NFS/RDMA) from QP 0x000011, starting PSN 14865529"},
		{handREQ, "REQ to [2001:db8::1]:4420 (NVMe-oF) from QP 0xabcdef, starting PSN 1193046"},
		{handREQNoIP, "REQ to service 0x1000000000000001 from QP 0x000100, starting PSN 0"},
		{realREP, "REP from QP 0x000011, starting PSN 2242713"},
		{realRTU, "RTU"},
		{realREJ, "REJ of REQ: Invalid Service ID"},
		{handREJ, "REJ of REP: Consumer Reject"},
		{handMRA, "MRA of REP, answer within 4.295s"},
		{realDREQ, "DREQ to QP 0x000011"},
		{realDREP, "DREP"},
		{handSIDRReq, "SIDR_REQ to 192.0.2.1:4660"},
		{handSIDRRep, "SIDR_REP: QPN is valid, QP 0x000123"},
		{handLAP, "LAP to QP 0x000011"},
		{handAPR, "APR: remote LID rejected"},
		{"01070203 00000000 0000000000000001 0001", "ClassPortInfo"},
		{"01070203 00000000 0000000000000001 0055", "CM attribute 0x0055 [AttributeID is of no CM message at byte 16]"},
		{"01070103 00000000 0000000000000001 0010", "REQ [CM ClassVersion is not 2 at byte 2]"},
		{"02070203 00000000 0000000000000001 0010", "CM MAD [MAD BaseVersion is not 1 at byte 0]"},
		{"01040101", "MAD of class Perf (0x04)"},
	} {
		if got := string(AppendCMSummary([]byte("> "), mad(t, test.mad))); got != "> "+test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	if got := string(AppendCMSummary(nil, nil)); got != "MAD [MAD cut short at byte 0]" {
		t.Errorf("nothing is %q", got)
	}
}
