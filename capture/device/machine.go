package device

// A Machine is what can be captured, and used, on a machine by this process.
type Machine struct {
	Interfaces []Card
	Devices    []Device
	// NetRaw and NetAdmin are the capabilities CAP_NET_RAW and CAP_NET_ADMIN.
	NetRaw, NetAdmin bool
	// Program is the path of this program's file, "" if it is not known.
	Program string
	// Libraries are those that use RDMA devices, and whether they are installed.
	Libraries []Library
	// NoVerbs says that this build of the program can use none of them (the tag noverbs).
	NoVerbs bool
}

// A Card is a network interface with what its card can do.
type Card struct {
	Interface
	// Speed is that of the link in Mbit/s, 0 if it is not known.
	Speed int
	Offloads
	TimeStamping
}

// A Library is one that programs load.
type Library struct {
	Name  string
	Found bool
}

// An Interface is a network interface.
type Interface struct {
	Name  string
	Index int
	// Type is that of its hardware (ARPHRD_ETHER and others of linux/if_arp.h).
	Type uint16
	// Up says that it was set up by whoever administers it, Carrier that its link is up
	// as well.
	Up, Carrier bool
	// MTU is the longest IP packet in bytes.
	MTU int
	// Missed are the frames that the card dropped since the machine had no room for them:
	// rx_missed_errors (linux/if_link.h). Those that the kernel dropped are not told apart
	// from those that it had nobody for: rx_dropped has both.
	Missed uint64
}

// Hardware types of interfaces (linux/if_arp.h).
const (
	TypeEthernet   = 1
	TypeInfiniBand = 32
	TypeLoopback   = 772
)

// Capturable reports whether live can capture on it.
func (x *Interface) Capturable() bool { return x.Type == TypeEthernet || x.Type == TypeLoopback }

// A TimeStamping is what a card can do for the times of frames.
type TimeStamping struct {
	// All says that it can stamp every frame that it receives; Clock is the number of
	// its clock (/dev/ptpN), -1 if it has none.
	All   bool
	Clock int
}
