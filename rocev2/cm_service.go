package rocev2

// ServiceIDPort takes a service ID of the RDMA IP CM service apart: 00 00 00 00
// 01, the IP protocol whose port space it is of (6 TCP, 17 UDP), and the
// destination port (IBA Annex A11). For other service IDs ok is false.
func ServiceIDPort(id uint64) (protocol uint8, port uint16, ok bool) {
	if id>>24 != 1 {
		return 0, 0, false
	}
	return uint8(id >> 16), uint16(id), true
}

// ServiceName names what listens at a port of the RDMA IP CM service, "" where
// that is not known. The port alone proves nothing: it is what a user chose,
// or a program's default.
func ServiceName(port uint16) string {
	switch port {
	case 20049: // "nfsrdma" at IANA; RFC 8267, section 9
		return "NFS/RDMA"
	case 4420: // "nvme" at IANA; NVMe RDMA Transport Specification
		return "NVMe-oF"
	case 3260: // "iscsi-target" at IANA; RFC 7145 runs iSER at iSCSI's port
		return "iSER"
	case 445, 5445: // MS-SMBD, section 1.9: 445, and 5445 ("smbdirect" at IANA) over iWARP
		return "SMB Direct"
	case 7174: // the default of rping and its kin in rdma-core
		return "rping"
	case 18515: // the default of the perftest programs, "ib_write_bw" and others
		return "perftest"
	}
	return ""
}
