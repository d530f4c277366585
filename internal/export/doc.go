// Package export puts the file data that NFS READ, WRITE and READ_PLUS moved
// back together: one sparse file for each filehandle and direction, and a
// manifest.json that says what each is and which of its bytes are missing.
//
//	RDMA Write, Read Response ──Moved──> spool: by RPC and chunk
//	                                       │
//	call and reply ──RPC──> moves ─────────┴──> object   | data |  missing  | data |hole|
//	                          │                                                         │
//	                          └─> names by handle ──────────> manifest.json <── Finish ─┘
//
// Data come before the reply that says whether they count, so they wait in a
// spool: in memory up to a limit, then in a file beside the objects. Only what a
// reply confirmed goes into an object.
//
// # What an object is
//
// It has what the capture shows of one file at one server, in one direction:
// bytes at the offsets that READ or WRITE named. Where ranges overlap, the RPC
// that ended last counts; if its data is not in the capture, it is missing,
// whatever an earlier one had brought. Holes that READ_PLUS reported are zeros,
// and not missing. What moves no data (SETATTR of the size, ALLOCATE, DEALLOCATE,
// COPY, CLONE, WRITE_SAME) does not change it.
//
// # Whose data they are
//
// NFS 2 and 3 name the file in each call. NFS 4 has a current filehandle, which
// the operations of a COMPOUND set and use in turn:
//
//	SEQUENCE; PUTFH dir; OPEN "notes"; GETFH -> fh; READ      "notes" is fh, and fh is read
//	SEQUENCE; PUTFH fh; READ                                  fh is read
//	SEQUENCE; PUTROOTFH; LOOKUP "notes"; READ                 read is a file without a known handle
//
// Data of a file whose handle is not known are left out, and counted.
package export
