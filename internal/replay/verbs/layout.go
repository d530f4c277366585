//go:build linux && (amd64 || arm64) && !noverbs

package verbs

// The layouts of the structures of <infiniband/verbs.h>, rdma-core 44 to 65, as offsets
// and sizes in bytes, in host byte order. They are the same on amd64 and arm64 but for
// what lies after a mutex.
const (
	deviceName    = 24 // char [64]
	deviceDevName = 88 // char [64], as in uverbs0
	deviceText    = 64

	deviceTransport = 20 // int

	deviceAttrSize          = 232
	deviceAttrVendor        = 96  // uint32
	deviceAttrMaxWR         = 112 // int
	deviceAttrFlags         = 116 // unsigned
	deviceAttrMaxCQE        = 132 // int
	deviceAttrMaxRdAtom     = 144 // int
	deviceAttrMaxInitRdAtom = 156 // int

	portAttrSize      = 52
	portAttrState     = 0  // int
	portAttrLinkLayer = 46 // uint8

	mrLkey = 36 // uint32
	mrRkey = 40 // uint32

	mwRkey = 16 // uint32

	channelFD = 8 // int

	sgeSize   = 16
	sgeAddr   = 0
	sgeLength = 8  // uint32
	sgeLkey   = 12 // uint32

	recvWRSize   = 32
	recvWRID     = 0
	recvWRNext   = 8
	recvWRList   = 16
	recvWRNumSGE = 24 // int

	sendWRSize       = 128
	sendWRID         = 0
	sendWRNext       = 8
	sendWRList       = 16
	sendWRNumSGE     = 24 // int
	sendWROpcode     = 28 // int
	sendWRFlags      = 32 // unsigned
	sendWRInvalidate = 36 // uint32
	sendWROffset     = 40
	sendWRHandle     = 48 // uint32
	sendWRBindMW     = 80
	sendWRBindRkey   = 88 // uint32
	sendWRBindMR     = 96
	sendWRBindAddr   = 104
	sendWRBindLength = 112
	sendWRBindAccess = 120 // unsigned

	wcSize        = 48
	wcID          = 0
	wcStatus      = 8  // int
	wcLength      = 20 // uint32
	wcInvalidated = 24 // uint32
	wcFlags       = 36 // unsigned

	qpInitSize    = 64
	qpInitSendCQ  = 8
	qpInitRecvCQ  = 16
	qpInitSendWR  = 32 // uint32
	qpInitRecvWR  = 36 // uint32
	qpInitSendSGE = 40 // uint32
	qpInitRecvSGE = 44 // uint32
	qpInitType    = 52 // int
	qpInitSignal  = 56 // int

	qpAttrSize  = 144
	qpAttrState = 0   // int
	qpAttrPort  = 129 // uint8

	flowAttrSize   = 20
	flowAttrType   = 4  // int
	flowAttrLength = 8  // uint16
	flowAttrPort   = 13 // uint8
)

// The layouts of the structures of <rdma/rdma_cma.h>.
const (
	eventChannelFD = 0 // int

	idVerbs = 0
	idQP    = 24
	idFrom  = 32  // sockaddr
	idTo    = 160 // sockaddr

	paramSize       = 24
	paramData       = 0
	paramDataLength = 8  // uint8
	paramResources  = 9  // uint8
	paramDepth      = 10 // uint8
	paramRetries    = 12 // uint8

	eventID     = 0
	eventType   = 16 // int
	eventStatus = 20 // int
	eventParam  = 24 // a conn_param
)

// The functions that are inline in the header are pointers in the ibv_context, and some
// before it, in the verbs_context around it.
const (
	contextAllocMW   = 64
	contextDeallocMW = 80
	contextPollCQ    = 96
	contextReqNotify = 104
	contextPostSend  = 208
	contextPostRecv  = 216

	contextDestroyFlow = -96
	contextCreateFlow  = -80
	contextSize        = -8 // of the verbs_context, where abi_compat says that there is one
)

// hasVerbsContext is the value of abi_compat that says so.
const hasVerbsContext = ^uintptr(0)

// The values of <infiniband/verbs.h> that are used.
const (
	qpTypeRC          = 2
	qpTypeRawPacket   = 8
	qpStateInit       = 1
	qpStateRTR        = 2
	maskState         = 1 << 0
	maskPort          = 1 << 5
	accessLocalWrite  = 1
	flowSniffer       = 3
	portActive        = 4
	linkLayerEthernet = 2
	statusSuccess     = 0

	transportIWARP  = 1
	windowsType2A   = 0x800000
	windowsType2B   = 0x1000000
	vendorSoftIWARP = 0x626d74
	vendorSoftRoCE  = 0xffffff

	accessRemoteWrite = 2
	accessRemoteRead  = 4
	accessBind        = 16

	opcodeWrite          = 0
	opcodeSend           = 2
	opcodeRead           = 4
	opcodeInvalidate     = 7
	opcodeBind           = 8
	opcodeSendInvalidate = 9
	sendSignaled         = 2
	withInvalidate       = 8
	softWithInvalidate   = 4 // Soft-RoCE puts the kernel's flag here
	windowType2          = 2
)

// The values of <rdma/rdma_cma.h> that are used.
const (
	portSpaceTCP = 0x106

	addressResolved = 0
	addressError    = 1
	routeResolved   = 2
	routeError      = 3
	connectRequest  = 4
	connectError    = 6
	unreachable     = 7
	rejected        = 8
	established     = 9
	disconnected    = 10
	deviceRemoval   = 11
)
