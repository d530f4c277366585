package hostile

import (
	"net/netip"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// Inputs are all of them. Their sizes are such that a program that keeps everything it is
// sent needs too much memory for four times as many.
func Inputs() []Input {
	return []Input{
		{"unknown-qps", "queue pairs between two hosts, one call to each", 16_000, unknownQPs(1)},
		{"unknown-qps-hosts", "of the same, with 64 hosts", 16_000, unknownQPs(64)},
		{"hosts", "pairs of hosts, one call in each", 16_000, unknownQPs(1 << 16)},
		{"queues", "packets of 1 KiB to 64 unknown queue pairs", 16_000, queues},
		{"requests", "REQs of connections that nobody accepts", 16_000, requests},
		{"replies", "REPs without a REQ", 16_000, replies},
		{"mpa-requests", "MPA Requests that nobody answers", 8_000, mpaRequests},
		{"mpa-late", "TCP connections in the middle of their FPDUs", 8_000, mpaLate},
		{"syns", "TCP connections with only the SYN captured", 32_000, syns},
		{"calls", "calls on one connection that nobody answers", 16_000, calls},
		{"chunky", "of the same, each with 1,000 Read segments", 200, chunky},
		{"gaps", "Sends after missing packets", 32_000, gaps},
		{"held", "Sends of 1 KiB after a missing packet, on 64 connections", 16_000, held},
		{"unended", "packets of Sends that do not end, on 64 connections", 16_000, unended(64)},
		{"spread", "RDMA Reads of single bytes of one chunk", 16_000, spread},
		{"endless", "packets of one Send that does not end", 32_000, unended(1)},
		{"orphans", "replies without a call", 32_000, orphans},
		{"writes", "RDMA Writes to memory that nobody advertised", 32_000, writes},
		{"reads", "RDMA Reads that nobody answers", 32_000, reads},
		{"programs", "calls and replies of as many programs", 16_000, programs},
		{"handles", "calls and replies of as many files", 16_000, handles},
		{"again", "retransmissions of one call", 64_000, again},
	}
}

// host is one of 65,536 hosts.
func host(i int) netip.Addr { return netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}) }

var handle = [...]byte{1, 2, 3, 4, 5, 6, 7, 8}

// roce begins a conversation of a client, with numbers of its own.
func roce(client, i int) *build.Conversation {
	c := build.NewConversation(build.Setup{Step: time.Microsecond, Client: build.Host{
		Addr: host(client), QPN: uint32(0x1000 + 2*i), PSN: uint32(1 + i*0x9e37%0xfffffe), CommID: uint32(0x10000 + 2*i),
	}, Server: build.Host{QPN: uint32(0x1001 + 2*i), PSN: uint32(1 + i*0x3779%0xfffffe), CommID: uint32(0x10001 + 2*i)}})
	return c
}

func iwarp(i int) *build.IWARP {
	return build.NewIWARP(build.IWARPSetup{Step: time.Microsecond, Client: build.Host{Addr: host(i / 1000), Port: uint16(10_000 + i%1000)}})
}

func unknownQPs(hosts int) func(w *writer, n int) {
	return func(w *writer, n int) {
		for i := range n {
			c := roce(i%hosts, i)
			c.Call(build.NFS3GetAttr(uint32(i), handle[:]))
			w.writeFrames(&c.Frames)
		}
	}
}

// many makes frames on connections, one after the other.
func many(w *writer, n, conns int, connect bool, each func(c *build.Conversation, i int)) {
	var all []*build.Conversation
	for i := range conns {
		c := roce(i, i)
		if connect {
			c.Connect()
			w.writeFrames(&c.Frames)
		}
		all = append(all, c)
	}
	for i := range n {
		c := all[i%conns]
		each(c, i/conns)
		w.writeFrames(&c.Frames)
	}
}

// packet is one packet of a Send.
func packet(c *build.Conversation, op uint8) {
	psn := c.NextPSN(build.ToServer)
	c.TakePSN(build.ToServer, 1)
	c.Packet(build.ToServer, build.BTH{OpCode: op, PSN: psn}, make(build.Payload, 1024))
}

func queues(w *writer, n int) {
	many(w, n, 64, false, func(c *build.Conversation, _ int) { packet(c, build.RCSendOnly) })
}

func held(w *writer, n int) {
	many(w, n, 64, true, func(c *build.Conversation, i int) {
		if i == 0 {
			c.TakePSN(build.ToServer, 1)
		}
		packet(c, build.RCSendOnly)
	})
}

func unended(conns int) func(w *writer, n int) {
	return func(w *writer, n int) {
		many(w, n, conns, true, func(c *build.Conversation, i int) {
			op := uint8(build.RCSendMiddle)
			if i == 0 {
				op = build.RCSendFirst
			}
			packet(c, op)
		})
	}
}

func spread(w *writer, n int) {
	on(w, n, func(c *build.Conversation, i int) {
		if i == 0 {
			c.Call(build.NFS3Write(1, handle[:], 0, make([]byte, 1<<20)), build.ReadChunk{{Handle: 1, Length: 1 << 20}})
			return
		}
		r := c.ReadRequest(build.ToClient, 1, uint64(i)*2, 1)
		c.ReadResponse(r, handle[:1])
	})
}

func requests(w *writer, n int) {
	for i := range n {
		c := roce(i%64, i)
		c.Request()
		w.writeFrames(&c.Frames)
	}
}

func replies(w *writer, n int) {
	for i := range n {
		c := roce(i%64, i)
		c.Connect()
		c.Frames = c.Frames[1:2]
		w.writeFrames(&c.Frames)
	}
}

func mpaRequests(w *writer, n int) {
	for i := range n {
		c := iwarp(i)
		c.Handshake()
		c.Request()
		w.writeFrames(&c.Frames)
	}
}

func mpaLate(w *writer, n int) {
	for i := range n {
		c := iwarp(i)
		c.Connect()
		c.Frames = c.Frames[:0]
		for range 3 {
			c.Call(build.NFS3GetAttr(uint32(i), handle[:]))
		}
		w.writeFrames(&c.Frames)
	}
}

func syns(w *writer, n int) {
	for i := range n {
		c := iwarp(i)
		c.Handshake()
		c.Frames = c.Frames[:1]
		w.writeFrames(&c.Frames)
	}
}

// on makes frames on one connection that is set up.
func on(w *writer, n int, each func(c *build.Conversation, i int)) {
	c := roce(1, 1)
	c.Connect()
	w.writeFrames(&c.Frames)
	for i := range n {
		each(c, i)
		w.writeFrames(&c.Frames)
	}
}

func calls(w *writer, n int) {
	on(w, n, func(c *build.Conversation, i int) { c.Call(build.NFS3GetAttr(uint32(i), handle[:])) })
}

func chunky(w *writer, n int) {
	on(w, n, func(c *build.Conversation, i int) {
		h := build.Header{XID: uint32(i), Credits: 128, Proc: build.MSG}
		for s := range 1000 {
			h.Reads = append(h.Reads, build.ReadSegment{Position: 128, Segment: build.Segment{Handle: uint32(i<<10 | s), Length: 4096, Offset: uint64(s) << 12}})
		}
		c.Send(build.ToServer, h.With(build.NFS3GetAttr(uint32(i), handle[:]).Bytes))
	})
}

func gaps(w *writer, n int) {
	on(w, n, func(c *build.Conversation, i int) {
		c.TakePSN(build.ToServer, 1)
		c.Call(build.NFS3GetAttr(uint32(i), handle[:]))
	})
}

func orphans(w *writer, n int) {
	on(w, n, func(c *build.Conversation, i int) {
		h := build.Header{XID: uint32(i), Credits: 128, Proc: build.MSG}
		c.Send(build.ToClient, h.With(build.NFS3GetAttrReply(uint32(i), 3000).Bytes))
	})
}

func writes(w *writer, n int) {
	on(w, n, func(c *build.Conversation, i int) {
		c.Write(build.ToClient, uint32(i)*0x101, uint64(i)<<16, handle[:])
	})
}

func reads(w *writer, n int) {
	on(w, n, func(c *build.Conversation, i int) {
		c.ReadRequest(build.ToClient, uint32(i)*0x101, uint64(i)<<16, 4096)
	})
}

func programs(w *writer, n int) {
	on(w, n, func(c *build.Conversation, i int) {
		xid := uint32(i)
		e := c.Call(build.Message{Bytes: build.RPCCall{XID: xid, Program: 0x20000000 + xid, Version: xid, Procedure: xid}.Bytes()})
		c.Reply(e, build.Message{Bytes: build.RPCReply{XID: xid}.Bytes()})
	})
}

func handles(w *writer, n int) {
	on(w, n, func(c *build.Conversation, i int) {
		xid := uint32(i)
		e := c.Call(build.NFS3Read(xid, []byte{byte(i >> 24), byte(i >> 16), byte(i >> 8), byte(i), 5, 6, 7, 8}, uint64(i)<<12, 500),
			build.WriteChunk{{Handle: xid * 0x101, Length: 500, Offset: uint64(i) << 12}})
		c.Reply(e, build.NFS3ReadFailed(xid, 70))
	})
}

func again(w *writer, n int) {
	c := roce(1, 1)
	c.Connect()
	c.Call(build.NFS3GetAttr(7, handle[:]))
	last := c.Frames[len(c.Frames)-1]
	w.writeFrames(&c.Frames)
	for range n {
		frames := build.Frames{last}
		w.writeFrames(&frames)
	}
}
