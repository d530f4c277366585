package device

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"syscall"

	"golang.org/x/sys/unix"
)

// A Kernel answers questions about network interfaces. It is for one goroutine at a
// time.
type Kernel struct {
	netlink, control int
	sequence         uint32
	buffer           []byte
}

// Open opens a Kernel for the network namespace of the calling thread.
func Open() (*Kernel, error) {
	netlink, err := unix.Socket(unix.AF_NETLINK, unix.SOCK_RAW|unix.SOCK_CLOEXEC, unix.NETLINK_ROUTE)
	if err != nil {
		return nil, fmt.Errorf("netlink: %w", err)
	}
	control, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		unix.Close(netlink)
		return nil, fmt.Errorf("socket: %w", err)
	}
	return &Kernel{netlink: netlink, control: control, buffer: make([]byte, 64<<10)}, nil
}

// Close releases what asking needs.
func (k *Kernel) Close() {
	unix.Close(k.netlink)
	unix.Close(k.control)
}

// Named is the interface of that name; the error is fs.ErrNotExist if there is none.
func (k *Kernel) Named(name string) (Interface, error) {
	r, err := unix.NewIfreq(name)
	if err != nil {
		return Interface{}, fs.ErrNotExist // too long for a name
	}
	if err := unix.IoctlIfreq(k.control, unix.SIOCGIFINDEX, r); err == unix.ENODEV {
		return Interface{}, fs.ErrNotExist
	} else if err != nil {
		return Interface{}, err
	}
	return k.Numbered(int(r.Uint32()))
}

// Numbered is the interface of that index; the error is fs.ErrNotExist if there is none.
func (k *Kernel) Numbered(index int) (Interface, error) {
	list, err := k.ask(index, 0)
	if err == nil && len(list) == 0 {
		err = fs.ErrNotExist
	}
	if err != nil {
		return Interface{}, err
	}
	return list[0], nil
}

// All are all interfaces, in the kernel's order.
func (k *Kernel) All() ([]Interface, error) { return k.ask(0, unix.NLM_F_DUMP) }

// ask sends an RTM_GETLINK and takes the answers.
func (k *Kernel) ask(index int, flags uint16) (list []Interface, err error) {
	k.sequence++
	ask := make([]byte, unix.NLMSG_HDRLEN+unix.SizeofIfInfomsg)
	h := binary.NativeEndian
	h.PutUint32(ask, uint32(len(ask)))
	h.PutUint16(ask[4:], unix.RTM_GETLINK)
	h.PutUint16(ask[6:], unix.NLM_F_REQUEST|flags)
	h.PutUint32(ask[8:], k.sequence)
	h.PutUint32(ask[unix.NLMSG_HDRLEN+4:], uint32(index))
	if err := unix.Sendto(k.netlink, ask, 0, &unix.SockaddrNetlink{Family: unix.AF_NETLINK}); err != nil {
		return nil, fmt.Errorf("netlink: %w", err)
	}
	for {
		n, _, err := unix.Recvfrom(k.netlink, k.buffer, 0)
		if err == unix.EINTR {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("netlink: %w", err)
		}
		messages, err := syscall.ParseNetlinkMessage(k.buffer[:n])
		if err != nil {
			return nil, fmt.Errorf("netlink: %w", err)
		}
		for i := range messages {
			m := &messages[i]
			switch {
			case m.Header.Seq != k.sequence:
			case m.Header.Type == unix.NLMSG_DONE:
				return list, nil
			case m.Header.Type == unix.NLMSG_ERROR:
				return nil, netlinkError(m.Data)
			case m.Header.Type == unix.RTM_NEWLINK:
				list = append(list, linkOf(m))
				if flags&unix.NLM_F_DUMP == 0 {
					return list, nil
				}
			}
		}
	}
}

// netlinkError is the error in an NLMSG_ERROR.
func netlinkError(data []byte) error {
	if len(data) < 4 {
		return unix.EPROTO
	}
	errno := unix.Errno(-int32(binary.NativeEndian.Uint32(data)))
	if errno == unix.ENODEV {
		return fs.ErrNotExist
	}
	return errno
}

// statsMissed is where in struct rtnl_link_stats64 (linux/if_link.h) rx_missed_errors
// stands, in bytes.
const statsMissed = 15 * 8

// linkOf reads an RTM_NEWLINK.
func linkOf(m *syscall.NetlinkMessage) (x Interface) {
	h := binary.NativeEndian
	x.Type, x.Index = h.Uint16(m.Data[2:]), int(h.Uint32(m.Data[4:]))
	flags := h.Uint32(m.Data[8:])
	x.Up, x.Carrier = flags&unix.IFF_UP != 0, flags&unix.IFF_LOWER_UP != 0
	attrs, err := syscall.ParseNetlinkRouteAttr(m)
	if err != nil {
		return x
	}
	for _, a := range attrs {
		switch {
		case a.Attr.Type == unix.IFLA_IFNAME:
			x.Name = unix.ByteSliceToString(a.Value)
		case a.Attr.Type == unix.IFLA_MTU && len(a.Value) >= 4:
			x.MTU = int(h.Uint32(a.Value))
		case a.Attr.Type == unix.IFLA_STATS64 && len(a.Value) >= statsMissed+8:
			x.Missed = h.Uint64(a.Value[statsMissed:])
		}
	}
	return x
}
