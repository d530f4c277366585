package build

// OpCodes of the Reliable Connection service, and the two others that RoCE
// traffic always has (InfiniBand Architecture 1.3, volume 1, section 9.2.1;
// CongestionNotification: annex A17).
const (
	RCSendFirst            = 0x00
	RCSendMiddle           = 0x01
	RCSendLast             = 0x02
	RCSendLastImmediate    = 0x03
	RCSendOnly             = 0x04
	RCSendOnlyImmediate    = 0x05
	RCWriteFirst           = 0x06
	RCWriteMiddle          = 0x07
	RCWriteLast            = 0x08
	RCWriteLastImmediate   = 0x09
	RCWriteOnly            = 0x0a
	RCWriteOnlyImmediate   = 0x0b
	RCReadRequest          = 0x0c
	RCReadResponseFirst    = 0x0d
	RCReadResponseMiddle   = 0x0e
	RCReadResponseLast     = 0x0f
	RCReadResponseOnly     = 0x10
	RCAcknowledge          = 0x11
	RCAtomicAcknowledge    = 0x12
	RCCmpSwap              = 0x13
	RCFetchAdd             = 0x14
	RCSendLastInvalidate   = 0x16
	RCSendOnlyInvalidate   = 0x17
	UDSendOnly             = 0x64
	CongestionNotification = 0x81
)

// The transport services that a conversation can have: the upper three bits of
// its opcodes, of which those above are the lower five.
const (
	ReliableConnection         = 0x00
	UnreliableConnection       = 0x20
	ExtendedReliableConnection = 0xa0
)

// Syndromes of an AETH (section 9.7.5.1.1 and the following).
const (
	SyndromeAck               = 0x1f // without end-to-end credits
	SyndromeRNR               = 0x20 // plus the timer code, 0 to 31
	SyndromePSNSequenceError  = 0x60
	SyndromeInvalidRequest    = 0x61
	SyndromeRemoteAccessError = 0x62
	SyndromeOperationalError  = 0x63
)
