package build

// Transport characteristics (draft-dnoveck-nfsv4-rpcrdma-xcharext-00): the
// operations that are rdma_opttype of an OPTIONAL, the characteristics, and the
// values of the last.
const (
	InitXchar = 1
	ReqXchar  = 2
	RespXchar = 3
	UpdXchar  = 4

	XcharRBSIZ    = 1
	XcharRQREMINV = 2
	XcharBRS      = 3

	BRSUnknown = 0
	BRSNone    = 1
	BRSSizeLim = 2
	BRSGeneral = 3
)

// An Xchar is a characteristic and the XDR of its value.
type Xchar struct {
	ID   uint32
	Data []byte
}

// XcharWord is a characteristic whose value is one word, as all three that are
// defined are.
func XcharWord(id, value uint32) Xchar { return Xchar{id, appendWords(nil, value)} }

func (x Xchar) append(b []byte) []byte { return appendOpaque(appendWords(b, x.ID), x.Data) }

func appendSpec(b []byte, list []Xchar) []byte {
	b = appendWords(b, uint32(len(list)))
	for _, x := range list {
		b = x.append(b)
	}
	return b
}

// An XcharSubset are elements of a list of characteristics, from 0, each once.
type XcharSubset []int

func (s XcharSubset) append(b []byte) []byte {
	words := []uint32(nil)
	for _, n := range s {
		for n/32 >= len(words) {
			words = append(words, 0)
		}
		words[n/32] |= 1 << (n % 32)
	}
	return appendWords(appendWords(b, uint32(len(words))), words...)
}

// XcharInit is the optinfo of an INIT_XCHAR.
func XcharInit(start []Xchar, noChange XcharSubset) []byte {
	return noChange.append(appendSpec(nil, start))
}

// XcharReq is the optinfo of a REQ_XCHAR.
func XcharReq(want ...Xchar) []byte { return appendSpec(nil, want) }

// XcharResp is the optinfo of a RESP_XCHAR.
func XcharResp(done, rejected, pending XcharSubset) []byte {
	return pending.append(rejected.append(done.append(nil)))
}

// XcharUpd is the optinfo of an UPD_XCHAR.
func XcharUpd(now Xchar, pendingClear bool) []byte {
	clear := uint32(0)
	if pendingClear {
		clear = 1
	}
	return appendWords(now.append(nil), clear)
}
