package rocev2

import (
	"slices"

	"github.com/rdmacap/rdmacap/field"
)

var reqTable = field.Table{Key: "cm.req", Name: "REQ", Title: "ConnectRequest", Ref: "IBA 12.6.5", Fields: slices.Concat(
	[]field.Field{
		localCommID(),
		reserved(32, 32),
		serviceID(8),
		{Name: "Local CA GUID", Key: "localcaguid", Bit: 128, Width: 64, Format: field.Hex, Doc: "the sender's channel adapter"},
		{Name: "VendorID", Key: "vendorid", Bit: 192, Width: 24, Format: field.Hex, Doc: "the sender's vendor, for enhanced connection establishment; reserved in older releases"},
		reserved(216, 8),
		{Name: "Local Q_Key", Key: "localqkey", Bit: 224, Width: 32, Format: field.Hex, Doc: "queue key of an RD queue pair"},
		queuePair("Local QPN", "localqpn", 32, "the sender's queue pair"),
		{Name: "Responder Resources", Key: "responderresources", Bit: 280, Width: 8, Doc: "RDMA Reads and atomics that the sender accepts at a time"},
		queuePair("Local EECN", "localeecn", 36, "the sender's end-to-end context (RD)"),
		{Name: "Initiator Depth", Key: "initiatordepth", Bit: 312, Width: 8, Doc: "RDMA Reads and atomics that the sender issues at a time"},
		queuePair("Remote EECN", "remoteecn", 40, "the receiver's end-to-end context (RD)"),
		timeout("Remote CM Response Timeout", "remotetimeout", 43, "how soon the receiver is to answer"),
		{Name: "Transport Service Type", Key: "transport", Bit: 349, Width: 2, Enum: nameTransport, Doc: "kind of the connection"},
		{Name: "End-to-End Flow Control", Key: "flowcontrol", Bit: 351, Width: 1, Format: field.Flag, Doc: "the sender's ACKs carry credits"},
		{Name: "Starting PSN", Key: "startingpsn", Bit: 352, Width: 24, Format: field.Hex, Doc: "of the first packet that the receiver is to send"},
		timeout("Local CM Response Timeout", "localtimeout", 47, "how soon the sender answers"),
		{Name: "Retry Count", Key: "retrycount", Bit: 381, Width: 3, Doc: "how often the receiver is to retransmit"},
		{Name: "Partition Key", Key: "pkey", Bit: 384, Width: 16, Format: field.Hex, Doc: "P_Key of the connection"},
		{Name: "Path Packet Payload MTU", Key: "pathmtu", Bit: 400, Width: 4, Enum: namePathMTU, Doc: "largest payload of a packet"},
		{Name: "RDC Exists", Key: "rdcexists", Bit: 404, Width: 1, Format: field.Flag, Doc: "the sender has an RD channel already"},
		{Name: "RNR Retry Count", Key: "rnrretrycount", Bit: 405, Width: 3, Enum: nameRNRRetry, Doc: "how often the receiver is to retransmit after an RNR NAK"},
		{Name: "Max CM Retries", Key: "maxcmretries", Bit: 408, Width: 4, Doc: "how often CM messages are retransmitted"},
		{Name: "SRQ", Key: "srq", Bit: 412, Width: 1, Format: field.Flag, Doc: "the sender's queue pair has a shared receive queue"},
		{Name: "Extended Transport Type", Key: "exttransport", Bit: 413, Width: 3, Enum: nameExtTransport, Doc: "kind of the connection, if the Transport Service Type is 3"},
	},
	path("Primary", "primary", 52),
	[]field.Field{reserved(765, 3)},
	path("Alternate", "alternate", 96),
	[]field.Field{
		{Name: "SAP Supported", Key: "sapsupported", Bit: 1117, Width: 1, Format: field.Flag, Doc: "suggest alternate path messages are understood; reserved in older releases"},
		reserved(1118, 2),
	},
)}

// ipcmTable is the part of the private data that the RDMA IP CM service takes.
var ipcmTable = field.Table{Key: "cm.ip", Name: "IP CM", Title: "RDMA IP CM Service Header", Ref: "IBA Annex A11", Fields: []field.Field{
	{Name: "MajVer", Key: "majver", Bit: 0, Width: 4, Doc: "0"},
	{Name: "MinVer", Key: "minver", Bit: 4, Width: 4, Doc: "0"},
	{Name: "IPVer", Key: "ipver", Bit: 8, Width: 4, Doc: "4 or 6"},
	reserved(12, 4),
	{Name: "Source Port", Key: "srcport", Bit: 16, Width: 16, Doc: "the sender's port"},
	{Name: "Source IP Address", Key: "src", Bit: 32, Width: 128, Format: field.IP, Doc: "the sender's address; IPv4 in the last four bytes"},
	{Name: "Destination IP Address", Key: "dst", Bit: 160, Width: 128, Format: field.IP, Doc: "the receiver's address"},
}}
