package finding

// Why a finding is in doubt: what of the capture would explain it.
const (
	DoubtLate   = "the capture began after the connection was set up"
	DoubtLoss   = "frames near it are missing from the capture"
	DoubtOneWay = "only one direction was captured"
	DoubtSnap   = "the snap length cut its frames"
	DoubtOrder  = "the capture does not have the frames of the connection in the order they were sent"
	// DoubtChanged is why a peer may have sent something else.
	DoubtChanged = "one of its frames was corrupted in transit, as its TCP checksum shows"
	// DoubtTick is why an end may have waited less than it should.
	DoubtTick = "a timer that counts ticks may expire up to one tick early, and the clocks of two capture points may differ"
)
