package rocev2

import "github.com/rdmacap/rdmacap/field"

var mraTable = field.Table{Key: "cm.mra", Name: "MRA", Title: "MsgRcptAck", Ref: "IBA 12.6.6", Fields: []field.Field{
	localCommID(),
	remoteCommID(),
	{Name: "Message MRAed", Key: "message", Bit: 64, Width: 2, Enum: nameMRAed, Doc: "the message that was received"},
	reserved(66, 6),
	timeout("Service Timeout", "servicetimeout", 9, "how soon the answer comes"),
	reserved(77, 3),
}}

var rejTable = field.Table{Key: "cm.rej", Name: "REJ", Title: "ConnectReject", Ref: "IBA 12.6.7", Fields: []field.Field{
	localCommID(),
	remoteCommID(),
	{Name: "Message REJected", Key: "message", Bit: 64, Width: 2, Enum: nameRejected, Doc: "the message that is refused"},
	reserved(66, 6),
	{Name: "Reject Info Length", Key: "infolength", Bit: 72, Width: 7, Doc: "bytes of the Additional Reject Information that count"},
	reserved(79, 1),
	{Name: "Reason", Key: "reason", Bit: 80, Width: 16, Enum: nameReject, Doc: "why"},
	additionalInfo("Additional Reject Information (ARI)", "info", 12),
}}

var repTable = field.Table{Key: "cm.rep", Name: "REP", Title: "ConnectReply", Ref: "IBA 12.6.8", Fields: []field.Field{
	localCommID(),
	remoteCommID(),
	{Name: "Local Q_Key", Key: "localqkey", Bit: 64, Width: 32, Format: field.Hex, Doc: "queue key of an RD queue pair"},
	queuePair("Local QPN", "localqpn", 12, "the sender's queue pair"),
	{Name: "VendorID high", Key: "vendorid_high", Bit: 120, Width: 8, Format: field.Hex, Doc: "of the sender's vendor, bits 23 to 16; reserved in older releases"},
	queuePair("Local EE Context Number", "localeecn", 16, "the sender's end-to-end context (RD)"),
	{Name: "VendorID middle", Key: "vendorid_middle", Bit: 152, Width: 8, Format: field.Hex, Doc: "bits 15 to 8"},
	{Name: "Starting PSN", Key: "startingpsn", Bit: 160, Width: 24, Format: field.Hex, Doc: "of the first packet that the receiver is to send"},
	{Name: "VendorID low", Key: "vendorid_low", Bit: 184, Width: 8, Format: field.Hex, Doc: "bits 7 to 0"},
	{Name: "Responder Resources", Key: "responderresources", Bit: 192, Width: 8, Doc: "RDMA Reads and atomics that the sender accepts at a time"},
	{Name: "Initiator Depth", Key: "initiatordepth", Bit: 200, Width: 8, Doc: "RDMA Reads and atomics that the sender issues at a time"},
	timeout("Target ACK Delay", "ackdelay", 26, "how long the sender may take to acknowledge"),
	{Name: "Failover Accepted", Key: "failover", Bit: 213, Width: 2, Enum: nameFailover, Doc: "what became of the REQ's alternate path"},
	{Name: "End-To-End Flow Control", Key: "flowcontrol", Bit: 215, Width: 1, Format: field.Flag, Doc: "the sender's ACKs carry credits"},
	{Name: "RNR Retry Count", Key: "rnrretrycount", Bit: 216, Width: 3, Enum: nameRNRRetry, Doc: "how often the receiver is to retransmit after an RNR NAK"},
	{Name: "SRQ", Key: "srq", Bit: 219, Width: 1, Format: field.Flag, Doc: "the sender's queue pair has a shared receive queue"},
	reserved(220, 4),
	{Name: "Local CA GUID", Key: "localcaguid", Bit: 224, Width: 64, Format: field.Hex, Doc: "the sender's channel adapter"},
}}

var rtuTable = field.Table{Key: "cm.rtu", Name: "RTU", Title: "ReadyToUse", Ref: "IBA 12.6.9",
	Fields: []field.Field{localCommID(), remoteCommID()}}

var dreqTable = field.Table{Key: "cm.dreq", Name: "DREQ", Title: "DisconnectRequest", Ref: "IBA 12.6.10", Fields: []field.Field{
	localCommID(),
	remoteCommID(),
	queuePair("Remote QPN/EECN", "remoteqpn", 8, "the receiver's queue pair"),
	reserved(88, 8),
}}

var drepTable = field.Table{Key: "cm.drep", Name: "DREP", Title: "DisconnectReply", Ref: "IBA 12.6.11",
	Fields: []field.Field{localCommID(), remoteCommID()}}

var sidrReqTable = field.Table{Key: "cm.sidr_req", Name: "SIDR_REQ", Title: "ServiceIDResReq", Ref: "IBA 12.11.1", Fields: []field.Field{
	commID("RequestID", "requestid", 0, "binds request and response"),
	{Name: "Partition Key", Key: "pkey", Bit: 32, Width: 16, Format: field.Hex, Doc: "P_Key that the sender is going to use"},
	reserved(48, 16),
	serviceID(8),
}}

var sidrRepTable = field.Table{Key: "cm.sidr_rep", Name: "SIDR_REP", Title: "ServiceIDResReqResp", Ref: "IBA 12.11.2", Fields: []field.Field{
	commID("RequestID", "requestid", 0, "binds request and response"),
	{Name: "Status", Key: "status", Bit: 32, Width: 8, Enum: nameSIDRStatus, Doc: "whether there is such a service"},
	{Name: "Additional Information Length", Key: "infolength", Bit: 40, Width: 8, Doc: "bytes of the Additional Information that count"},
	{Name: "VendorID high", Key: "vendorid_high", Bit: 48, Width: 16, Format: field.Hex, Doc: "of the sender's vendor, bits 23 to 8; reserved in older releases"},
	queuePair("QPN", "qpn", 8, "the service's queue pair"),
	{Name: "VendorID low", Key: "vendorid_low", Bit: 88, Width: 8, Format: field.Hex, Doc: "bits 7 to 0"},
	serviceID(12),
	{Name: "Q_Key", Key: "qkey", Bit: 160, Width: 32, Format: field.Hex, Doc: "the right to send to that queue pair"},
	additionalInfo("Additional Information", "info", 24),
}}

// lapTable has the alternate path in another order than a REQ.
var lapTable = field.Table{Key: "cm.lap", Name: "LAP", Title: "LoadAlternatePath", Ref: "IBA 12.8.1", Fields: []field.Field{
	localCommID(),
	remoteCommID(),
	reserved(64, 32),
	queuePair("Remote QPN/EECN", "remoteqpn", 12, "the receiver's queue pair"),
	timeout("Remote CM Response Timeout", "remotetimeout", 15, "how soon the receiver is to answer"),
	reserved(125, 3),
	reserved(128, 32),
	{Name: "Alternate Local Port LID", Key: "alternate_locallid", Bit: 160, Width: 16, Format: field.Hex, Doc: "the sender's LID"},
	{Name: "Alternate Remote Port LID", Key: "alternate_remotelid", Bit: 176, Width: 16, Format: field.Hex, Doc: "the receiver's LID"},
	{Name: "Alternate Local Port GID", Key: "alternate_localgid", Bit: 192, Width: 128, Format: field.IP, Doc: "the sender's GID"},
	{Name: "Alternate Remote Port GID", Key: "alternate_remotegid", Bit: 320, Width: 128, Format: field.IP, Doc: "the receiver's GID"},
	{Name: "Alternate Flow Label", Key: "alternate_flowlabel", Bit: 448, Width: 20, Format: field.Hex, Doc: "for the GRH or IPv6 header"},
	reserved(468, 4),
	{Name: "Alternate Traffic Class", Key: "alternate_tclass", Bit: 472, Width: 8, Format: field.Hex, Doc: "for the GRH or IP header"},
	{Name: "Alternate Hop Limit", Key: "alternate_hoplimit", Bit: 480, Width: 8, Doc: "for the GRH or IP header"},
	reserved(488, 2),
	{Name: "Alternate Packet Rate", Key: "alternate_packetrate", Bit: 490, Width: 6, Enum: namePacketRate, Doc: "the fastest that the sender is to send"},
	{Name: "Alternate SL", Key: "alternate_sl", Bit: 496, Width: 4, Doc: "service level"},
	{Name: "Alternate Subnet Local", Key: "alternate_subnetlocal", Bit: 500, Width: 1, Format: field.Flag, Doc: "both ends are on one subnet"},
	reserved(501, 3),
	timeout("Alternate Local ACK Timeout", "alternate_acktimeout", 63, "how long the sender's queue pair waits for an ACK"),
	reserved(509, 3),
}}

var aprTable = field.Table{Key: "cm.apr", Name: "APR", Title: "AlternatePathResponse", Ref: "IBA 12.8.2", Fields: []field.Field{
	localCommID(),
	remoteCommID(),
	{Name: "Additional Information Length", Key: "infolength", Bit: 64, Width: 8, Doc: "bytes of the Additional Information that count"},
	{Name: "AP Status", Key: "status", Bit: 72, Width: 8, Enum: nameAPStatus, Doc: "what became of the alternate path"},
	reserved(80, 16),
	additionalInfo("Additional Information", "info", 12),
}}
