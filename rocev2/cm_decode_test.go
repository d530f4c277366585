package rocev2

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/field"
)

// Scalars of real and hand-made messages; those of the real ones are what
// tshark 4.0 shows of the same frames.
func TestDecodeCM(t *testing.T) {
	client, server := link.AddrIPv4([]byte{192, 0, 2, 2}), link.AddrIPv4([]byte{192, 0, 2, 1})
	v6 := func(last byte) link.Addr { return link.AddrIPv6([]byte{0x20, 1, 0x0d, 0xb8, 15: last}) }
	const transaction = 0x2f30fae8d
	for _, test := range []struct {
		name, mad string
		want      CM
		private   string // how the private data begins, and how long it is
		size      int
	}{
		{"REQ", realREQ, CM{
			Kind: CMReq, TransactionID: transaction, LocalCommID: 0x8dae0ff3, ServiceID: 0x1064e51, QPN: 0x11, StartingPSN: 0xe2d479,
			ResponderResources: 128, PathMTU: 1024, RetryCount: 6, LocalACKTimeout: 19, PrivateDataOffset: 200,
			IP: IPCM{Valid: true, Protocol: 6, DstPort: 20049, SrcPort: 0x81b0, Src: client, Dst: server},
		}, "\xf6\xab\x0e\x18\x01\x01\x03\x03", 56},
		{"REP", realREP, CM{
			Kind: CMRep, TransactionID: transaction, LocalCommID: 0x481ec7f8, RemoteCommID: 0x8dae0ff3, QPN: 0x11, StartingPSN: 0x223899,
			InitiatorDepth: 128, PrivateDataOffset: 60,
		}, "\xf6\xab\x0e\x18\x01\x00\x03\x03", 196},
		{"RTU", realRTU, CM{
			Kind: CMRtu, TransactionID: transaction, LocalCommID: 0x8dae0ff3, RemoteCommID: 0x481ec7f8, PrivateDataOffset: 32,
		}, "", 224},
		{"DREQ", realDREQ, CM{
			Kind: CMDreq, TransactionID: transaction, LocalCommID: 0x8dae0ff3, RemoteCommID: 0x481ec7f8, QPN: 0x11, PrivateDataOffset: 36,
		}, "", 220},
		{"DREP", realDREP, CM{
			Kind: CMDrep, TransactionID: transaction, LocalCommID: 0x481ec7f8, RemoteCommID: 0x8dae0ff3, PrivateDataOffset: 32,
		}, "", 224},
		{"REJ", realREJ, CM{
			Kind: CMRej, TransactionID: 0x26af4fcb6, RemoteCommID: 0xb6fcf46a, Reason: RejInvalidServiceID, PrivateDataOffset: 108,
		}, "", 148},
		{"IPv6 REQ", handREQ, CM{
			Kind: CMReq, TransactionID: 0x0123456789abcdef, LocalCommID: 1, ServiceID: 0x1061144, QPN: 0xabcdef, StartingPSN: 0x123456,
			ResponderResources: 16, InitiatorDepth: 32, PathMTU: 4096, RNRRetryCount: 7, RetryCount: 5, TransportType: 3, ExtTransport: 1,
			LocalACKTimeout: 19, PrivateDataOffset: 200,
			IP: IPCM{Valid: true, Protocol: 6, DstPort: 4420, SrcPort: 0x1234, Src: v6(2), Dst: v6(1)},
		}, "hello", 56},
		{"REQ of no IP service", handREQNoIP, CM{
			Kind: CMReq, TransactionID: 1, LocalCommID: 2, ServiceID: 0x1000000000000001, QPN: 0x100, ResponderResources: 1, InitiatorDepth: 2,
			PathMTU: 256, LocalACKTimeout: 19, PrivateDataOffset: 164,
		}, "\x00\x40\xde\xad\xbe\xef", 92},
		{"consumer's REJ", handREJ, CM{
			Kind: CMRej, TransactionID: 1, LocalCommID: 1, RemoteCommID: 2, Rejected: 1, Reason: RejConsumer, Info: []byte{1, 2, 3},
			PrivateDataOffset: 108,
		}, "no", 148},
		{"MRA", handMRA, CM{
			Kind: CMMra, TransactionID: 1, LocalCommID: 1, RemoteCommID: 2, Rejected: 1, ServiceTimeout: 20, PrivateDataOffset: 34,
		}, "mra", 222},
		{"SIDR_REQ", handSIDRReq, CM{
			Kind: CMSidrReq, TransactionID: 1, LocalCommID: 5, ServiceID: 0x1111234, PrivateDataOffset: 76,
			IP: IPCM{Valid: true, Protocol: 17, DstPort: 0x1234, SrcPort: 53, Src: client, Dst: server},
		}, "sidr", 180},
		{"SIDR_REP", handSIDRRep, CM{
			Kind: CMSidrRep, TransactionID: 1, LocalCommID: 5, ServiceID: 0x1111234, QPN: 0x123, Info: []byte{10, 11}, PrivateDataOffset: 120,
		}, "sidr", 136},
		{"LAP", handLAP, CM{
			Kind: CMLap, TransactionID: 1, LocalCommID: 1, RemoteCommID: 2, QPN: 0x11, PrivateDataOffset: 88,
		}, "lap", 168},
		{"APR", handAPR, CM{
			Kind: CMApr, TransactionID: 1, LocalCommID: 2, RemoteCommID: 1, Result: 7, Info: []byte{255}, PrivateDataOffset: 108,
		}, "apr", 148},
	} {
		t.Run(test.name, func(t *testing.T) {
			b := mad(t, test.mad)
			c := CM{Fault: field.Fault{Reason: "of the message before"}, QPN: 99}
			if !c.Decode(b) {
				t.Fatal("not of class CM")
			}
			if got := strings.TrimRight(string(c.PrivateData), "\x00"); got != test.private || len(c.PrivateData) != test.size {
				t.Errorf("private data %q of %d bytes, want %q of %d", got, len(c.PrivateData), test.private, test.size)
			}
			if got := b[c.PrivateDataOffset:]; !bytes.Equal(got, c.PrivateData) {
				t.Errorf("the MAD's bytes from %d are not the private data", c.PrivateDataOffset)
			}
			test.want.Method = MethodSend
			test.want.PrivateData = c.PrivateData
			if !reflect.DeepEqual(c, test.want) {
				t.Errorf("got  %+v\nwant %+v", c, test.want)
			}
		})
	}
}

func TestCMFaults(t *testing.T) {
	with := func(digits string, at int, data ...byte) []byte {
		b := mad(t, digits)
		copy(b[at:], data)
		return b
	}
	for _, test := range []struct {
		name  string
		mad   []byte
		cm    bool
		fault string
	}{
		{"no bytes", nil, false, "MAD cut short at byte 0"},
		{"class Perf", with(realREQ, 1, 4), false, ""},
		{"BaseVersion", with(realREQ, 0, 0x80), true, "MAD BaseVersion is not 1 at byte 0"},
		{"ClassVersion", with(realREQ, 2, 1), true, "CM ClassVersion is not 2 at byte 2"},
		{"Method", with(realREQ, 3, 0x81), true, "CM message's Method is not Send at byte 3"},
		{"AttributeID", with(realREQ, 16, 0, 0x1b), true, "AttributeID is of no CM message at byte 16"},
		{"ClassPortInfo", with(realREQ, 16, 0, 1), true, ""},
		{"too long", append(mad(t, realREQ), 0), true, "more bytes than the 256 of a MAD at byte 256"},
		{"IP CM version", with(realREQ, 164, 0x10), true, "IP CM header is not of version 0.0 at byte 164"},
		{"IP version", with(realREQ, 165, 0x50), true, "IP version of the IP CM header is neither 4 nor 6 at byte 165"},
		{"REJ information", with(handREJ, 33, 73<<1), true, "additional information is longer than 72 bytes at byte 33"},
		{"SIDR_REP information", with(handSIDRRep, 29, 73), true, "additional information is longer than 72 bytes at byte 29"},
		{"APR information", with(handAPR, 32, 73), true, "additional information is longer than 72 bytes at byte 32"},
		{"two at once", with(realREQ, 2, 1, 0x81), true, "CM ClassVersion is not 2 at byte 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var c CM
			if got := c.Decode(test.mad); got != test.cm || c.Fault.String() != test.fault {
				t.Errorf("Decode is %v, fault %q; want %v, %q", got, c.Fault, test.cm, test.fault)
			}
		})
	}
}

// With an IP CM header that cannot be read, its bytes count as private data,
// and nothing of it is told.
func TestCMUnreadableIP(t *testing.T) {
	b := mad(t, realREQ)
	b[165] = 0x50
	var c CM
	c.Decode(b)
	if want := (IPCM{Protocol: 6, DstPort: 20049}); c.IP != want || len(c.PrivateData) != 92 || c.PrivateDataOffset != 164 {
		t.Errorf("IP %+v, %d bytes of private data at %d", c.IP, len(c.PrivateData), c.PrivateDataOffset)
	}
}

func TestIsCM(t *testing.T) {
	for _, test := range []struct {
		qp, qkey uint32
		want     bool
	}{{1, 0x80010000, true}, {0, 0x80010000, false}, {1, 0x11111111, false}, {0x11, 0x80010000, false}} {
		if got := IsCM(test.qp, test.qkey); got != test.want {
			t.Errorf("IsCM(%#x, %#x) is %v", test.qp, test.qkey, got)
		}
	}
}

func TestDecodeCMAllocatesNothing(t *testing.T) {
	for _, v := range cmMADs {
		b := mad(t, v.hex)
		var c CM
		if n := testing.AllocsPerRun(100, func() { c.Decode(b); c.Decode(b[:100]) }); n != 0 {
			t.Errorf("%s: %v allocations", v.name, n)
		}
	}
}

func BenchmarkDecodeCM(b *testing.B) {
	data := mad(b, realREQ)
	var c CM
	b.ReportAllocs()
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		c.Decode(data)
	}
}
