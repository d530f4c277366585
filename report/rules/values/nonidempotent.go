package values

// NonIdempotent is the name of a procedure of NFS version 2 or 3 that has another
// outcome when it is done twice, "" of any other. WRITE and SETATTR are not among
// them (draft-dnoveck-nfsv4-nfsulb-01, section 3.2).
func NonIdempotent(version, procedure uint32) string {
	const first = 8 // of the names
	var names [8]string
	switch version {
	case 2:
		names = [...]string{"", "CREATE", "REMOVE", "RENAME", "LINK", "SYMLINK", "MKDIR", "RMDIR"}
	case 3:
		names = [...]string{"CREATE", "MKDIR", "SYMLINK", "MKNOD", "REMOVE", "RMDIR", "RENAME", "LINK"}
	}
	if procedure < first || procedure-first >= uint32(len(names)) {
		return ""
	}
	return names[procedure-first]
}
