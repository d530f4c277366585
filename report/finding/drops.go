package finding

// Drops are how many frames were captured by nobody, or followed by nobody, so far.
type Drops struct {
	// Kernel are those that did not come to the ring in which capturing has them, Ring
	// those for which it had no room, Shed those that analysis could not keep up with.
	Kernel, Ring, Shed int64
}
