package web

import (
	"fmt"
	"net/netip"
)

// Public reports whether an address is one of the public internet. Addresses that carry
// another one within, for gateways, count as that one.
func Public(a netip.Addr) bool {
	if a.Zone() != "" {
		return false
	}
	a = a.Unmap()
	if a.Is4() {
		return !within(a, special4)
	}
	if nat64.Contains(a) {
		b := a.As16()
		return Public(netip.AddrFrom4([4]byte(b[12:])))
	}
	return global6.Contains(a) && !within(a, special6)
}

func within(a netip.Addr, ranges []netip.Prefix) bool {
	for _, r := range ranges {
		if r.Contains(a) {
			return true
		}
	}
	return false
}

// The ranges that IANA's registries of special-purpose addresses do not call globally
// reachable, and those that are for groups. A network with IPv6 alone reaches IPv4 through
// nat64. 6to4 and Teredo carry any IPv4 address, and nobody offers a page there.
var (
	special4 = prefixes(
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
		"192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
		"168.63.129.16/32", // public by its number, but Azure's own service on every machine there
	)
	nat64    = netip.MustParsePrefix("64:ff9b::/96")
	global6  = netip.MustParsePrefix("2000::/3")
	special6 = prefixes(
		"2001::/23",     // protocols: Teredo, benchmarking, ORCHID
		"2001:db8::/32", // documentation
		"2002::/16",     // 6to4
		"3fff::/20",     // documentation
	)
)

func prefixes(list ...string) []netip.Prefix {
	ranges := make([]netip.Prefix, len(list))
	for i, p := range list {
		ranges[i] = netip.MustParsePrefix(p)
	}
	return ranges
}

// A notPublic is an address that is not connected to.
type notPublic struct{ address string }

func (e *notPublic) Error() string { return fmt.Sprintf("%s is no public address", e.address) }

// checkAddress returns why a socket must not connect to an address.
func checkAddress(address string) error {
	to, err := netip.ParseAddrPort(address)
	if err != nil || !Public(to.Addr()) || to.Port() != 80 && to.Port() != 443 {
		return &notPublic{address}
	}
	return nil
}
