package build

import (
	"bytes"
	"testing"
)

// TestReseal damages the checksums of frames and lets Reseal make them right.
func TestReseal(t *testing.T) {
	roce, v6 := NewConversation(Setup{}), NewConversation(Setup{Client: Host{Addr: ClientIPv6}, Server: Host{Addr: ServerIPv6}})
	v1, tagged := NewConversation(Setup{RoCEv1: true}), NewConversation(Setup{VLANs: []VLAN{{ID: 7}}})
	iwarp := NewIWARP(IWARPSetup{})
	iwarp6 := NewIWARP(IWARPSetup{Client: Host{Addr: ClientIPv6}, Server: Host{Addr: ServerIPv6}})
	var all Frames
	for _, c := range []*Conversation{roce, v6, v1, tagged} {
		c.Connect()
		c.Call(NFS3Null(1))
		all = append(all, c.Frames...)
	}
	for _, c := range []*IWARP{iwarp, iwarp6} {
		c.Connect()
		c.Call(NFS3Null(1))
		all = append(all, c.Frames...)
	}
	for i, f := range all {
		frame := bytes.Clone(f.Data)
		at := 14
		for frame[at-2] == 0x81 {
			at += 4
		}
		_, tcp := f.layer().(TCP)
		if !tcp {
			frame[len(frame)-1] ^= 0xff
		}
		if frame[at]>>4 == 4 {
			frame[at+10] ^= 0xff
			if tcp {
				frame[at+20+16] ^= 0xff
			}
		} else if tcp {
			frame[at+40+17] ^= 0xff
		}
		if bytes.Equal(frame, f.Data) {
			t.Fatalf("frame %d was not damaged", i)
		}
		if Reseal(frame); !bytes.Equal(frame, f.Data) {
			t.Errorf("frame %d: % x\nnot % x", i, frame, f.Data)
		}
		for n := range frame {
			Reseal(frame[:n])
			changed := bytes.Clone(f.Data)
			changed[n] ^= 0xff
			Reseal(changed) // no panic, whatever is there
		}
	}
}
