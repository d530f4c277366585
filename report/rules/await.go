package rules

// awaiting are those that wait for what the next frames or messages of a connection show,
// as a set of Keepings. Nearly always there are none.
type awaiting uint64

func (a *awaiting) set(who Keeping, waits bool) {
	if waits {
		*a |= 1 << who
	} else {
		*a &^= 1 << who
	}
}

// AwaitFrames says whether somebody waits for what frames of the connection show. While
// anybody does, all of them are Awaited.
func (c *Conn) AwaitFrames(who Keeping, waits bool) { c.awaitsFrames.set(who, waits) }

// AwaitMessages is the same for messages, and for the RPCs that they end: all are an
// AwaitedMessage.
func (c *Conn) AwaitMessages(who Keeping, waits bool) { c.awaitsMessages.set(who, waits) }
