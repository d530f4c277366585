//go:build linux && (amd64 || arm64) && !noverbs

package verbs

// The layouts of the structures of <infiniband/verbs.h>, rdma-core 44 to 65, as offsets
// and sizes in octets, in host byte order. They are the same on amd64 and arm64 but for
// what lies behind a mutex.
const (
	deviceName    = 24 // char [64]
	deviceDevName = 88 // char [64], as in uverbs0
	deviceText    = 64

	deviceAttrSize  = 232
	deviceAttrMaxWR = 112 // int

	portAttrSize      = 52
	portAttrState     = 0  // int
	portAttrLinkLayer = 46 // uint8

	mrLkey = 36 // uint32

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

	wcSize   = 48
	wcID     = 0
	wcStatus = 8  // int
	wcLength = 20 // uint32

	qpInitSize    = 64
	qpInitSendCQ  = 8
	qpInitRecvCQ  = 16
	qpInitRecvWR  = 36 // uint32
	qpInitRecvSGE = 44 // uint32
	qpInitType    = 52 // int

	qpAttrSize  = 144
	qpAttrState = 0   // int
	qpAttrPort  = 129 // uint8

	flowAttrSize   = 20
	flowAttrType   = 4  // int
	flowAttrLength = 8  // uint16
	flowAttrPort   = 13 // uint8
)

// The functions that are inline in the header are pointers in the ibv_context, and some
// before it, in the verbs_context around it.
const (
	contextPollCQ    = 96
	contextReqNotify = 104
	contextPostRecv  = 216

	contextDestroyFlow = -96
	contextCreateFlow  = -80
	contextSize        = -8 // of the verbs_context, where abi_compat says that there is one
)

// hasVerbsContext is the value of abi_compat that says so.
const hasVerbsContext = ^uintptr(0)

// The values of <infiniband/verbs.h> that are used.
const (
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
)
