package front

import "github.com/rdmacap/rdmacap/capture/link"

// A Expired is a name that was used in a shard and serves a connection of another one
// from now on: a communication ID of Src, or the queue pair of Dst for packets of Src.
type Expired struct {
	Shard    int
	Src, Dst link.Addr
	// Number is the queue pair, or with CommID the communication ID.
	Number uint32
	CommID bool
}
