package live

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"github.com/rdmacap/rdmacap/capture/device"
)

// Open captures on interfaces, from now on; a frame's File is the index of its name. It
// captures in the network namespace of the calling thread. An error says, in one line,
// which interface cannot be captured, why, and what mends it.
func Open(names []string, o Options) (*Source, error) {
	kernel, err := device.Open()
	if err != nil {
		return nil, err
	}
	s := &Source{kernel: kernel, onChange: o.Notify, state: o.State, looked: time.Now()}
	if s.wake, err = unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK); err != nil {
		kernel.Close()
		return nil, fmt.Errorf("eventfd: %w", err)
	}
	for i, name := range names {
		r, err := s.addRing(name, &o)
		if err != nil {
			s.Close() // nothing was read
			return nil, err
		}
		r.rank = i
	}
	return s, nil
}

// addRing opens an interface.
func (s *Source) addRing(name string, o *Options) (*ring, error) {
	if name == "any" {
		return nil, errors.New("any: cannot be used: it does not deliver frames addressed to other hosts, such as those of a mirror port, " +
			"and delivers those of a bond or bridge twice; name the interfaces, each with -i ('rdmacap interfaces' lists them)")
	}
	x, err := s.kernel.Named(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such interface ('rdmacap interfaces' lists them)", name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	case x.Type == device.TypeInfiniBand:
		return nil, fmt.Errorf("%s is IP over InfiniBand, where RDMA traffic is not visible; "+
			"capture on the device: ibdump -w - | rdmacap live -r -", name)
	case !x.Capturable():
		return nil, fmt.Errorf("%s is not Ethernet but hardware type %d; tcpdump -i %s -U -w - | rdmacap live -r - may work", name, x.Type, name)
	}
	options := *o
	if options.Hardware {
		options.Hardware = s.stamped(name)
	}
	r, err := openRing(name, x.Index, &options)
	if err != nil {
		return nil, err
	}
	s.rings = append(s.rings, r)
	r.clock.now, r.lost = time.Now, x.Missed
	if x.Type == device.TypeLoopback {
		if err := r.withoutCopies(); err != nil {
			return nil, fmt.Errorf("%s: every frame would come twice: %w", name, err)
		}
	}
	if remedy := s.kernel.Offloads(name).Remedy(name); remedy != "" && x.Type != device.TypeLoopback {
		s.notify(name, "TCP segments are merged before they are captured, so frames of iWARP are not those on the wire; fix this with: "+remedy)
	}
	return r, nil
}

// stamped reports whether the card stamps every frame, after it was asked to.
func (s *Source) stamped(name string) bool {
	if !s.kernel.TimeStamping(name).All {
		s.notify(name, "the adapter cannot timestamp all frames; using the kernel's timestamps")
		return false
	}
	if err := s.kernel.StampAll(name); err != nil {
		s.notify(name, fmt.Sprintf("the adapter's timestamps cannot be turned on (%v; this needs CAP_NET_ADMIN); using the kernel's", err))
		return false
	}
	return true
}

// socketError says why there is no packet socket.
func socketError(name string, err error) error {
	if err != unix.EPERM && err != unix.EACCES {
		return fmt.Errorf("%s: cannot be captured: %w", name, err)
	}
	program, failed := os.Executable()
	if failed != nil {
		program = "rdmacap"
	}
	return fmt.Errorf("%s: capturing needs the capability CAP_NET_RAW, which this process lacks; "+
		"run it as root, or give it to the program once: setcap cap_net_raw+ep %s", name, program)
}
