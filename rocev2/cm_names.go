package rocev2

import (
	"strconv"
	"time"
)

// Names of the coded values in CM messages (IBA chapter 12), "" for a value
// that is reserved or stands for itself.

// nameOf picks a name by number.
func nameOf(v uint64, names ...string) string {
	if v < uint64(len(names)) {
		return names[v]
	}
	return ""
}

func nameTransport(v uint64) string {
	return nameOf(v, "RC", "UC", "RD", "as Extended Transport Type says")
}

func nameExtTransport(v uint64) string { return nameOf(v, "", "XRC") }

func nameMRAed(v uint64) string { return nameOf(v, "REQ", "REP", "LAP") }

func nameRejected(v uint64) string { return nameOf(v, "REQ", "REP", "another message") }

func nameFailover(v uint64) string { return nameOf(v, "accepted", "not supported", "rejected") }

// nameRNRRetry names the one count that is none (IBA 9.7.5.2.8).
func nameRNRRetry(v uint64) string { return nameOf(v, "", "", "", "", "", "", "", "no limit") }

func namePathMTU(v uint64) string {
	if n := pathMTU(uint8(v)); n != 0 {
		return strconv.Itoa(n) + " bytes"
	}
	return ""
}

// nameTimeout is 4.096 µs × 2^v to four digits (IBA 12.6.5, for example).
func nameTimeout(v uint64) string {
	if v > 31 {
		return "" // the fields have five bits
	}
	d := 4096 * time.Nanosecond << v
	digit := time.Duration(1)
	for d/digit >= 10000 {
		digit *= 10
	}
	return d.Round(digit).String()
}

// namePacketRate is the static rate of a path, in the codes of the PathRecord
// (IBA 15.2.5.16).
func namePacketRate(v uint64) string {
	rate := nameOf(v, "", "", "2.5", "10", "30", "5", "20", "40", "60", "80", "120", "14", "56", "112", "168", "25", "100",
		"200", "300", "28", "50", "400", "600", "800")
	if rate == "" {
		return ""
	}
	return rate + " Gb/s"
}

// nameSIDRStatus is the Status of a SIDR_REP (IBA 12.11.2).
func nameSIDRStatus(v uint64) string {
	return nameOf(v, "QPN is valid", "Service ID not supported", "rejected by the service provider", "no QP available",
		"redirected", "class version not supported")
}

// nameAPStatus is the AP Status of an APR (IBA 12.8.2).
func nameAPStatus(v uint64) string {
	return nameOf(v, "alternate path loaded", "invalid Communication ID", "alternate paths not supported",
		"failover port rejected", "redirected", "path is the current one", "QPN or EECN does not match", "remote LID rejected",
		"remote GID rejected", "Flow Label rejected", "Traffic Class rejected", "Hop Limit rejected", "Packet Rate rejected",
		"SL rejected")
}

// nameServiceID says which port a service ID of the IP CM service means.
func nameServiceID(v uint64) string {
	protocol, port, ok := ServiceIDPort(v)
	if !ok {
		return ""
	}
	space := "protocol " + strconv.Itoa(int(protocol))
	switch protocol {
	case 6:
		space = "TCP"
	case 17:
		space = "UDP"
	}
	name := "port " + strconv.Itoa(int(port)) + " of " + space + " port space"
	if s := ServiceName(port); s != "" {
		name += ", " + s
	}
	return name
}
