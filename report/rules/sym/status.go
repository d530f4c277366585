package sym

import "github.com/rdmacap/rdmacap/dissect/nfs/numbers"

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

// troubleOf is what a status says, not ok for one that belongs to everyday work, as
// NFS3ERR_NOENT does.
func troubleOf(status uint32) (t trouble, ok bool) {
	const (
		state   = "The client and the server disagree about state. Look for a restart of the server, an expired lease, or two clients with one name."
		storage = "Look at the exported file system on the server."
	)
	switch status {
	case numbers.StatusGrace:
		t = trouble{true, false, "the server is in its grace period after a restart", "Wait until grace ends, or shorten the server's grace time. Find out why the server restarted."}
	case numbers.StatusDelay:
		t = trouble{true, false, "the server asks the client to try later", "Look at what the server waits for: delegations that other clients do not return, memory, or storage that is being migrated."}
	case numbers.StatusLocked, numbers.StatusDenied:
		t = trouble{true, false, "somebody else holds a lock", "Find out who holds the lock, and for how long."}
	case numbers.StatusBadsession:
		t = trouble{true, false, "the server does not have the session", state}
	case numbers.StatusBadslot:
		t = trouble{true, false, "the session has no such slot", "Compare the client's sa_slotid with ca_maxrequests and sr_target_highest_slotid."}
	case numbers.StatusSeqMisordered:
		t = trouble{true, false, "the slot's sequence number is not the next one", "Look for a call on that slot that was lost, or whose reply was lost: the client and the server disagree about whether it was executed."}
	case numbers.StatusStaleClientid, numbers.StatusStaleStateid, numbers.StatusOldStateid, numbers.StatusBadStateid, numbers.StatusExpired:
		t = trouble{true, false, "the server does not know the client's state", state}
	case numbers.StatusNospc:
		t = trouble{false, true, "the file system is full", storage + " It needs space or inodes."}
	case numbers.StatusDquot:
		t = trouble{false, true, "the quota is used up", storage + " The user's quota is used up."}
	case numbers.StatusRofs:
		t = trouble{false, true, "the file system is read-only", storage + " It is exported or mounted read-only; failing storage can also make it so."}
	case numbers.StatusIo:
		t = trouble{false, true, "the server reports an I/O error", storage + " The server's log should name the device."}
	case numbers.StatusStale:
		t = trouble{false, false, "the file handle no longer refers to a file", "The file was removed on the server, or another file system is exported in its place: look at exports and file system IDs."}
	case numbers.StatusAccess:
		t = trouble{false, false, "the server denies access", "Compare the user, the mode and the export's options: root squash, security flavors, ACLs."}
	case numbers.StatusWrongsec:
		t = trouble{false, false, "the export does not accept the security flavor", "Compare the export's flavors with the mount's (sec=)."}
	case numbers.StatusNotsupp:
		t = trouble{false, false, "the server does not support the operation", "Look at the NFS version of the mount, and at what the exported file system supports."}
	default:
		return t, false
	}
	return t, true
}
