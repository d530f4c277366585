package link

import "github.com/rdmacap/rdmacap/field"

// The bounds of what one frame may stack. Real frames have two or three of
// each; more is a fault, so that a hostile frame costs no more than a real one.
const (
	maxTags          = 8  // VLAN tags
	maxExtensions    = 8  // IPv6 extension headers
	maxERFExtensions = 8  // ERF extension headers
	maxLabels        = 16 // MPLS labels
)

// maxLayers bounds the headers of one frame: ERF, its extensions and pad; Ethernet, IP
// and its options, around each tunnel and in the last; the headers of each, of which
// ERSPAN III has most, a GRE header with three fields and three of its own; all tags,
// extensions and labels; TCP and its options.
const maxLayers = 1 + maxERFExtensions + 1 + 3*(maxTunnels+1) + 7*maxTunnels + maxTags + maxExtensions + maxLabels + 2

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
	kindGRE
	kindGREChecksum
	kindGREKey
	kindGRESequence
	kindERSPAN
	kindERSPAN2
	kindERSPAN3
	kindERSPANPlatform
	kindVXLAN
	kindGeneve
	kindGeneveOptions
	kindMPLS
	kindControlWord
	kindPPPoE
	kindPPP
	kindFabricPath
	kindVNTag
	kindPBB
	kindArista
	kindAristaTime64
	kindAristaTime48
	kindNSH
	kindNSHContext
	kindCount
)

// A layer is one header below the transport: where it begins and how many
// bytes it has. The bounds above keep both below 2^16.
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

	kindGRE:            {&greTable, summariseGRE, "GRE header" + short, "GRE header" + snapped},
	kindGREChecksum:    {&greChecksumTable, nil, "GRE checksum" + short, "GRE checksum" + snapped},
	kindGREKey:         {&greKeyTable, nil, "GRE key" + short, "GRE key" + snapped},
	kindGRESequence:    {&greSequenceTable, nil, "GRE sequence number" + short, "GRE sequence number" + snapped},
	kindERSPAN:         {&erspanTable, summariseERSPAN, "ERSPAN header" + short, "ERSPAN header" + snapped},
	kindERSPAN2:        {&erspan2Table, nil, "ERSPAN II header" + short, "ERSPAN II header" + snapped},
	kindERSPAN3:        {&erspan3Table, nil, "ERSPAN III header" + short, "ERSPAN III header" + snapped},
	kindERSPANPlatform: {&erspanPlatformTable, nil, "ERSPAN platform subheader" + short, "ERSPAN platform subheader" + snapped},
	kindVXLAN:          {&vxlanTable, summariseVNI, "VXLAN header" + short, "VXLAN header" + snapped},
	kindGeneve:         {&geneveTable, summariseVNI, "Geneve header" + short, "Geneve header" + snapped},
	kindGeneveOptions:  {&geneveOptionsTable, nil, "Geneve options" + short, "Geneve options" + snapped},
	kindMPLS:           {&mplsTable, summariseMPLS, "MPLS label" + short, "MPLS label" + snapped},
	kindControlWord:    {&controlWordTable, nil, "pseudowire control word" + short, "pseudowire control word" + snapped},
	kindPPPoE:          {&pppoeTable, summarisePPPoE, "PPPoE header" + short, "PPPoE header" + snapped},
	kindPPP:            {&pppTable, nil, "PPP header" + short, "PPP header" + snapped},
	kindFabricPath:     {&fabricPathTable, nil, "FabricPath header" + short, "FabricPath header" + snapped},
	kindVNTag:          {&vnTagTable, summariseVNTag, "VN-tag" + short, "VN-tag" + snapped},
	kindPBB:            {&pbbTable, summarisePBB, "802.1ah I-TAG" + short, "802.1ah I-TAG" + snapped},
	kindArista:         {&aristaTable, nil, "Arista header" + short, "Arista header" + snapped},
	kindAristaTime64:   {&aristaTime64Table, nil, "Arista timestamp" + short, "Arista timestamp" + snapped},
	kindAristaTime48:   {&aristaTime48Table, nil, "Arista timestamp" + short, "Arista timestamp" + snapped},
	kindNSH:            {&nshTable, summariseNSH, "NSH" + short, "NSH" + snapped},
	kindNSHContext:     {&nshContextTable, nil, "NSH context headers" + short, "NSH context headers" + snapped},
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
