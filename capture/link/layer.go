package link

import "github.com/rdmacap/rdmacap/field"

// The bounds of what one frame may stack. Real frames have two or three of
// each; more is a fault, so that a hostile frame costs no more than a real one.
const (
	maxTags          = 8 // VLAN tags
	maxExtensions    = 8 // IPv6 extension headers
	maxERFExtensions = 8 // ERF extension headers
)

// maxLayers bounds the headers of one frame: ERF, its
// extensions and pad, Ethernet, tags, IPv6, its extensions, TCP, its options.
const maxLayers = 1 + maxERFExtensions + 1 + 1 + maxTags + 1 + maxExtensions + 1 + 1

// layerKind says which header a layer is.
type layerKind uint8

const (
	kindERF layerKind = iota
	kindERFExtension
	kindERFEthernet
	kindNull
	kindSLL
	kindSLL2
	kindEthernet
	kindVLAN
	kindLRH
	kindGRH
	kindIPv4
	kindIPv4Options
	kindIPv6
	kindHopByHop
	kindRouting
	kindDestination
	kindFragment
	kindUDP
	kindTCP
	kindTCPOptions
	kindCount
)

// A layer is one header below the transport: where it begins and how many
// octets it has. The bounds above keep both below 2^16.
type layer struct {
	offset uint16
	size   uint16
	kind   layerKind
}

// A layerSpec is what is known of a kind of header.
type layerSpec struct {
	table *field.Table
	// summary is the value of the header's node; it is given a whole header.
	summary func(header []byte) string
	// short and snapped are the faults of a header that is not whole.
	short, snapped string
}

const (
	short   = " cut short"
	snapped = " cut short by the snap length"
)

// layerSpecs are the headers by kind.
var layerSpecs = [kindCount]layerSpec{
	kindERF:          {&erfTable, summariseERF, "ERF header" + short, "ERF header" + snapped},
	kindERFExtension: {&erfExtensionTable, summariseERFExtension, "ERF extension header" + short, "ERF extension header" + snapped},
	kindERFEthernet:  {&erfEthernetTable, nil, "ERF Ethernet pad" + short, "ERF Ethernet pad" + snapped},
	kindNull:         {&nullTable, nil, "loopback header" + short, "loopback header" + snapped},
	kindSLL:          {&sllTable, summariseSLL, "SLL header" + short, "SLL header" + snapped},
	kindSLL2:         {&sll2Table, summariseSLL2, "SLL2 header" + short, "SLL2 header" + snapped},
	kindEthernet:     {&ethernetTable, summariseEthernet, "Ethernet header" + short, "Ethernet header" + snapped},
	kindVLAN:         {&vlanTable, summariseVLAN, "VLAN tag" + short, "VLAN tag" + snapped},
	kindLRH:          {&lrhTable, summariseLRH, "LRH" + short, "LRH" + snapped},
	kindGRH:          {&grhTable, summariseIPv6, "GRH" + short, "GRH" + snapped},
	kindIPv4:         {&ipv4Table, summariseIPv4, "IPv4 header" + short, "IPv4 header" + snapped},
	kindIPv4Options:  {&ipv4OptionsTable, nil, "IPv4 options" + short, "IPv4 options" + snapped},
	kindIPv6:         {&ipv6Table, summariseIPv6, "IPv6 header" + short, "IPv6 header" + snapped},
	kindHopByHop:     {&hopByHopTable, nil, "IPv6 hop-by-hop options" + short, "IPv6 hop-by-hop options" + snapped},
	kindRouting:      {&routingTable, nil, "IPv6 routing header" + short, "IPv6 routing header" + snapped},
	kindDestination:  {&destinationTable, nil, "IPv6 destination options" + short, "IPv6 destination options" + snapped},
	kindFragment:     {&fragmentTable, nil, "IPv6 fragment header" + short, "IPv6 fragment header" + snapped},
	kindUDP:          {&udpTable, summarisePorts, "UDP header" + short, "UDP header" + snapped},
	kindTCP:          {&tcpTable, summarisePorts, "TCP header" + short, "TCP header" + snapped},
	kindTCPOptions:   {&tcpOptionsTable, nil, "TCP options" + short, "TCP options" + snapped},
}

// Tables lists the tables of all headers that Nodes shows, in the order of a
// frame from the outside in. They are shared: read them only.
func Tables() []*field.Table {
	tables := make([]*field.Table, kindCount)
	for kind := range layerSpecs {
		tables[kind] = layerSpecs[kind].table
	}
	return append(tables, optionTables()...)
}
