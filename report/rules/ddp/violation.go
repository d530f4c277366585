package ddp

import "github.com/rdmacap/rdmacap/dissect/rpcrdma"

// purpose names what a call advertised memory for.
func purpose(p rpcrdma.Purpose) string {
	switch p {
	case rpcrdma.ForRead:
		return "Read list"
	case rpcrdma.ForWrite:
		return "Write list"
	}
	return "Reply chunk"
}
