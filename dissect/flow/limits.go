package flow

// Limits are how much a Tracker keeps of what strangers send, whoever they are and however
// much they send. A claim takes 6 kB, which is what check holds of one, and a half connection
// that waits 1.3 kB.
type Limits struct {
	// Claims is how many claims are kept: see claim.go.
	Claims int
	// Waiting is how many half connections of RoCE wait for their other direction beside
	// those of the two hosts whose turn it is, Pair how many with them, and Queued what
	// their packets cost in bytes. Pair is not shared: one Tracker follows all queue pairs
	// between two hosts.
	Waiting, Pair, Queued int
	// Kept is how much of all connections may wait for what is missing before it, in bytes.
	Kept int
	// Assembled bounds the buffers of all directions for Sends of several packets, in bytes.
	Assembled int
}

// NewLimits are those of one of so many Trackers that follow a capture, each some
// connections of it: they share them, but for what each needs for traffic that is
// nobody's attack.
func NewLimits(trackers int) Limits {
	share := func(all, least int) int { return max(all/max(trackers, 1), least) }
	return Limits{
		Claims:    share(3<<8, 1<<8),
		Waiting:   share(1<<11, 1<<10),
		Pair:      1 << 13,
		Queued:    share(12<<20, 4<<20),
		Kept:      share(16<<20, 4<<20),
		Assembled: share(12<<20, 2<<20),
	}
}
