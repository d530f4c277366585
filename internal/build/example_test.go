package build_test

import (
	"fmt"
	"time"

	"github.com/rdmacap/rdmacap/internal/build"
)

// An NFS READ whose data the server places with RDMA Write, and a capture that
// lacks one of its frames.
func Example() {
	fh, data := []byte("file handle"), make([]byte, 3000)
	c := build.NewConversation(build.Setup{})
	c.Connect()
	read := c.Call(build.NFS3Read(1, fh, 0, 3000),
		build.WriteChunk{{Handle: 0xc82, Length: 4096, Offset: 0x1000}})
	c.Wait(time.Millisecond)
	reply := c.Reply(read, build.NFS3ReadReply(1, data))
	c.Disconnect()
	lost := c.Frames.Drop(reply.First + 1)
	fmt.Println(len(c.Frames), "frames, the reply from", reply.First, "to", reply.End-1)
	fmt.Println(len(lost.Only(build.ToClient)), "to the client are captured")
	// Output:
	// 12 frames, the reply from 5 to 9
	// 6 to the client are captured
}

// An NFS READ over iWARP whose FPDUs share and straddle TCP segments.
func ExampleIWARP() {
	fh, data := []byte("file handle"), make([]byte, 3000)
	c := build.NewIWARP(build.IWARPSetup{CRC: true, MarkersToClient: true})
	start := c.Connect()
	read := c.Call(build.NFS3Read(1, fh, 0, 3000),
		build.WriteChunk{{Handle: 0xc82, Length: 4096, Offset: 0x1000}})
	c.Wait(time.Millisecond)
	c.Cut(build.ToClient, 100, 2000)
	reply := c.Reply(read, build.NFS3ReadReply(1, data))
	c.Disconnect()
	fmt.Println("TCP and MPA take", start.End, "frames, the call", read.Sent.End-read.Sent.First)
	for _, f := range c.Frames[reply.First:reply.End] {
		fmt.Println(len(f.Data), "bytes")
	}
	// Output:
	// TCP and MPA take 7 frames, the call 1
	// 166 bytes
	// 2066 bytes
	// 862 bytes
	// 258 bytes
	// 270 bytes
	// 66 bytes
}
