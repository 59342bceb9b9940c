package modeladdress_test

import (
	"strings"
	"testing"

	"society-tui/runtime/i18n"
	"society-tui/runtime/modeladdress"
	"society-tui/runtime/protocol"
)

// What is wrong with an address is said in both languages, with how it looks instead, and
// without a part that may be a password.
func TestAWrongAddressIsExplainedWithAnExample(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		"": "There is no address.", "   ": "There is no address.",
		"https://exa mple.com": "This is not an address.", "my server": "This is not an address.", "https://": "This is not an address.", "://x": "This is not an address.",
		"https://api.example.com:x/v1": "This is not an address.", "https://{resource}.example.com": "This is not an address.",
		"ftp://x":                               "and not with ftp:",
		"file:///etc/passwd":                    "and not with file:",
		"https://user:secret@api.example.com":   "contains a user name or a password",
		"user:secret@api.example.com":           "contains a user name or a password",
		"https://api.example.com/v1#secret":     "contains a #",
		"http://169.254.169.254/latest":         "169.254.169.254 is not the address of a server.",
		"https://api.example.com/v1?key=secret": "contains a key (key)",
	} {
		_, err := modeladdress.Mend(raw)
		if err == nil {
			t.Errorf("Mend(%q) has no error", raw)
			continue
		}
		en, zh := i18n.Error(protocol.English, err), i18n.Error(protocol.Chinese, err)
		if !strings.Contains(en, want) || en == zh || strings.Contains(en+zh, "secret") || strings.Contains(en, "base URL") {
			t.Errorf("Mend(%q) says %q and %q, want %q", raw, en, zh, want)
		}
		if example := strings.Contains(raw, "?"); !example && !strings.Contains(en, "https://api.example.com/v1") {
			t.Errorf("Mend(%q) says %q, without an example", raw, en)
		}
	}
}

// Azure has no models below /v1 of a host: the address to use is said, and none is made up.
func TestAnAddressOfAzureWithoutItsPathIsExplained(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"team.openai.azure.com", "team.services.ai.azure.com"} {
		for _, raw := range []string{"https://" + host, "https://" + host + "/", host, "https:/" + host, "HTTPS://" + strings.ToUpper(host) + "/v1", "https://" + host + "/openai/"} {
			if at, err := modeladdress.Mend(raw); err == nil || !strings.Contains(err.Error(), "https://"+host+"/openai/v1") || !strings.Contains(err.Error(), "/openai/deployments/NAME?api-version=") {
				t.Errorf("Mend(%q) = %+v, %v, want what Azure needs", raw, at, err)
			}
		}
		for _, path := range []string{"/openai/v1", "/openai/deployments/big?api-version=2024-10-21", "/models?api-version=2024-05-01-preview"} {
			raw := "https://" + host + path
			want, _, _ := strings.Cut(raw, "?")
			if at, err := modeladdress.Mend(raw); err != nil || at.URL != want || len(at.Mended) != 0 || !modeladdress.IsAzure(at.URL) {
				t.Errorf("Mend(%q) = %+v, %v, want %s", raw, at, err, want)
			}
		}
	}
	if modeladdress.IsAzure("https://openai.azure.com.example.com/v1") {
		t.Error("another host counts as Azure")
	}
}

// Servers on this machine and in a network of one's own rarely have a certificate.
func TestAnAddressWithoutASchemeIsHTTPNearby(t *testing.T) {
	for raw, want := range map[string]string{
		"localhost:11434": "http://localhost:11434/v1", "127.0.0.1:8080/v1": "http://127.0.0.1:8080/v1", "192.168.1.5:8000": "http://192.168.1.5:8000/v1",
		"10.0.0.7": "http://10.0.0.7/v1", "8.8.8.8": "https://8.8.8.8/v1", "api.example.com": "https://api.example.com/v1",
	} {
		if got, err := modeladdress.Mend(raw); err != nil || got.URL != want {
			t.Errorf("Mend(%q) = %q, %v, want %q", raw, got.URL, err, want)
		}
	}
}
