package server

import "testing"

func TestNegotiate(t *testing.T) {
	packed := []string{"br", "zstd", "gzip", identity}
	for _, c := range []struct {
		accept []string
		offers []string
		want   string
	}{
		{nil, packed, identity},
		{[]string{""}, packed, identity},
		{[]string{"gzip"}, packed, "gzip"},
		{[]string{"gzip, br"}, packed, "br"},
		{[]string{"gzip", "br"}, packed, "br"},
		{[]string{"gzip, br"}, []string{"gzip", identity, "br"}, "gzip"},
		{[]string{"gzip"}, []string{"zstd", identity}, identity},
		{[]string{"gzip;q=1.0, br;q=0.999"}, packed, "gzip"},
		{[]string{"gzip;q=0"}, packed, identity},
		{[]string{"gzip;q=0.001"}, packed, "gzip"},
		{[]string{"gzip;q=0.5, identity"}, packed, identity},
		{[]string{"gzip;q=0.5, identity;q=0.5"}, packed, "gzip"},
		{[]string{"*"}, packed, "br"},
		{[]string{"*;q=0"}, packed, identity},
		{[]string{"*;q=0.3, gzip;q=0.2"}, packed, "br"},
		{[]string{"identity;q=0, gzip"}, packed, "gzip"},
		{[]string{"identity;q=0"}, packed, identity},
		{[]string{"GZIP ;Q=0.5"}, packed, "gzip"},
		{[]string{"x-gzip"}, packed, "gzip"},
		{[]string{"gzip;q=bad"}, packed, identity},
		{[]string{"gzip;q="}, packed, identity},
		{[]string{"gzip;"}, packed, identity},
		{[]string{"gzip;level=9"}, packed, identity},
		{[]string{",, ,gzip,"}, packed, "gzip"},
		{[]string{"gzipped, brotli"}, packed, identity},
		{[]string{"gzip, br"}, []string{identity, "br", "gzip"}, identity},
		{[]string{"gzip, identity;q=0"}, []string{identity, "br", "gzip"}, "gzip"},
		{[]string{"gzip, *;q=0"}, []string{identity, "br", "gzip"}, "gzip"},
		{[]string{"gzip;q=0.5, identity;q=0.1"}, []string{identity, "gzip"}, "gzip"},
	} {
		if got := negotiate(c.accept, c.offers); got != c.want {
			t.Errorf("Accept-Encoding %q for %q: %q, want %q", c.accept, c.offers, got, c.want)
		}
	}
}

func TestParseWeight(t *testing.T) {
	for s, want := range map[string]int{
		"q=1": 1000, "q=0": 0, "q=0.5": 500, "q=0.05": 50, "q=0.005": 5, "q=1.000": 1000, "q=0.": 0, "Q=0.25": 250,
		"": 0, "q": 0, "q=": 0, "q=1.001": 0, "q=2": 0, "q=0.0001": 0, "q=-1": 0, "q=+1": 0, "q=.5": 0, "q=00.5": 0,
		"q= 1": 0, "q=1e3": 0, "q=0.x": 0, "p=1": 0,
	} {
		if got := parseWeight(s); got != want {
			t.Errorf("%q: %d, want %d", s, got, want)
		}
	}
}
