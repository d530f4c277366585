package rpcrdma
import "encoding/binary"
type PrivateData struct{Version, Flags, SendSizeCode, ReceiveSizeCode uint8; Offset int}
func (p PrivateData) RemoteInvalidation() bool { return p.Flags&1!=0}
func (p PrivateData) SendSize() int { return (int(p.SendSizeCode)+1)*1024}
func (p PrivateData) ReceiveSize() int { return (int(p.ReceiveSizeCode)+1)*1024}
func FindPrivateData(b []byte) (PrivateData, bool) { if len(b)<8||binary.BigEndian.Uint32(b)!=0xf6ab0e18 {return PrivateData{},false}; return PrivateData{b[4],b[5],b[6],b[7],0}, true}
type Src uint8
func (Src) String() string { return "private-data"}
type Thresholds struct {ToServer, ToClient int; Source Src}
func NegotiatedThresholds(c, s *PrivateData) (t Thresholds) { t.ToServer=1024; t.ToClient=1024; if c!=nil&&s!=nil { t.ToServer=min(c.SendSize(), s.ReceiveSize()); t.ToClient=min(s.SendSize(), c.ReceiveSize())}; return}
