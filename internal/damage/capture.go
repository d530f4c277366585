package damage

import (
	"fmt"
	"slices"
	"time"

	"github.com/rdmacap/rdmacap/capture"
	"github.com/rdmacap/rdmacap/capture/link"
	"github.com/rdmacap/rdmacap/internal/build"
)

// A Capture is one to be damaged.
type Capture struct {
	// Link is the link type of all frames.
	Link link.Type
	// Frames have ToServer where they come from the address that the first RDMA or TCP
	// frame comes from, and else ToClient.
	Frames build.Frames
}

// Record keeps the frames of a source up to its end or first fault.
func Record(from capture.Source) (*Capture, error) {
	var (
		c     Capture
		f     capture.Frame
		p     link.Packet
		first link.Addr
		known bool
	)
	for from.Next(&f) == nil {
		if len(c.Frames) == 0 {
			c.Link = f.Link
		} else if f.Link != c.Link {
			return nil, fmt.Errorf("frame %d: link type %d after %d", f.Number, f.Link, c.Link)
		}
		p.Decode(f.Link, f.Data, int(f.Length), link.Options{})
		if p.Transport != link.NotRDMA && !known {
			first, known = p.Src(), true
		}
		dir := build.ToClient
		if p.Transport != link.NotRDMA && p.Src() == first {
			dir = build.ToServer
		}
		c.Frames = append(c.Frames, build.Frame{
			Time: time.Unix(0, f.Time), Dir: dir, Data: slices.Clone(f.Data), Length: int(f.Length),
		})
	}
	return &c, nil
}
