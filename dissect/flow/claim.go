package flow

// A claim is a connection that only one end has shown so far: a REQ or an MPA Request that
// nobody has answered, or a few frames of one direction. Anybody who can send a frame past
// the capture can make as many of them as he likes, so they have a limit of their own, far
// below that of connections: those that were unused for longest go first. If such a one
// goes on, that is a connection found anew.

// provenFrames is after how many frames a connection of one direction is no claim any
// more: somebody receives them.
const provenFrames = 16

// claim puts a new connection among the claims.
func (t *Connections) claim(c *Conn) {
	c.claimedAt = c.lastSeen
	t.claims.Push(&c.claimed, c)
}

// isClaim reports whether only one end has shown the connection so far.
func (c *Conn) isClaim() bool {
	return c.Frames < provenFrames && (c.OneWay() || c.Setup != SetupInferred && !c.Established)
}

// Claims is how many are kept, and how many that were and are not looked at since.
func (t *Connections) Claims() int { return t.claims.N }

// makeRoomForClaim closes the claim that was unused for longest, if there are too many.
// What has become of a claim is looked at only when its turn comes, and who had a frame
// since goes to the end then, as in evict.
func (t *Connections) makeRoomForClaim() {
	for t.claims.N >= t.Limits.Claims {
		c := t.claims.Oldest()
		used := c.lastSeen != c.claimedAt || t.underway(c)
		t.claims.Remove(&c.claimed)
		switch {
		case !c.isClaim():
		case used:
			t.claim(c)
		default:
			t.oust(c)
			return
		}
	}
}
