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
		dst = append(dst, " to "...)
		dst = c.appendService(dst)
		dst = appendQP(dst, " from QP ", c.QPN)
		dst = append(dst, ", starting PSN "...)
		dst = strconv.AppendUint(dst, uint64(c.StartingPSN), 10) // as rows and tshark have a packet's
	case CMRep:
		dst = appendQP(dst, " from QP ", c.QPN)
		dst = append(dst, ", starting PSN "...)
		dst = strconv.AppendUint(dst, uint64(c.StartingPSN), 10) // as rows and tshark have a packet's
	case CMRej:
		dst = append(dst, " of "...)
		dst = append(dst, orReserved(nameRejected(uint64(c.Rejected)))...)
		dst = append(dst, ": "...)
		dst = append(dst, c.Reason.String()...)
	case CMMra:
		dst = append(dst, " of "...)
		dst = append(dst, orReserved(nameMRAed(uint64(c.Rejected)))...)
		dst = append(dst, ", answer within "...)
		dst = append(dst, nameTimeout(uint64(c.ServiceTimeout))...)
	case CMDreq, CMLap:
		dst = appendQP(dst, " to QP ", c.QPN)
	case CMSidrReq:
		dst = append(dst, " to "...)
		dst = c.appendService(dst)
	case CMSidrRep:
		dst = append(dst, ": "...)
		dst = append(dst, orReserved(nameSIDRStatus(uint64(c.Result)))...)
		if c.Result == 0 {
			dst = appendQP(dst, ", QP ", c.QPN)
		}
	case CMApr:
		dst = append(dst, ": "...)
		dst = append(dst, orReserved(nameAPStatus(uint64(c.Result)))...)
	}
	return dst
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
		return field.AppendHex(append(dst, "service "...), c.ServiceID, 16)
	}
	dst = netip.AddrPortFrom(c.IP.Dst.IP(), c.IP.DstPort).AppendTo(dst)
	if name := ServiceName(c.IP.DstPort); name != "" {
		dst = append(dst, " ("...)
		dst = append(dst, name...)
		dst = append(dst, ')')
	}
	return dst
}

// appendQP appends a label and 24 bits, a queue pair's number or a PSN.
func appendQP(dst []byte, label string, v uint32) []byte {
	return field.AppendHex(append(dst, label...), uint64(v), 6)
}
