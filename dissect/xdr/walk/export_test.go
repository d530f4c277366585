package walk

// What tests hold against what is notified of bytes.
const (
	MaxEvents       = maxEvents
	ReasonCut       = reasonCut
	ReasonPosition  = reasonPosition
	ReasonBool      = reasonBool
	ReasonDeep      = reasonDeep
	ReasonAttribute = reasonAttribute
	ReasonContent   = reasonContent
	ReasonBehind    = reasonBehind
)
