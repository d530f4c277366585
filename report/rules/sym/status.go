package sym

// A trouble is what a status of NFS says that a client meets again and again.
type trouble struct {
	// waits says that a client repeats the operation until it succeeds; else it fails for
	// good, and an application is told so.
	waits bool
	// storage says that the server can store nothing there: that matters even once.
	storage bool
	text    string
	// advice is what to do.
	advice string
}

// The statuses of NFS that matter (RFC 1813, section 2.6; RFC 7530, section 13.1; RFC 8881,
// section 15.1).
const (
	statusIO             = 5
	statusAccess         = 13
	statusNoSpace        = 28
	statusReadOnly       = 30
	statusQuota          = 69
	statusStale          = 70
	statusNotSupported   = 10004
	statusDelay          = 10008
	statusDenied         = 10010
	statusExpired        = 10011
	statusLocked         = 10012
	statusGrace          = 10013
	statusWrongSecurity  = 10016
	statusStaleClientID  = 10022
	statusStaleStateID   = 10023
	statusOldStateID     = 10024
	statusBadStateID     = 10025
	statusBadSession     = 10052
	statusBadSlot        = 10053
	statusSeqMisordered  = 10063
	statusMinorVersion   = 10021
	statusCompleteBefore = 10054
)

// troubleOf is what a status says, not ok for one that belongs to everyday work, as
// NFS3ERR_NOENT does.
func troubleOf(status uint32) (t trouble, ok bool) {
	const (
		state   = "The client and the server disagree about state. Look for a restart of the server, an expired lease, or two clients with one name."
		storage = "Look at the exported file system on the server."
	)
	switch status {
	case statusGrace:
		t = trouble{true, false, "the server is in its grace period after a restart", "Wait until grace ends, or shorten the server's grace time. Find out why the server restarted."}
	case statusDelay:
		t = trouble{true, false, "the server asks the client to try later", "Look at what the server waits for: delegations that other clients do not return, memory, or storage that is being migrated."}
	case statusLocked, statusDenied:
		t = trouble{true, false, "somebody else holds a lock", "Find out who holds the lock, and for how long."}
	case statusBadSession:
		t = trouble{true, false, "the server does not have the session", state}
	case statusBadSlot:
		t = trouble{true, false, "the session has no such slot", "Compare the client's sa_slotid with ca_maxrequests and sr_target_highest_slotid."}
	case statusSeqMisordered:
		t = trouble{true, false, "the slot's sequence number is not the next one", "Look for a call on that slot that was lost, or whose reply was lost: the client and the server disagree about whether it was executed."}
	case statusStaleClientID, statusStaleStateID, statusOldStateID, statusBadStateID, statusExpired:
		t = trouble{true, false, "the server does not know the client's state", state}
	case statusNoSpace:
		t = trouble{false, true, "the file system is full", storage + " It needs space or inodes."}
	case statusQuota:
		t = trouble{false, true, "the quota is used up", storage + " The user's quota is used up."}
	case statusReadOnly:
		t = trouble{false, true, "the file system is read-only", storage + " It is exported or mounted read-only; failing storage can also make it so."}
	case statusIO:
		t = trouble{false, true, "the server reports an I/O error", storage + " The server's log should name the device."}
	case statusStale:
		t = trouble{false, false, "the file handle no longer refers to a file", "The file was removed on the server, or another file system is exported in its place: look at exports and file system IDs."}
	case statusAccess:
		t = trouble{false, false, "the server denies access", "Compare the user, the mode and the export's options: root squash, security flavors, ACLs."}
	case statusWrongSecurity:
		t = trouble{false, false, "the export does not accept the security flavor", "Compare the export's flavors with the mount's (sec=)."}
	case statusNotSupported:
		t = trouble{false, false, "the server does not support the operation", "Look at the NFS version of the mount, and at what the exported file system supports."}
	default:
		return t, false
	}
	return t, true
}
