package live

import "fmt"

const (
	// LeastMemory and MostMemory are between what all may take, in bytes.
	LeastMemory, MostMemory = 128 << 20, 1 << 40
	// LeastRing and MostRing are between what the ring of an interface may have, in bytes.
	LeastRing, MostRing = 1 << 20, 1 << 31
	// programMemory is for what the process has beside the rings and the memory that
	// Go manages: the program itself.
	programMemory = 16 << 20
	// leastFollowing is the least that is for following connections.
	leastFollowing = 64 << 20
	// workerMemory is what each worker beside the first takes: batches that it has underway,
	// and what it has said of them.
	workerMemory = 32 << 20
)

// Memory is what a session may take, in bytes.
type Memory struct {
	// Total is for all, Ring for the frames of each interface that wait.
	Total, Ring int64
	// RingGiven says that the size of the rings was chosen: otherwise that of several is made to
	// fit.
	RingGiven bool
}

// A Division says what memory is for, in bytes.
type Division struct {
	// Ring is for the frames of each interface that wait, Following for following connections.
	Ring, Following int64
	// Workers is how many follow connections.
	Workers int
}

// A TooLittleError is that too little memory is left for following connections.
type TooLittleError struct {
	Interfaces int
	// Least is what it takes to follow connections, Ring what the ring of each interface has,
	// and Kept is for keeping frames, in bytes.
	Least, Ring, Kept int64
}

func (e *TooLittleError) Error() string {
	return fmt.Sprintf("less than %d MiB is left for tracking connections after %d rings of %d MiB and %d MiB for --write",
		e.Least>>20, e.Interfaces, e.Ring>>20, e.Kept>>20)
}

// Divide divides the memory among the rings of interfaces, what is kept of their frames, and what
// follows connections, with so many workers as there is room for. Its error is a TooLittleError.
func (m Memory) Divide(interfaces int, kept int64, workers int) (Division, error) {
	ring := m.Ring
	if interfaces > 0 && !m.RingGiven {
		ring = max(LeastRing, min(ring, m.Total/2/int64(interfaces)))
	}
	following := m.Total - ring*int64(interfaces) - kept - programMemory
	if following < leastFollowing {
		return Division{}, &TooLittleError{interfaces, leastFollowing, ring, kept}
	}
	more := max(0, min(int64(workers)-1, (following-leastFollowing)/workerMemory))
	return Division{ring, following - more*workerMemory, int(more) + 1}, nil
}
