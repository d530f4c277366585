package flow

// Shared is what every direction of every connection works with, whatever carries
// it: whom it reports what it finds, what may be kept in all, and room for what is
// told at once.
type Shared struct {
	Sink      Sink
	Limits    Limits
	Kept      int // cost in bytes of the packets that wait for others of their connection
	Assembled int // bytes of the buffers for Sends of several packets

	Write   Write    // room for the one that the Sink is handed
	Data    ReadData // the same
	message Message  // one of a single packet
	one     [1]Ref   // see Only
	spare   []byte   // a buffer that DropBuffer was given, for use again
}

// Only is the list of one frame, valid until it is called again.
func (e *Shared) Only(r Ref) []Ref {
	e.one[0] = r
	return e.one[:]
}
