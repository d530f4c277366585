// Package scene makes captures from texts that a person can read: who connects,
// what is called with which chunks, what is answered, and what goes wrong.
//
//	text ──lex──> lines ──> statements ──play──> build.Conversation | build.IWARP
//	                             │                        │
//	      dissect/nfs (XDR language) ──> RPC messages ────┘──> Frames, Wants
//
// The same text plays over RoCEv2 and over iWARP, unless it uses a statement of
// one of them. A clean scene, and what one of its messages gets wrong:
//
//	connect
//	call 1 NFS3 READ file="fh" offset=0 count=3000
//	    write 0xc82 4096                 # a Write chunk of one segment
//	reply 1 data=bytes(3000) eof=true    # the server places the data there
//	call 2 NFS4 COMPOUND [SEQUENCE{slotid=0} PUTFH{object="fh"} WRITE{data=bytes(3000)}]
//	    read 0x1001 3000                 # a Read chunk, with the item's Position
//	reply 2 [SEQUENCE PUTFH WRITE{count=3000}]
//	    credits 0                        # a word of the transport header
//	    want CREDIT-003a credits         # the finding that is expected, and where
//	disconnect
//
// # Lines
//
// A statement stands at the beginning of a line, its options are the indented lines
// below, or follow it after semicolons. A line goes on while a bracket is open.
// What is behind # is a comment. Numbers are as in Go: 10, 0x0a.
//
// # Values
//
//	7  0x7  -1  TRUE  NF3REG  FATTR4_SIZE|...   numbers, enums, flags (without prefix too: SIZE)
//	"text"  bytes(N)  bytes(N SEED)  zeros(N)  text(N)  hex(01 02 ff)   bytes
//	[a b c]                                     an array or list; of a bitmap its bits or words
//	{a b name=c}                                a struct: fields in order, or by name
//	{DISCRIMINANT name=c}  DISCRIMINANT{...}    a union; an operation is SEQUENCE{slotid=0}
//
// bytes(N) are N bytes 1, 2, ... 251, 1, ...; text(N) is N times "a".
//
// Arguments and results are name=value, where the name is that of a field in the
// XDR texts of dissect/nfs, the one that lies least deep: data is
// READ3resok.data. Dots go deeper (obj_attributes.size), and what stands in a
// name before its first _ can be left out (slotid is sa_slotid). Values without a
// name are fields in order. A field in the arm of a union selects that arm, and
// a value for a union that says whether there is one (mode=0644) is there. What
// is not given is 0, FALSE, empty, absent, or the arm of success; but these
// follow from the rest:
//
//   - count beside data is the length of the data
//   - minorversion is the least one that has all the operations
//   - the status of a COMPOUND is that of its last operation
//   - a bitmap follows from the attributes: obj_attributes={size=3000 type=NF4REG};
//     attributes of a bitmap that is given have default values
//
// A failure is the status in front: reply 1 NFS3ERR_IO, or as operation
// READ{NFS4ERR_IO}. raw=hex(...) alone gives the bytes of arguments or results.
//
// # repeat N ... end
//
// What stands between is played N times. In it, a word with a $ has the number of
// the time, from 1, in place of that; $*16 and $*16+3 reckon with it:
//
//	repeat 64
//	call $+100 NFS3 READ file="fh" count=8
//	    write $*0x100+0x20 8
//	reply $+100 data=bytes(8)
//	end
//
// # call ID PROGRAM PROCEDURE arguments
//
// A call of the client. PROGRAM has its version: NFS2 NFS3 NFS4 MOUNT1..3
// NLM1..4 NSM1 NFSACL2..3 RPCBIND2..4 CB1 CB4. Other forms:
//
//	call 1 program=400100 version=1 procedure=5 raw=hex(...)
//	call 1 again             the same call once more: same xid, own options
//	call 2 like 1            the same arguments with another xid
//	callback 3 CB_COMPOUND [CB_SEQUENCE CB_RECALL{fh="fh"}]   server to client
//
// The xid is 0x1000 + ID. IDs count for all connections. The responder
// acknowledges the Send and reads all the Read chunks. Options:
//
//	read HANDLE LENGTH[@OFFSET] ... [at WHERE]   a Read chunk; several segments may follow
//	long HANDLE LENGTH[@OFFSET] ...    RDMA_NOMSG and a Position-Zero Read chunk of the message
//	write HANDLE LENGTH ...   a Write chunk; write empty has no segments
//	replychunk HANDLE LENGTH ...   the Reply chunk
//	nopull, pull N            the responder reads nothing, or only N bytes
//
// Without @OFFSET a segment begins at HANDLE << 20. The LENGTH of the last
// segment of a read or long may be all: what is needed. The k-th Read chunk moves
// the k-th eligible item, at that item's Position; at says otherwise:
//
//	at item 2      the second eligible item
//	at object      opaque data or a string by its field's name, eligible or not
//	at 132         that Position; the item that begins there, else the next eligible one
//	at +4, at item 2 -4    that many bytes after (before) the item
//	at 100+8       any bytes of the unreduced RPC message
//
// What moves is not inline, nor is its pad. reduce WHERE takes something else
// out (reduce none: nothing), keep pad leaves the pads in.
//
// # reply ID [status] result
//
// It goes to the end that called; a second reply ID is a duplicate. Of a
// COMPOUND without a result all operations succeed. Other statuses are
// GARBAGE_ARGS, SYSTEM_ERR, PROG_UNAVAIL, PROC_UNAVAIL, PROG_MISMATCH LOW HIGH,
// RPC_MISMATCH LOW HIGH, AUTH_ERROR N.
//
// As a Linux server does: the k-th eligible item is written to the k-th Write
// chunk unless that is empty, the message goes to the Reply chunk if there is
// one, and the chunks come back with the lengths that were used. Options:
//
//	unused                 items stay inline; Write chunks come back with length 0
//	inline                 the message stays inline; so does the Reply chunk
//	fill 2 item 1          which bytes go to Write chunk 2 (WHERE as above, or none)
//	place 1 100            of Write chunk 1 only (or as many as) 100 bytes are written,
//	place replychunk none  whatever the reply says of it; place 100 is that of chunk 1
//	returns write HANDLE LENGTH ...   what the reply says in place of the Write list;
//	returns write empty               once for each chunk
//	returns replychunk HANDLE LENGTH ...   and of the Reply chunk; also: none
//	returns none                      the reply has no chunks
//	read HANDLE LENGTH at WHERE       a Read list in a reply
//
// # error ID ERR_CHUNK, error ID ERR_VERS 1 1, error ID CODE
//
// An RDMA_ERROR in place of a reply. Version 2 and its errors have a part of their own.
//
// # Options of call, callback, reply and error
//
//	xid N  credits N  vers N  proc N    words of the transport header; xid is the RPC
//	                                    message's too. proc is MSG NOMSG MSGP DONE ERROR or
//	                                    a number; MSGP has align N and thresh N
//	rpc xid=N mtype=N rpcvers=N prog=N vers=N proc=N replystat=N accept=N   words of the RPC header
//	cred none|sys|FLAVOR bytes         the credential (sys, of NULL none); verf: the verifier
//	cred gss service=none|integrity|privacy procedure=data|init|continue|destroy seq=N handle=bytes
//	payload bytes, payload none        in place of what is inline of the RPC message
//	set PLACE N                         a word of the Send
//	insert PLACE bytes, delete PLACE, append bytes, cut N (off the end)
//	invalidate HANDLE                   a Send with Invalidate
//	noack                               no acknowledgement
//	lost                                lost on the wire after the capture, and sent again
//
// The changes are made in the order of the text. A PLACE is OFFSET or
// OFFSET+LENGTH in bytes of the Send (4 bytes, without a length; a negative
// OFFSET counts from the end) or a field of its header as it was made:
//
//	xid vers credits proc align thresh err low high
//	read1 read1.flag read1.position read1.handle read1.length read1.offset   (a Read segment)
//	reads.end                                       (the word that ends the Read list)
//	write1 write1.flag write1.count write1.1 write1.1.handle write1.1.length write1.1.offset
//	writes.end replychunk replychunk.flag replychunk.count replychunk.1.handle ...
//	rpc                                             (all that is behind the header)
//
// and, inside one of these, rpc+8+4.
//
// # Other traffic, over both transports
//
//	send client|server bytes           a Send of any bytes; options as above where they fit
//	rdma write client|server HANDLE LENGTH[@OFFSET] ...   issued by that side; options:
//	rdma read  client|server HANDLE LENGTH[@OFFSET] ...   data bytes; norespond (a read
//	                                    without response); answer N (its response has N bytes);
//	                                    lost; noack
//	wait 50ms
//	ack client|server                   that side acknowledges
//	resend, resend ID                   the last Send, or that of a call, once more (RoCE: and
//	                                    the requests after it)
//	disconnect [client|server]          who begins to
//
// Memory that a Read chunk names has the bytes that the call moved; else an
// rdma read finds a pattern.
//
// # connect [NAME] [NAME=VALUE ...]
//
// CM's REQ, REP and RTU, or TCP's handshake and MPA's start. A scene without it
// began late; over iWARP it takes two messages in each direction until a decoder
// knows what it sees. Each connect is a new connection, with its own ports, queue pairs
// and sequence numbers; connect B names it, and on B goes on with it. The first
// is A; connect without a name takes the name of the one in use. setup is the
// same without frames, reject what ends with REJ or a rejecting MPA Reply.
//
//	client= server=            private data: 4096/4096,inv (send/receive sizes, remote
//	                           invalidation), none, or bytes
//	clientaddr= serveraddr=    IPv4 or IPv6
//	port= clientport=          the service's (20049) and the client's
//	pmtu= clientqpn= serverqpn= clientpsn= serverpsn= commid= service=   RoCE
//	retry= rnrretry= acktimeout= (of the REQ)  serverrnrretry= (of the REP)  reason= (of the REJ)
//	requests=                  how often the REQ is sent, 4 s apart
//	mss= tso=                  iWARP
//	clientird= clientord= serverird= serverord=    REQ: client's Responder Resources and
//	                           Initiator Depth, REP: the server's; MPA: IRD and ORD
//	clientcredits= servercredits=   what every message of that side says
//	version=                   of RPC-over-RDMA, 1 or 2
//
// Options: private client|server bytes, set NAME=VALUE ..., and for iWARP
//
//	mpa revision=1 plain crc[=client|server] markers[=client|server] rtr=send|write|read
//	    badkey=client|server reserved=client|server pdlength=[CLIENT SERVER]
//
// where crc and markers name whose start frame asks for them, and pdlength
// states lengths (0: the right one).
//
//	pfc N|all QUANTA        a switch pauses a priority by PFC, or the whole link by PAUSE; 0 ends it
//
// # RoCE only
//
//	nak SIDE sequence|invalid|access|operational|SYNDROME [of ID | psn N]
//	rnr SIDE TIMER [of ID | psn N]      of the other side's last Send, or of a call's
//	cnp SIDE
//	packet SIDE opcode=N [psn=N] [of=N] [qpn=N] [tver=N] [pkey=N] [se] [ackreq] [badicrc]
//	    [reth=[KEY LENGTH VA]] [aeth=[SYNDROME MSN]] [ieth=KEY] [immdt=N] [payload=bytes] [take=N]
//
// A PSN is a number, or +N or -N from the next of that side; of= counts in the
// other side's, as responses do. take= lets what follows go on N PSNs later.
//
// # iWARP only
//
//	terminate SIDE LAYER/TYPE/CODE      then end the connection: fin, reset, disconnect
//	reset SIDE, fin SIDE
//	segment SIDE bytes [seq=N]         a frame with any bytes of the stream; seq=-10
//	                                    overlaps and changes nothing
//	segments SIDE 100 7 2000            the bytes of the next TCP segments
//	fpdu SIDE bytes [length=N] [pad=N] [wrongcrc] [wrongmarker=MASK]
//	fpdu SIDE untagged opcode=N qn=N [msn=+N] [mo=N] [stag=N] [payload=bytes] [more]
//	fpdu SIDE tagged opcode=N stag=N to=N [payload=bytes] [more]      more: L is not set
//
// # Options of any statement: its frames
//
//	drop [frame N]          missing from the capture; without a number all are
//	dup [frame N]           captured twice
//	late N [frame N]        changes places with the frame that many later
//	ecn [frame N]           marked by a switch that was congested
//	tag PCP [frame N]       with an 802.1Q tag of VLAN 1; offsets of edit and flip are those without it
//	icrc WAY [frame N]      the ICRC is computed in another way: nopad, reversed, ttl (as sent)
//	flip [frame N] OCTET [MASK]    bits inverted on the way: checksums are wrong then
//	edit [frame N] OFFSET bytes   changed by the sender: checksums are right (not MPA's CRC)
//
// frame N counts the statement's frames from 1, or from the end (-1); bytes
// count from the frame's first or, if negative, from its end. Of a statement
// with a Send, flip and edit mean its first frame if no frame is named.
//
// # The whole capture
//
//	only client|server      frames of one direction
//	snap N                  only the first N bytes of each frame
//
// # want RULE [PLACE], want RULE frame [N] [PLACE]
//
// As an option it expects a finding about the statement's last Send (or its
// frames, if it made none), as a statement one about the connection. The PLACE
// is bytes of the Send or, with frame, of a frame: the last one of the Send,
// the first one of a statement without, or the N-th one of the statement.
package scene
