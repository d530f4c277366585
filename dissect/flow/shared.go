package flow

// shared is what every direction of every connection works with, whatever carries
// it: whom it tells what it finds, what may be kept in all, and room for what is
// told at once.
type shared struct {
	sink      Sink
	kept      int // cost of the packets that wait for others of their connection
	assembled int // octets of the buffers for Sends of several packets

	message message // one of a single packet
	write   Write
	data    ReadData
	one     [1]Ref // see only
}

// maxKept is how much may wait of all connections, in octets.
const maxKept = 32 << 20

// only is the list of one frame, valid until it is called again.
func (e *shared) only(r Ref) []Ref {
	e.one[0] = r
	return e.one[:]
}
