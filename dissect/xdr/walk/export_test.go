package walk

// What tests hold against what is told of octets.
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
