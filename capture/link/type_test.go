package link

import "testing"

func TestType(t *testing.T) {
	names := map[Type]string{
		0: "LINKTYPE_NULL", 1: "LINKTYPE_ETHERNET", 101: "LINKTYPE_RAW", 108: "LINKTYPE_LOOP",
		113: "LINKTYPE_LINUX_SLL", 197: "LINKTYPE_ERF", 228: "LINKTYPE_IPV4", 229: "LINKTYPE_IPV6",
		247: "LINKTYPE_INFINIBAND", 276: "LINKTYPE_LINUX_SLL2",
	}
	for v := range Type(300) {
		name, known := names[v]
		if v.Known() != known {
			t.Errorf("Known of %d is %v", v, v.Known())
		}
		if known && v.String() != name {
			t.Errorf("String of %d is %q, want %q", v, v, name)
		}
		var p Packet
		p.Decode(v, make([]byte, 64), 64, Options{})
		if read := p.Protocol() != "link type not known"; read != known {
			t.Errorf("Decode of %d: %q, Known %v", v, p.Protocol(), known)
		}
	}
	if got := Type(147).String(); got != "LINKTYPE 147" {
		t.Errorf("String of 147 is %q", got)
	}
}

func TestTransportString(t *testing.T) {
	for transport, want := range map[Transport]string{
		NotRDMA: "", RoCEv2: "RoCEv2", RoCEv1: "RoCEv1", InfiniBand: "InfiniBand", TCP: "TCP",
	} {
		if got := transport.String(); got != want {
			t.Errorf("String of %d is %q, want %q", transport, got, want)
		}
	}
}
