package device

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Offloads asks for those of an interface. What the driver cannot tell is off.
func (k *Kernel) Offloads(name string) (o Offloads) {
	o.GRO = k.word(name, unix.ETHTOOL_GGRO) != 0
	const flagLRO = 1 << 15 // ETH_FLAG_LRO of linux/ethtool.h
	o.LRO = k.word(name, unix.ETHTOOL_GFLAGS)&flagLRO != 0
	o.HWGRO = k.feature(name, "rx-gro-hw")
	return o
}

// word is a value of one number (struct ethtool_value), 0 if it cannot be had.
func (k *Kernel) word(name string, command uint32) uint32 {
	value := struct{ command, data uint32 }{command: command}
	if k.ethtool(name, unsafe.Pointer(&value)) != nil {
		return 0
	}
	return value.data
}

// Numbers of linux/ethtool.h: the set of names of features, and the bytes of a name.
const (
	setFeatures = 4
	nameSize    = 32
)

// mostFeatures is how many features of interfaces are looked through: Linux 6.18 has
// 64.
const mostFeatures = 512

// feature reports whether a feature is on, by the name that ethtool -k gives it. Which
// bit it is differs from one kernel to another.
func (k *Kernel) feature(name, feature string) bool {
	var sets struct {
		command, reserved uint32
		mask              uint64
		count             uint32
	}
	sets.command, sets.mask = unix.ETHTOOL_GSSET_INFO, 1<<setFeatures
	if k.ethtool(name, unsafe.Pointer(&sets)) != nil || sets.count == 0 || sets.count > mostFeatures {
		return false
	}
	names := new(struct {
		command, set, count uint32
		names               [mostFeatures][nameSize]byte
	})
	names.command, names.set, names.count = unix.ETHTOOL_GSTRINGS, setFeatures, sets.count
	if k.ethtool(name, unsafe.Pointer(names)) != nil {
		return false
	}
	features := new(struct {
		command, words uint32
		words32        [mostFeatures / 32]struct{ available, requested, active, never uint32 }
	})
	features.command, features.words = unix.ETHTOOL_GFEATURES, (sets.count+31)/32
	if k.ethtool(name, unsafe.Pointer(features)) != nil {
		return false
	}
	for i := range sets.count {
		if unix.ByteSliceToString(names.names[i][:]) == feature {
			return features.words32[i/32].active&(1<<(i%32)) != 0
		}
	}
	return false
}

// Speed is that of the link in Mbit/s, 0 if it is not known.
func (k *Kernel) Speed(name string) int {
	// struct ethtool_link_settings. Asked without room for the masks of link modes,
	// the kernel answers with less than zero words for each: how many it wants.
	var settings struct {
		command, speed uint32
		_              [7]uint8
		words          int8
		_              [8]uint32
		modes          [3 * 127]uint32
	}
	settings.command = unix.ETHTOOL_GLINKSETTINGS
	if k.ethtool(name, unsafe.Pointer(&settings)) != nil || settings.words >= 0 {
		return 0
	}
	settings.words = -settings.words
	const unknown = 1<<32 - 1
	if k.ethtool(name, unsafe.Pointer(&settings)) != nil || settings.speed == unknown {
		return 0
	}
	return int(settings.speed)
}

// TimeStamping asks for that of an interface.
func (k *Kernel) TimeStamping(name string) TimeStamping {
	info, err := unix.IoctlGetEthtoolTsInfo(k.control, name)
	if err != nil {
		return TimeStamping{Clock: -1}
	}
	const wanted = unix.SOF_TIMESTAMPING_RX_HARDWARE | unix.SOF_TIMESTAMPING_RAW_HARDWARE
	return TimeStamping{
		All:   info.So_timestamping&wanted == wanted && info.Rx_filters&(1<<unix.HWTSTAMP_FILTER_ALL) != 0,
		Clock: int(info.Phc_index),
	}
}

// StampAll has a card stamp every frame that it receives, if it does not do so
// already. That needs CAP_NET_ADMIN.
func (k *Kernel) StampAll(name string) error {
	if now, err := unix.IoctlGetHwTstamp(k.control, name); err == nil && now.Rx_filter == unix.HWTSTAMP_FILTER_ALL {
		return nil
	}
	return unix.IoctlSetHwTstamp(k.control, name, &unix.HwTstampConfig{Rx_filter: unix.HWTSTAMP_FILTER_ALL})
}

// ethtool does a request of ethtool, which stands at data.
func (k *Kernel) ethtool(name string, data unsafe.Pointer) error {
	r := &request{data: data}
	if len(name) >= len(r.name) {
		return unix.ENODEV
	}
	copy(r.name[:], name)
	_, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(k.control), unix.SIOCETHTOOL, uintptr(unsafe.Pointer(r)))
	if errno != 0 {
		return errno
	}
	return nil
}

// A request is a struct ifreq with a pointer.
type request struct {
	name [unix.IFNAMSIZ]byte
	data unsafe.Pointer
	_    [24 - unsafe.Sizeof(uintptr(0))]byte
}
