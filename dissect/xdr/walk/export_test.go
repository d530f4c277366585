package walk

// What tests compare with what is reported of bytes.
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
