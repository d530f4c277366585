package rules

// A Knowledge is what several rules know together of a connection. It sees each event
// before the first of the rules that need it, and reports nothing itself.
type Knowledge struct {
	// Keeping is where it keeps what it knows. It tells one Knowledge from another.
	Keeping Keeping
	// Needs are those that it builds on.
	Needs []Knowledge
	// Limitations are those that it asks when it takes an event. What a rule asks by way of it
	// the rule declares.
	Limitations []Limitation
	// On are the events that it looks at. It begins to with the first of the rules that
	// need it (Rule.Speaks).
	On []Event
}

// A Keeping is a place where a family of rules, or a Knowledge, keeps its state: one of a
// connection, if it stands above ofConns, one of the capture, one of CrossConnection. They are named
// here so that a place is a number that is known when the program is compiled; what is kept there,
// slots declare.
type Keeping uint8

const (
	KeepsCM Keeping = iota
	KeepsCMKnown
	KeepsCREDIT
	KeepsCREDITAccount
	KeepsDDP
	KeepsHDR
	KeepsHDRVersions
	KeepsINV
	KeepsMemoryChecker
	KeepsRPC
	KeepsRequests
	KeepsSEC
	KeepsSetup
	KeepsSetupReceived
	KeepsTHRESH
	KeepsTRANS
	KeepsTRANSReads
	KeepsTRANSWire
	KeepsULB
	KeepsULBFailures
	KeepsV2
	KeepsV2Requests
	KeepsXCHAR
	KeepsXCHAROperations
	KeepsSYM
	KeepsSYMLeft
	KeepsTest // for tests
	ofConns   // as many may keep something of a connection; those below do not
	KeepsDDPReading
	KeepsOwn
	KeepsRPCScores
	KeepsSize
	KeepsSYMSeen
	KeepsULBCompound
	KeepsULBSession
	keepings
)

// Keeps reports whether anything is kept of the connection at a place.
func (c *Conn) Keeps(at Keeping) bool { return at < ofConns && c.kept[at] != nil }

// Some is where something is remembered, made when it is first needed.
func Some[T any](p **T) *T {
	if *p == nil {
		*p = new(T)
	}
	return *p
}
