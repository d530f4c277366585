package live

import "time"

// Options are what capturing can be told.
type Options struct {
	// Filter says which frames are captured.
	Filter Filter
	// Buffer is how many bytes the ring of each interface has, 0 for DefaultBuffer.
	// It is rounded down to whole blocks.
	Buffer int
	// Hardware asks for the card's time stamps where it has them for every frame.
	// They count from the moment of the first one by the card's clock, which need not
	// be set.
	Hardware bool
	// Notify is told, in a few words, what happens to an interface; nil if nobody listens.
	// It is called by whoever calls Next.
	Notify func(name, what string)
	// State is told why nothing is captured on an interface, in a few words, and "" when
	// something is again; nil if nobody listens. It is called by whoever calls Next.
	State func(name, why string)
}

// DefaultBuffer is how many bytes a ring has: a third of a second at 1.5 Gbit/s, which
// more blocks than a pipeline keeps leave to the kernel.
const DefaultBuffer = 64 << 20

const (
	// blockSize is the bytes of a block. Blocks come half empty where frames are few, so
	// that it is their number that says for how long nobody has to look then: 256 of
	// them for some seconds.
	blockSize = 256 << 10
	// blockTimeout is how often the kernel looks whether a block has frames that wait.
	blockTimeout = 10 * time.Millisecond
	// blockLag is how long after a frame its block is there at the latest, if nobody keeps
	// a processor from doing that: the order of several interfaces depends on it. A block
	// comes when the kernel has looked twice.
	blockLag = 2*blockTimeout + 20*time.Millisecond
	// tick is how often a ring is looked at of which the last block is not back with
	// the kernel: poll returns at once for such a one.
	tick = 5 * time.Millisecond
	// lookAt is how often drops are counted, and whether interfaces are there.
	lookAt = 250 * time.Millisecond
)

// Drops count frames that were lost between the wire and whoever calls Next.
type Drops struct {
	// Kernel are those that the card or the kernel dropped before they came to the ring,
	// as it counts them (rx_missed_errors), whatever they carried; Ring those that passed the
	// filter and for which the ring had no room.
	Kernel, Ring int64
}
