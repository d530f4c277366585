// Package xdrsample is a small protocol in XDR language, and messages of it, for the
// tests of the packages under dissect/xdr.
package xdrsample

import "encoding/binary"

// Text is a small protocol with a piece of everything: operations and
// statuses, eligible items, a list, recursion, attributes and contents.
const Text = `
const NAMELEN = 255;
const MASKS = 0x10;

/* What kind of object it is. */
enum objtype {
	/* @prefix O */
	OREG = 1,	/* a file */
	ODIR = 2
};
enum opnum { /* @prefix OP_ */ OP_GETATTR = 9, OP_PUTFH = 22, OP_READ = 25, OP_WRITE = 38, OP_SEQUENCE = 53, OP_ILLEGAL = 10044 };
enum stat { /* @status S_OK */ S_OK = 0, SERR_IO = 5, SERR_NEG = -1 };
enum accessbits { /* @prefix A_ */ A_READ = 1, A_LOOKUP = 2, A_MODIFY = MASKS };
enum attrnum { /* @prefix FA_ */ FA_TYPE = 1, FA_SIZE = 4, FA_MTIME = 33 };

typedef opaque sessionid[16];
typedef opaque fh<128>;			/* @as handle */
typedef unsigned int bitmap<>;		/* @as bits attrnum */
typedef opaque attrlist<>;
typedef string filename<NAMELEN>;
struct nfstime { hyper seconds; unsigned int nseconds; };	/* @as time */
struct stateid { unsigned int seqid; opaque other[12]; };

union attrvalue switch (unsigned int number) {
case 1: objtype type;
case 4: unsigned hyper size;
case 33: nfstime mtime;
};
struct fattr {
	/* @summary "[type {vals.type} ]size {vals.size}" */
	bitmap mask;
	attrlist vals;	/* @attributes attrvalue */
};

struct GETATTRargs { bitmap request; /* @summary "{request}" */ };
struct PUTFHargs { /* @summary "{object}" */ fh object; };
struct READargs { /* @summary "offset {offset} count {count}" */ stateid st; unsigned hyper offset; unsigned int count; };
struct WRITEargs {
	/* @summary "offset {offset} {data}[, stable{stable?}]" */
	stateid st; unsigned hyper offset; bool stable;
	opaque data<>;	/* @as count
			 * @eligible RFC 8267 section 6.2 */
};
struct SEQUENCEargs { /* @summary "slot {slot} seq {seq:hex}" */ sessionid id; unsigned int seq; unsigned int slot; bool cache; };
union argop switch (opnum op) {
case OP_GETATTR:	GETATTRargs getattr;
case OP_PUTFH:		PUTFHargs putfh;
case OP_READ:		READargs read;
case OP_WRITE:		WRITEargs write;
case OP_SEQUENCE:	SEQUENCEargs sequence;
case OP_ILLEGAL:	void;
};
struct COMPOUNDargs { /* @summary "{ops}" */ string tag<>; unsigned int minor; argop ops<>; };

struct READok { bool eof; opaque data<>; /* @eligible RFC 8267 section 6.2 */ };
union READres switch (stat status) {
	/* @summary "{status}[, {ok.data:count}][, eof{ok.eof?}]" */
case S_OK: READok ok;
default: void;
};
struct GETATTRok { fattr attrs; };
union GETATTRres switch (stat status) {
case S_OK: GETATTRok ok;	/* @summary "{status}[, {ok.attrs.vals.size} bytes]" */
default: void;
};
struct PUTFHres { stat status; };
union resop switch (opnum op) {
case OP_GETATTR:	GETATTRres getattr;
case OP_PUTFH:		PUTFHres putfh;
case OP_READ:		READres read;
};
struct COMPOUNDres { stat status; string tag<>; resop ops<>; };

struct entry {
	unsigned hyper id;
	filename name;
	fattr *attrs;
	entry *next;
};
struct READDIRres { stat status; entry *entries; bool eof; };

/* A tree: what contains itself without being a list. */
struct tree { int value; tree *left; tree children<2>; };

enum layouttype { L_FILES = 1, L_BLOCKS = 3 };
struct fileslayout { unsigned int stripe; fh handles<>; };
union layoutbody switch (layouttype type) {
case L_FILES: fileslayout files;
case L_BLOCKS: hyper extent;
};
struct layout {
	layouttype type;
	opaque body<>;	/* @contains layoutbody by type */
	opaque time<>;	/* @contains nfstime */
};
struct LINKargs {
	/* @summary "{name} access {access}[ at {when}][ {body.time.seconds} s]" */
	filename name; /* @eligible */
	unsigned int access; /* @as flags accessbits */
	nfstime *when;
	layout body;
};

program SAMPLE {
	version SAMPLE_1 {
		void		NULL(void) = 0;
		COMPOUNDres	COMPOUND(COMPOUNDargs) = 1;
		READDIRres	READDIR(fh) = 2;
		tree		TREE(tree) = 3;
		READres		LINK(LINKargs) = 4;
		int		SUM(int, unsigned hyper) = 5;
	} = 1;
} = 400100;
`

// Program is the number of the program in Text.
const Program = 400100

// Bytes makes bytes of what a test writes down: a number is a word, a string
// goes in as it is, and a data value as opaque data.
func Bytes(parts ...any) (b []byte) {
	for _, part := range parts {
		switch p := part.(type) {
		case int:
			b = binary.BigEndian.AppendUint32(b, uint32(p))
		case uint64:
			b = binary.BigEndian.AppendUint64(b, p)
		case string:
			b = append(b, p...)
		case []byte:
			b = append(b, p...)
		case Data:
			b = binary.BigEndian.AppendUint32(b, uint32(len(p)))
			b = append(b, p...)
			for len(b)%4 != 0 {
				b = append(b, 0)
			}
		default:
			panic("bytes of what?")
		}
	}
	return b
}

// Data are written as opaque data: a length word, the bytes and their pad.
type Data string

// Stateid are the 16 bytes of a stateid.
const Stateid = "\x00\x00\x00\x01abcdefghijkl"

// CompoundCall is SEQUENCE, PUTFH, READ, GETATTR.
var CompoundCall = Bytes(Data("tag"), 1, 4,
	53, "0123456789abcdef", 7, 3, 1,
	22, Data("handle"),
	25, Stateid, uint64(4096), 512,
	9, 2, 1<<1|1<<4, 1<<1)

// CompoundReply is PUTFH, READ, GETATTR.
var CompoundReply = Bytes(0, Data("tag"), 3,
	22, 0,
	25, 0, 1, Data("some data"),
	9, 0, 1, 1<<1|1<<4, Data("\x00\x00\x00\x02\x00\x00\x00\x00\x00\x00\x10\x00"))

// WriteCall is SEQUENCE and two WRITEs, whose data are left out as told, and a
// GETATTR after them.
func WriteCall(first, second any) []byte {
	return Bytes(Data("tag"), 1, 4,
		53, "0123456789abcdef", 7, 3, 1,
		38, Stateid, uint64(4096), 1, first,
		38, Stateid, uint64(8192), 0, second,
		9, 1, 2)
}

// ReadReply is two READs, whose data are left out as told, and a PUTFH.
func ReadReply(first, second any) []byte {
	return Bytes(0, Data(""), 3, 25, 0, 0, first, 25, 0, 1, second, 22, 0)
}
