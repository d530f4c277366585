package ddp

// kept is what the rules of the family remember of a connection.
type kept struct {
	exact bool // DDP-011: the server returned a length that is not a multiple of 4
}
