package rpcrdma

import "strconv"

// WriteChunkName is what Header.Writes[i] is called wherever people read of it.
// They count from 1, as they do segments.
func WriteChunkName(i int) string { return "Write chunk " + strconv.Itoa(i+1) }

// ChunkName is what the chunk of a region is called. Of Read chunks the Position
// reports which one it is.
func (r *Region) ChunkName() string {
	switch {
	case r.Purpose == ForWrite:
		return WriteChunkName(r.Chunk)
	case r.Purpose == ForReply:
		return "Reply chunk"
	case r.Position == 0:
		return "Position-Zero Read chunk"
	}
	return "Read chunk at position " + strconv.FormatUint(uint64(r.Position), 10)
}
