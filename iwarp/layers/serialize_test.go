package layers

import (
	"bytes"
	"net"
	"slices"
	"testing"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/iwarp"
)

// serialize serializes the layers of a packet again.
func serialize(t *testing.T, p gopacket.Packet, opts gopacket.SerializeOptions) []byte {
	t.Helper()
	var parts []gopacket.SerializableLayer
	for _, l := range p.Layers() {
		parts = append(parts, l.(gopacket.SerializableLayer))
	}
	buf := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(buf, opts, parts...); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// Layers that were decoded serialize to the bytes they came from: one FPDU with
// its length and CRC made anew, many with those that they have.
func TestSerialize(t *testing.T) {
	for _, e := range examples() {
		for _, crc := range []bool{true, false} {
			stream := build.MPAStream{CRC: crc}
			want := stream.FPDU(e.ulpdu)
			p := gopacket.NewPacket(want, LayerTypeFPDU, gopacket.Default)
			p.Layers()[0].(*FPDU).ULPDULength = 0
			if crc {
				p.Layers()[0].(*FPDU).CRC = 0
			}
			if got := serialize(t, p, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: crc}); !bytes.Equal(got, want) {
				t.Errorf("%s:\n got %x\nwant %x", e.name, got, want)
			}
		}
	}
	want, _ := run(true)
	if got := serialize(t, gopacket.NewPacket(want, LayerTypeFPDU, gopacket.Default), gopacket.SerializeOptions{}); !bytes.Equal(got, want) {
		t.Errorf("all:\n got %x\nwant %x", got, want)
	}
}

// Start-up frames with every flag and depth.
func TestSerializeStart(t *testing.T) {
	for _, start := range []build.MPAStart{
		{Revision: 1},
		{Revision: 1, Reply: true, Reject: true, Private: []byte("no")},
		{Revision: 2, Markers: true, Private: make([]byte, 512)},
		{Revision: 2, CRC: true, Enhanced: true, IRD: 0x2AAA, ORD: 0x1555, PeerToPeer: true, ZeroWrite: true, Private: []byte("private")},
		{Revision: 2, Reply: true, Enhanced: true, IRD: 1, ORD: 0x3FFF, ZeroSend: true, ZeroRead: true, Reserved: 8},
	} {
		want := start.Bytes()
		p := gopacket.NewPacket(want, LayerTypeMPAStart, gopacket.Default)
		l := p.Layers()[0].(*MPAStart)
		if l.Reply != start.Reply || l.Markers != start.Markers || l.CRC != start.CRC || l.Reject != start.Reject || l.IRD != start.IRD ||
			l.ORD != start.ORD || l.Fault.Bad() || !bytes.Equal(l.Payload, start.Private) {
			t.Errorf("%+v, want %+v", l, start)
		}
		l.PDLength = 0
		if got := serialize(t, p, gopacket.SerializeOptions{FixLengths: true}); !bytes.Equal(got, want) {
			t.Errorf("%+v:\n got %x\nwant %x", start, got, want)
		}
	}
}

// TestSerializeSample does the same with every whole segment of real captures,
// from TCP's payload on.
func TestSerializeSample(t *testing.T) {
	count := 0
	for _, sample := range samples {
		for _, s := range segments(t, sample.name, sample.ports) {
			want := s.in.bytes[s.at:s.end]
			p := gopacket.NewPacket(want, LayerTypeMPA, gopacket.Default)
			if p.Metadata().Truncated || p.Layers()[0].LayerType() == gopacket.LayerTypePayload {
				continue
			}
			count++
			if got := serialize(t, p, gopacket.SerializeOptions{}); !bytes.Equal(got, want) {
				t.Fatalf("%s frame %d:\n got %x\nwant %x", sample.name, s.frame, got, want)
			}
		}
	}
	if count < 2000 {
		t.Errorf("only %d whole segments in the samples", count)
	}
}

// A frame is put together from the IP header on, and is what the builder has.
func TestBuildFrame(t *testing.T) {
	stream := build.MPAStream{CRC: true}
	want := stream.FPDU(examples()[2].ulpdu)
	ip := &layers.IPv4{Version: 4, TTL: 64, Protocol: layers.IPProtocolTCP, SrcIP: net.IP{192, 0, 2, 1}, DstIP: net.IP{192, 0, 2, 2}}
	tcp := &layers.TCP{SrcPort: iwarp.Port, DstPort: 50000, Seq: 1, Ack: 1, ACK: true, Window: 500}
	if err := tcp.SetNetworkLayerForChecksum(ip); err != nil {
		t.Fatal(err)
	}
	ddp := &DDP{Last: true, DV: 1, RV: 1, OpCode: iwarp.OpReadRequest, QN: iwarp.QNReadRequest, MSN: 3}
	read := &ReadRequest{ReadRequest: iwarp.ReadRequest{SinkSTag: 1, SinkTO: 2 << 40, Size: 3, SourceSTag: 4, SourceTO: 5 << 40}}
	buf := gopacket.NewSerializeBuffer()
	opts := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
	if err := gopacket.SerializeLayers(buf, opts, ip, tcp, new(FPDU), ddp, read); err != nil {
		t.Fatal(err)
	}
	if got := buf.Bytes()[40:]; !bytes.Equal(got, want) {
		t.Errorf("\n got %x\nwant %x", got, want)
	}
	types := []gopacket.LayerType{layers.LayerTypeIPv4, layers.LayerTypeTCP, LayerTypeFPDU, LayerTypeDDP, LayerTypeReadRequest}
	RegisterTCPPort()
	p := gopacket.NewPacket(buf.Bytes(), layers.LayerTypeIPv4, gopacket.DecodeOptions{DecodeStreamsAsDatagrams: true})
	if got := typesOf(p); !slices.Equal(got, types) {
		t.Errorf("layers %v, want %v", got, types)
	}
}

// What cannot be an FPDU is not written.
func TestSerializeErrors(t *testing.T) {
	for _, test := range []struct {
		length, there int
		fix           bool
	}{{0, 0x10000, true}, {0x10000, 0x10000, false}, {5, 4, false}, {-1, 4, false}} {
		buf := gopacket.NewSerializeBuffer()
		err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: test.fix},
			&FPDU{ULPDULength: test.length}, gopacket.Payload(make([]byte, test.there)))
		if err == nil {
			t.Errorf("%+v: no error", test)
		}
	}
}
