package rocev2

import (
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/field"
)

// The general services interface, to which CM MADs are sent (IBA 13.5.1).
const (
	gsiQP   = 1
	gsiQKey = 0x80010000
)

// IsCM reports whether a UD SEND to that queue pair with that Q_Key goes to the
// general services interface, as all CM MADs do. Other classes go there too:
// CM.Decode decides.
func IsCM(destQP, qkey uint32) bool { return destQP == gsiQP && qkey == gsiQKey }

// infoSize is the room for additional information in REJ, APR and SIDR_REP.
const infoSize = 72

// ipcmSize is the number of bytes of the IP CM header (IBA Annex A11).
const ipcmSize = 36

// Where the private data begins in each message, from its first byte after
// the MAD header (IBA chapter 12). It runs to the end of the MAD.
const (
	reqPrivate     = 140 // 92 bytes, of which 36 may be the IP CM header
	mraPrivate     = 10  // 222
	rejPrivate     = 84  // 148
	repPrivate     = 36  // 196
	rtuPrivate     = 8   // 224
	dreqPrivate    = 12  // 220
	drepPrivate    = 8   // 224
	sidrReqPrivate = 16  // 216, of which 36 may be the IP CM header
	sidrRepPrivate = 96  // 136
	lapPrivate     = 64  // 168
	aprPrivate     = 84  // 148
)

// Decode reads the MAD that is the payload of a UD SEND, 256 bytes, and
// reports whether it is of class CM; otherwise the CM is zero, but for a Fault
// if the MAD ends before its class. Mad stays the caller's; slices of the CM
// are of it.
//
// With a fault, all fields that lie in the bytes before it are right, and
// what is not there whole is zero (of PrivateData and Info, what is there). A
// MAD of another BaseVersion or ClassVersion is not read any further.
func (c *CM) Decode(mad []byte) bool {
	*c = CM{}
	if len(mad) < 2 {
		c.blame(len(mad), "MAD cut short")
		return false
	}
	if mad[1] != MgmtClassCM {
		return false
	}
	if len(mad) < MADSize {
		c.blame(len(mad), "MAD cut short")
	}
	if len(mad) > MADSize {
		c.blame(MADSize, "more bytes than the 256 of a MAD")
	}
	m := madBytes(mad[:min(len(mad), MADSize)])
	if m[0] != MADBaseVersion {
		c.blame(0, "MAD BaseVersion is not 1")
		return true
	}
	c.Method = m.uint8(3)
	c.Status = m.uint16(4)
	c.TransactionID = m.uint64(8)
	c.Kind = CMKind(m.uint16(16))
	if len(m) > 2 && m[2] != CMClassVersion {
		c.blame(2, "CM ClassVersion is not 2")
		return true
	}
	if c.Kind.IsMessage() {
		if c.Method != MethodSend {
			c.blame(3, "CM message's Method is not Send")
		}
		c.decodeBody(m[min(MADHeaderSize, len(m)):])
	} else if len(m) >= 18 && c.Kind != CMClassPortInfo {
		c.blame(16, "AttributeID is of no CM message")
	}
	return true
}

// blame notes a fault, unless there is one before it.
func (c *CM) blame(at int, reason string) {
	if !c.Fault.Bad() || at < c.Fault.Offset {
		c.Fault = field.Fault{Offset: at, Reason: reason}
	}
}

// decodeBody reads what follows the MAD header.
func (c *CM) decodeBody(b madBytes) {
	c.LocalCommID = b.uint32(0)
	if c.Kind != CMReq && c.Kind != CMSidrReq && c.Kind != CMSidrRep {
		c.RemoteCommID = b.uint32(4)
	}
	switch c.Kind {
	case CMReq:
		c.decodeREQ(b)
		c.private(b, reqPrivate+c.decodeIP(b, reqPrivate))
	case CMMra:
		c.Rejected = b.uint8(8) >> 6
		c.ServiceTimeout = b.uint8(9) >> 3
		c.private(b, mraPrivate)
	case CMRej:
		c.Rejected = b.uint8(8) >> 6
		c.Reason = RejectReason(b.uint16(10))
		c.info(b, 9, int(b.uint8(9)>>1), 12)
		c.private(b, rejPrivate)
	case CMRep:
		c.decodeREP(b)
		c.private(b, repPrivate)
	case CMRtu:
		c.private(b, rtuPrivate)
	case CMDreq:
		c.QPN = b.uint24(8)
		c.private(b, dreqPrivate)
	case CMDrep:
		c.private(b, drepPrivate)
	case CMSidrReq:
		c.ServiceID = b.uint64(8)
		c.private(b, sidrReqPrivate+c.decodeIP(b, sidrReqPrivate))
	case CMSidrRep:
		c.Result = b.uint8(4)
		c.QPN = b.uint24(8)
		c.ServiceID = b.uint64(12)
		c.info(b, 5, int(b.uint8(5)), 24)
		c.private(b, sidrRepPrivate)
	case CMLap:
		c.QPN = b.uint24(12)
		c.private(b, lapPrivate)
	case CMApr:
		c.Result = b.uint8(9)
		c.info(b, 8, int(b.uint8(8)), 12)
		c.private(b, aprPrivate)
	}
}

// decodeREQ reads a ConnectRequest (IBA 12.6.5) without its private data.
func (c *CM) decodeREQ(b madBytes) {
	c.ServiceID = b.uint64(8)
	c.QPN = b.uint24(32)
	c.ResponderResources = b.uint8(35)
	c.InitiatorDepth = b.uint8(39)
	c.TransportType = b.uint8(43) >> 1 & 3
	c.StartingPSN = b.uint24(44)
	c.RetryCount = b.uint8(47) & 7
	c.PathMTU = pathMTU(b.uint8(50) >> 4)
	c.RNRRetryCount = b.uint8(50) & 7
	c.ExtTransport = b.uint8(51) & 7
	c.LocalACKTimeout = b.uint8(95) >> 3
}

// decodeREP reads a ConnectReply (IBA 12.6.8) without its private data.
func (c *CM) decodeREP(b madBytes) {
	c.QPN = b.uint24(12)
	c.StartingPSN = b.uint24(20)
	c.ResponderResources = b.uint8(24)
	c.InitiatorDepth = b.uint8(25)
	c.RNRRetryCount = b.uint8(27) >> 5
}

// pathMTU is the bytes of a Path Packet Payload MTU code: 1 is 256, 5 is
// 4096, all others are none.
func pathMTU(code uint8) int {
	if code < 1 || code > 5 {
		return 0
	}
	return 128 << code
}

// info takes the additional information that lies at byte at of the message;
// its length was read from byte from.
func (c *CM) info(b madBytes, from, length, at int) {
	if length > infoSize {
		c.blame(MADHeaderSize+from, "additional information is longer than 72 bytes")
		length = infoSize
	}
	c.Info = b.span(at, length)
}

// private takes the private data, which begins at byte at of the message.
func (c *CM) private(b madBytes, at int) {
	c.PrivateDataOffset = MADHeaderSize + at
	c.PrivateData = b.span(at, len(b))
}

// decodeIP reads the IP CM header at byte at of a message whose service ID is
// of the IP CM service, and returns its size: 0 if there is none, or none that
// can be read, so that all bytes count as the consumer's.
func (c *CM) decodeIP(b madBytes, at int) int {
	protocol, port, ok := ServiceIDPort(c.ServiceID)
	if !ok {
		return 0
	}
	c.IP.Protocol, c.IP.DstPort = protocol, port
	h := b.span(at, ipcmSize)
	if len(h) > 0 && h[0] != 0 {
		c.blame(MADHeaderSize+at, "IP CM header is not of version 0.0")
		return 0
	}
	if len(h) > 1 && h[1]>>4 != 4 && h[1]>>4 != 6 {
		c.blame(MADHeaderSize+at+1, "IP version of the IP CM header is neither 4 nor 6")
		return 0
	}
	if len(h) < ipcmSize {
		return ipcmSize // it is there, but was not captured whole
	}
	c.IP.SrcPort = uint16(h[2])<<8 | uint16(h[3])
	if h[1]>>4 == 4 {
		// An IPv4 address stands in the last four of its sixteen bytes.
		c.IP.Src, c.IP.Dst = link.AddrIPv4(h[16:20]), link.AddrIPv4(h[32:36])
	} else {
		c.IP.Src, c.IP.Dst = link.AddrIPv6(h[4:20]), link.AddrIPv6(h[20:36])
	}
	c.IP.Valid = true
	return ipcmSize
}
