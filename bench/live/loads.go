//go:build linux

package main

import (
	"fmt"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
	"github.com/rdmacap/rdmacap/iwarp"
)

// clients is how many NFS clients there are, of a connection each.
const clients = 64

// framesOf are frames of a length: conversations of NFS clients with a server, setup, calls
// and replies, and disconnect. READ moves 64 KiB by RDMA Writes whose packets are the longest
// that fit; where only small ones do, calls are NULL. Shorter frames have a trailer of zeros.
func framesOf(length int) *load {
	mtu := 0
	for _, n := range []int{256, 512, 1024, 2048, 4096} {
		if n+rocev2Around <= length {
			mtu = n
		}
	}
	var frames [][]byte
	take := func(turn build.Frames) {
		for i := range turn {
			f := make([]byte, max(length, len(turn[i].Data)))
			copy(f, turn[i].Data)
			frames = append(frames, f)
		}
	}
	data, handle := make([]byte, 64<<10), []byte("a file handle")
	// Two generations: when the frames of one are sent again, its connections have been over
	// for long.
	for _, m := range build.NewMany(2*clients, clients, build.Setup{PMTU: max(mtu, 256)}).Split(clients) {
		before := len(frames)
		take(m.Turn(func(_ int, c *build.Conversation) { c.Connect() }))
		for round := uint32(1); len(frames)-before < 15_000; round++ {
			take(m.Turn(func(i int, c *build.Conversation) {
				xid := uint32(i)<<16 + round
				if mtu == 0 {
					c.Reply(c.Call(build.NFS3Null(xid)), build.NFS3NullReply(xid))
					return
				}
				e := c.Call(build.NFS3Read(xid, handle, uint64(round)<<16, uint32(len(data))), build.WriteChunk{{Handle: xid, Length: uint32(len(data)), Offset: 0x1000}})
				c.Reply(e, build.NFS3ReadReply(xid, data))
			}))
		}
		take(m.Turn(func(_ int, c *build.Conversation) { c.Disconnect() }))
	}
	return newLoad(fmt.Sprintf("%d bytes", length), frames)
}

// rocev2Around is what an RDMA Write packet has around its payload: Ethernet, IPv4, UDP, BTH, ICRC.
const rocev2Around = 14 + 20 + 8 + 12 + 4

// sampleOf are the frames of a sample that carry RDMA, as they are.
func sampleOf(path, name string) (*load, error) {
	file, err := capture.Open(path, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var (
		frames [][]byte
		f      capture.Frame
		p      link.Packet
	)
	for file.Next(&f) == nil {
		p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
		if p.Transport == link.NotRDMA || p.Transport == link.TCP && !iwarp.IsPort(p.SrcPort, 0) && !iwarp.IsPort(p.DstPort, 0) {
			continue
		}
		frames = append(frames, append([]byte(nil), f.Data...))
	}
	if len(frames) == 0 {
		return nil, fmt.Errorf("%s: no frames", path)
	}
	l := newLoad("", frames)
	l.name = fmt.Sprintf("%s, %d on average", name, l.mean())
	return l, nil
}
