package programtest

import (
	"net/http/httptest"
	"strings"
	"testing"

	"society-tui/llm/demo"
)

// A new user sets a model up from the first screen: what goes wrong on the way names what helps
// and selects it, and the model answers the next message, without a restart. The settings keep
// their comments.
func TestANewUserSetsAModelUp(t *testing.T) {
	t.Parallel()
	const key = "sk-canary-of-a-new-user"
	server := httptest.NewServer(demo.Handler(demo.Config{Key: key}))
	t.Cleanup(server.Close)
	const settings = "# my settings\nlog_level = 'info' # for now\n\n[model] # which answers\n" + fast + "\n"
	h := newHome(t, settings)
	const dead = "127.0.0.1:1" // no other test gets that port
	h.env = append(h.env, "HTTPS_PROXY=http://"+dead, "HTTP_PROXY=http://"+dead)
	x := h.open(100, 36).opened()
	x.press("down", "enter")
	x.sees("1 of 6", "▸ Another address")
	x.press("enter")
	x.sees("2 of 6", "Address:")

	// Nothing listens there.
	x.write("http://" + dead + "/v1")
	x.press("enter")
	x.sees("3 of 6", "▸ No key")
	x.press("home", "enter") // of two enters in a row the second is held down
	x.sees("4 of 6", "connection refused", "Check the address", "enter = Other address")
	x.pressUntil("a", func(rows []string) bool { return stands(rows, "Address: http://"+dead) })

	// The proxy does not answer. This machine is never asked for by a proxy.
	x.press("ctrl+u")
	x.write("https://models.example.com/v1")
	x.press("enter")
	x.sees("3 of 6", "kept in a private file")
	x.press("end")
	x.sees("▸ No key")
	x.press("enter")
	x.sees("4 of 6", "proxy", dead, "and the proxy if there is one", "enter = Other address")
	x.pressUntil("a", func(rows []string) bool { return stands(rows, "Address: https://models") })

	// The key is wrong, and then right.
	x.press("ctrl+u")
	x.write(server.URL)
	x.press("enter")
	x.sees("3 of 6", "This address is used: "+server.URL+"/v1")
	x.until("no keyring", func(rows []string) bool { return stands(rows, "private file") && !stands(rows, "keyring") })
	x.press("home", "down")
	x.sees("▸ Enter it: kept in a private file")
	x.press("enter")
	x.sees("Key:", "keys.toml")
	x.write("sk-wrong")
	x.press("enter")
	x.sees("4 of 6", "Incorrect API key", "Enter another key.", "enter = Other key")
	x.pressUntil("k", func(rows []string) bool { return stands(rows, "Key: ") })
	x.write(key)
	x.sees("Key: " + strings.Repeat("*", len(key)))
	x.press("enter")
	x.sees("4 of 6", "Type a name")
	if h.read("config/society-tui/config.toml") != settings+"\n" {
		t.Error("the settings were changed before the last step")
	}
	x.pressUntil("end", func(rows []string) bool { return stands(rows, "▸ Type a name") })
	x.press("home", "enter")
	x.sees("6 of 6", "Stream        OK", "Tools         OK", "enter = Save as default")
	x.pressUntil("ctrl+u", func(rows []string) bool { return stands(rows, "Name:  ") })
	x.write("mine")
	x.sees("Name: mine")
	x.press("enter")
	x.sees("mine is set up and answers from now on", "· mine ·")
	x.write("Plan a picnic")
	x.press("enter")
	x.sees("mine ok", "No language model made this")
	x.quit()

	file := h.read("config/society-tui/config.toml")
	if !strings.HasPrefix(file, "# my settings\nlog_level = 'info' # for now\n\n[model] # which answers\n"+fast+"\n") || !strings.Contains(file, `base_url = "`+server.URL+`/v1"`) {
		t.Errorf("the settings are now\n%s", file)
	}
	h.nowhereHolds([]string{key}, "keys.toml", map[string]string{"the screen": x.written()})
}
