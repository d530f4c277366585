package build

import (
	"bytes"
	"testing"

	"github.com/rdmacap/rdmacap/internal/check"
)

var fh = []byte("a file handle of 28 bytes!!")

// sends are the bytes of the Sends of one direction, put together.
func sends(t *testing.T, c *Conversation, d Direction) (messages [][]byte) {
	t.Helper()
	var now []byte
	for _, f := range c.Frames.Only(d) {
		p := tell(t, f.Data)
		switch p.op {
		case RCSendFirst, RCSendMiddle:
			now = append(now, p.payload...)
		case RCSendOnly, RCSendLast, RCSendOnlyInvalidate, RCSendLastInvalidate:
			messages = append(messages, append(now, p.payload...))
			now = nil
		}
	}
	return messages
}

func TestExchanges(t *testing.T) {
	data := hexBytes(3001)
	write := NFS3Write(7, fh, 0, data)
	for _, test := range []struct {
		name   string
		tell   func(c *Conversation)
		script string
		call   string // the call's transport header
		reply  string // the reply's
	}{
		{"inline", func(c *Conversation) {
			c.Reply(c.Call(NFS3Null(7)), NFS3NullReply(7))
		}, ">04+0:68 <11+0/1f.1 <04+0:52 >11+0/1f.1",
			"00000007 00000001 00000080 00000000 00000000 00000000 00000000",
			"00000007 00000001 00000040 00000000 00000000 00000000 00000000"},
		{"WRITE with a Read chunk of two segments, without pad", func(c *Conversation) {
			e := c.Call(write, ReadChunk{{0xa, 2048, 0x1000}, {0xb, 953, 0x9000}})
			c.Reply(e, NFS3WriteReply(7, 3001))
		}, ">04+0:196 <11+0/1f.1 <0c+0 >0d+0/1f.1:1024 >0f+1/1f.1:1024 <0c+2 >10+2/1f.2:953 <04+3:80 >11+3/1f.3",
			`00000007 00000001 00000080 00000000
			00000001 00000078 0000000a 00000800 0000000000001000
			00000001 00000078 0000000b 000003b9 0000000000009000 00000000 00000000 00000000`,
			"00000007 00000001 00000040 00000000 00000000 00000000 00000000"},
		{"WRITE as a Long call", func(c *Conversation) {
			e := c.Call(write, LongCall{{0xa, 4096, 0x1000}})
			c.Reply(e, NFS3WriteReply(7, 3001))
		}, ">04+0:52 <11+0/1f.1 <0c+0 >0d+0/1f.1:1024 >0e+1:1024 >0e+2:1024 >0f+3/1f.1:52 <04+4:80 >11+4/1f.2",
			"00000007 00000001 00000080 00000001 00000001 00000000 0000000a 00001000 0000000000001000 00000000 00000000 00000000",
			"00000007 00000001 00000040 00000000 00000000 00000000 00000000"},
		{"READ with a Write chunk of two segments, invalidated", func(c *Conversation) {
			e := c.Call(NFS3Read(7, fh, 0, 3001), WriteChunk{{0xc, 2000, 0x1000}, {0xd, 2000, 0x5000}})
			c.Reply(e, NFS3ReadReply(7, data), Invalidate(0xc))
		}, ">04+0:180 <11+0/1f.1 <06+0:1024 <08+1:976 <0a+2:1001 <17+3:196 >11+3/1f.3",
			`00000007 00000001 00000080 00000000 00000000
			00000001 00000002 0000000c 000007d0 0000000000001000 0000000d 000007d0 0000000000005000 00000000 00000000`,
			`00000007 00000001 00000040 00000000 00000000
			00000001 00000002 0000000c 000007d0 0000000000001000 0000000d 000003e9 0000000000005000 00000000 00000000`},
		{"a READ that fails returns its Write chunk unused", func(c *Conversation) {
			e := c.Call(NFS3Read(7, fh, 0, 3001), WriteChunk{{0xc, 4000, 0x1000}})
			c.Reply(e, NFS3ReadFailed(7, 70))
		}, ">04+0:164 <11+0/1f.1 <04+0:84 >11+0/1f.1",
			"00000007 00000001 00000080 00000000 00000000 00000001 00000001 0000000c 00000fa0 0000000000001000 00000000 00000000",
			"00000007 00000001 00000040 00000000 00000000 00000001 00000001 0000000c 00000000 0000000000001000 00000000 00000000"},
		{"READ with a Reply chunk", func(c *Conversation) {
			e := c.Call(NFS3Read(7, fh, 0, 3001), ReplyChunk{{0xe, 8192, 0x1000}})
			c.Reply(e, NFS3ReadReply(7, data))
		}, ">04+0:160 <11+0/1f.1 <06+0:1024 <07+1:1024 <07+2:1024 <08+3:60 <04+4:48 >11+4/1f.2",
			"00000007 00000001 00000080 00000000 00000000 00000000 00000001 00000001 0000000e 00002000 0000000000001000",
			"00000007 00000001 00000040 00000001 00000000 00000000 00000001 00000001 0000000e 00000c3c 0000000000001000"},
		{"an error in place of a reply", func(c *Conversation) {
			c.ReplyError(c.Call(NFS3Null(7)), ErrVers)
		}, ">04+0:68 <11+0/1f.1 <04+0:28 >11+0/1f.1",
			"00000007 00000001 00000080 00000000 00000000 00000000 00000000",
			"00000007 00000001 00000040 00000004 00000001 00000001 00000001"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := NewConversation(Setup{})
			test.tell(c)
			if got := script(t, c, c.Frames); got != test.script {
				t.Errorf("got  %s\nwant %s", got, test.script)
			}
			call, reply := check.Hex(t, test.call), check.Hex(t, test.reply)
			same(t, "call", sends(t, c, ToServer)[0][:len(call)], call)
			same(t, "reply", sends(t, c, ToClient)[0][:len(reply)], reply)
		})
	}
}

// What goes by chunk and what goes inline make the whole message again.
func TestNothingIsLostInReduction(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 1000, 3001} {
		data := hexBytes(n)
		write := NFS3Write(7, fh, 0, data)
		c := NewConversation(Setup{})
		c.Call(write, ReadChunk{{1, uint32(n+3) &^ 3, 0}})
		var placed []byte
		for _, f := range c.Frames.Only(ToServer)[1:] {
			placed = append(placed, tell(t, f.Data).payload...)
		}
		inline := sends(t, c, ToServer)[0][28+24:]
		whole := append(append(append([]byte(nil), inline[:write.Item]...), placed...), inline[write.Item:]...)
		same(t, "the call put together", whole, write.Bytes)
		if !bytes.Equal(write.Placed(), data) {
			t.Errorf("the item is not the data: %x", write.Placed())
		}
	}
}

func TestCallback(t *testing.T) {
	c := NewConversation(Setup{})
	call := Message{Bytes: RPCCall{XID: 9, Program: 0x40000000, Version: 1}.Bytes()}
	c.ReverseCall(call, Message{Bytes: RPCReply{XID: 9}.Bytes()})
	if got, want := script(t, c, c.Frames), "<04+0:68 >11+0/1f.1 >04+0:52 <11+0/1f.1"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPanicsWhereTheStoryCannotBe(t *testing.T) {
	for name, tell := range map[string]func(c *Conversation){
		"a Read chunk for nothing": func(c *Conversation) { c.Call(NFS3Null(1), ReadChunk{{1, 4, 0}}) },
		"a Write chunk too small": func(c *Conversation) {
			c.Reply(c.Call(NFS3Read(1, fh, 0, 9), WriteChunk{{1, 8, 0}}), NFS3ReadReply(1, hexBytes(9)))
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			tell(NewConversation(Setup{}))
		}()
	}
}
