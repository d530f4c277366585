// Package device says what the network interfaces and RDMA devices of a Linux
// machine are and can do, as far as capturing and replaying need it.
//
// A Kernel asks by netlink (rtnetlink(7)) and by the requests of ethtool
// (linux/ethtool.h), in the network namespace in which it was opened, whoever
// calls it later. RDMA devices stand in sysfs (Documentation/ABI/stable/
// sysfs-class-infiniband).
package device
