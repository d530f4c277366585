package rocev2

import (
	"net/netip"
	"strconv"

	"github.com/rdmacap/rdmacap/field"
)

// AppendCMSummary appends one line about the MAD that is the payload of a UD
// SEND to the general services interface, as in "REQ to 192.0.2.1:20049
// (NFS/RDMA) from QP 0x000011, starting PSN 14865529", with the fault if there
// is one.
func AppendCMSummary(dst, mad []byte) []byte {
	var c CM
	switch {
	case c.Decode(mad):
		dst = c.appendSummary(dst)
	case len(mad) > 1:
		dst = append(dst, "MAD of class "...)
		dst = madTable.Lookup("mgmtclass").AppendValue(dst, mad)
	default:
		dst = append(dst, "MAD"...)
	}
	if c.Fault.Bad() {
		dst = append(dst, " ["...)
		dst = append(dst, c.Fault.String()...)
		dst = append(dst, ']')
	}
	return dst
}

// appendSummary is AppendCMSummary of a decoded message, without its fault.
func (c *CM) appendSummary(dst []byte) []byte {
	if c.Kind == 0 {
		return append(dst, "CM MAD"...)
	}
	dst = append(dst, c.Kind.String()...)
	if c.PrivateDataOffset == 0 {
		return dst // its body was not read
	}
	switch c.Kind {
	case CMReq:
		dst = c.appendService(dst)
		dst = c.appendStart(dst)
	case CMRep:
		dst = c.appendStart(dst)
	case CMRej:
		dst = c.appendCode(dst, "message", " of ", nameRejected(uint64(c.Rejected)))
		dst = c.appendCode(dst, "reason", ": ", c.Reason.String())
	case CMMra:
		dst = c.appendCode(dst, "message", " of ", nameMRAed(uint64(c.Rejected)))
		dst = c.appendCode(dst, "servicetimeout", ", answer within ", nameTimeout(uint64(c.ServiceTimeout)))
	case CMDreq, CMLap:
		dst = c.appendQP(dst, "remoteqpn", " to QP ")
	case CMSidrReq:
		dst = c.appendService(dst)
	case CMSidrRep:
		dst = c.appendCode(dst, "status", ": ", nameSIDRStatus(uint64(c.Result)))
		if c.Result == 0 {
			dst = c.appendQP(dst, "qpn", ", QP ")
		}
	case CMApr:
		dst = c.appendCode(dst, "status", ": ", nameAPStatus(uint64(c.Result)))
	}
	return dst
}

// has reports whether the field of that key is right: it lies before any fault, such as
// the place where the MAD is cut.
func (c *CM) has(key string) bool {
	return !c.Fault.Bad() || c.Fault.Offset >= c.Kind.behind(key)
}

// appendCode appends the name of a coded value that a field has.
func (c *CM) appendCode(dst []byte, key, before, name string) []byte {
	if !c.has(key) {
		return dst
	}
	return append(append(dst, before...), orReserved(name)...)
}

// appendStart appends what the sender's packets will have: queue pair and first PSN.
func (c *CM) appendStart(dst []byte) []byte {
	dst = c.appendQP(dst, "localqpn", " from QP ")
	if !c.has("startingpsn") {
		return dst
	}
	dst = append(dst, ", starting PSN "...)
	return strconv.AppendUint(dst, uint64(c.StartingPSN), 10) // as rows and tshark have a packet's
}

// orReserved is the name of a coded value, or says that it has none.
func orReserved(name string) string {
	if name == "" {
		return "a reserved code"
	}
	return name
}

// appendService appends whom a REQ or SIDR_REQ is for.
func (c *CM) appendService(dst []byte) []byte {
	if !c.IP.Valid {
		if !c.has("serviceid") {
			return dst
		}
		return field.AppendHex(append(dst, " to service "...), c.ServiceID, 16)
	}
	dst = append(dst, " to "...)
	dst = netip.AddrPortFrom(c.IP.Dst.IP(), c.IP.DstPort).AppendTo(dst)
	if name := ServiceName(c.IP.DstPort); name != "" {
		dst = append(dst, " ("...)
		dst = append(dst, name...)
		dst = append(dst, ')')
	}
	return dst
}

// appendQP appends the queue pair's number that a field has.
func (c *CM) appendQP(dst []byte, key, before string) []byte {
	if !c.has(key) {
		return dst
	}
	return field.AppendHex(append(dst, before...), uint64(c.QPN), 6)
}
