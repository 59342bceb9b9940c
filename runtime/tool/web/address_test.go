package web

import (
	"net/netip"
	"net/url"
	"strings"
	"testing"
)

func TestOnlyPublicAddressesAreConnectedTo(t *testing.T) {
	t.Parallel()
	for _, a := range []string{
		"127.0.0.1:80", "127.255.255.254:80", "[::1]:80", "0.0.0.0:80", "[::]:80", "0.1.2.3:80",
		"10.0.0.1:80", "172.16.0.1:80", "172.31.255.255:443", "192.168.1.1:80", "169.254.169.254:80", "100.64.0.1:80", "100.127.255.255:80",
		"192.0.0.8:80", "192.0.2.1:80", "198.51.100.1:80", "203.0.113.1:80", "198.18.0.1:80", "198.19.255.255:80", "192.88.99.1:80",
		"224.0.0.1:80", "239.255.255.255:80", "240.0.0.1:80", "255.255.255.255:80", "168.63.129.16:80",
		"[fe80::1]:80", "[fe80::1%eth0]:80", "[2606:4700::1111%eth0]:80", "[fec0::1]:80", "[fc00::1]:80", "[fdff::1]:80", "[ff02::1]:80",
		"[::ffff:127.0.0.1]:80", "[::ffff:10.0.0.1]:80", "[::127.0.0.1]:80", "[64:ff9b::7f00:1]:80", "[64:ff9b::a9fe:a9fe]:80", "[64:ff9b:1::1]:80",
		"[2001:db8::1]:80", "[3fff::1]:80", "[2001:2::1]:80", "[2001:10::1]:80", "[2001::7f00:1]:80", "[2002:7f00:1::]:80", "[2002:a00:1::]:80", "[100::1]:80", "[5f00::1]:80",
		"8.8.8.8:22", "8.8.8.8:8080", "[2606:4700::1111]:6379", "8.8.8.8:0", "8.8.8.8", "", "example.com:80", "\x00:80",
	} {
		if checkAddress(a) == nil {
			t.Errorf("%q is connected to", a)
		}
	}
	for _, a := range []string{
		"8.8.8.8:80", "93.184.215.14:443", "172.32.0.1:80", "172.15.0.1:80", "100.63.255.255:80", "100.128.0.1:80", "198.20.0.1:80", "223.255.255.255:80",
		"[2606:4700::1111]:443", "[64:ff9b::808:808]:443", "[2001:200::1]:80", "[::ffff:8.8.8.8]:80",
	} {
		if err := checkAddress(a); err != nil {
			t.Errorf("%q: %v", a, err)
		}
	}
}

func TestUnusualWaysToWriteAHostAreRefused(t *testing.T) {
	t.Parallel()
	for _, u := range []string{
		"http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://127.0.0.01/", "http://0/", "http://1.2.3.4.5/", "http://256.1.1.1/", "http://a.0x1f/", "http://a.1/",
		"http://127.0.0.1/", "http://127.0.0.1./", "http://１２７.0.0.1/", "http://127。0。0。1/", "http://①②⑦.0.0.1/", "http://localhost/", "http://LOCALHOST./", "http://a.localhost/", "http://%6cocalhost/", "http://169.254.169.254/",
		"http://[::1]/", "http://[::ffff:127.0.0.1]/", "http://[::ffff:8.8.8.8]/", "http://[fe80::1%25eth0]/", "http://[::]/", "http://[64:ff9b::7f00:1]/", "http://[127.0.0.1]/", "http://[::1/", "http://::1/",
		"http://user@example.com/", "http://user:secret@example.com/", "http://@example.com/", "http://example.com:8080/", "http://example.com:22/", "http://example.com:/", "http://example.com:080/", "http://example.com:80:80/",
		"ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "data:text/plain,a", "gopher://example.com/", "//example.com/", "example.com", "", "http://", "http:///x", "http:example.com", "https:/example.com",
		"http://exa mple.com/", "http://example.com\\@127.0.0.1/", "http://example..com/", "http://.example.com/", "http://exa%00mple.com/", "http://exa\nmple.com/", "http://" + strings.Repeat("a", 64) + ".com/", "http://" + strings.Repeat("a.", 130) + "com/", "http://example.com/" + strings.Repeat("x", 9000),
	} {
		if a, why := clean(u); why == nil {
			t.Errorf("%q is taken for %s", u, a)
		}
	}
	for u, want := range map[string]string{
		"  HTTPS://Example.COM.:443/A?b#c ": "https://example.com/A?b", "http://example.com:443": "http://example.com:443/", "https://BÜCHER.example/ü": "https://xn--bcher-kva.example/%C3%BC",
		"http://8.8.8.8/": "http://8.8.8.8/", "http://[2606:4700:0:0::1111]/": "http://[2606:4700::1111]/", "http://a_b.example/?": "http://a_b.example/",
	} {
		if a, why := clean(u); why != nil || a.String() != want {
			t.Errorf("%q is %v, %v, want %s", u, a.URL, why, want)
		}
	}
}

// What is shown is what is asked, and a private address is none by any name.
func FuzzAddressesAreCleanedOnceAndForAll(f *testing.F) {
	for _, u := range []string{
		"https://example.com/a?b=c#d", "http://127.1/", "http://[::ffff:127.0.0.1]/", "http://0x7f.1/", "http://user@h:80/", "http://例え.jp/\u202e?q=é", "http://１２７.0.0.1/", "http://[fe80::1%25a]/", "http://a.localhost.:443", "http://[64:ff9b::7f00:1]/", "http://%31%32%37.0.0.1/", "http://a/?%", "http://a:80:443",
	} {
		f.Add(u)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, why := clean(text)
		if why != nil {
			return
		}
		shown := a.String()
		again, why := clean(shown)
		if why != nil || again.String() != shown || again.host != a.host {
			t.Fatalf("%q is %q, and that %v, %v", text, shown, again.URL, why)
		}
		for _, c := range shown {
			if c <= ' ' || c >= 0x7f {
				t.Fatalf("%q is shown as %q", text, shown)
			}
		}
		u, err := url.Parse(shown)
		if err != nil || u.Hostname() != a.host || u.User != nil || u.Fragment != "" {
			t.Fatalf("%q is %q, which means %+v, %v", text, shown, u, err)
		}
		if ip, err := netip.ParseAddr(a.host); err == nil && !Public(ip) || strings.HasSuffix("."+a.host, ".localhost") {
			t.Fatalf("%q leads to %s", text, a.host)
		}
	})
}

// No IPv6 address that carries a private IPv4 one by a known rule is public.
func FuzzEmbeddedPrivateAddressesAreNotPublic(f *testing.F) {
	f.Add([]byte{127, 0, 0, 1})
	f.Add([]byte{10, 1, 2, 3})
	f.Add([]byte{8, 8, 8, 8})
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) != 4 {
			return
		}
		v4 := [4]byte(b)
		plain := netip.AddrFrom4(v4)
		embed := func(at int, prefix ...byte) netip.Addr {
			var a [16]byte
			copy(a[:], prefix)
			copy(a[at:], v4[:])
			return netip.AddrFrom16(a)
		}
		for _, a := range []netip.Addr{
			netip.AddrFrom16(plain.As16()), embed(12, 0, 0x64, 0xff, 0x9b), embed(2, 0x20, 0x02), embed(4, 0x20, 0x01, 0, 0), embed(12),
		} {
			if Public(a) && !Public(plain) {
				t.Fatalf("%s is public, and carries %s", a, plain)
			}
		}
		if p := plain; Public(p) && (p.IsPrivate() || p.IsLoopback() || p.IsLinkLocalUnicast() || p.IsMulticast() || p.IsUnspecified()) {
			t.Fatalf("%s is public", p)
		}
	})
}
