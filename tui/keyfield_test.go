package tui_test

import (
	"context"
	"encoding/base64"
	"strings"
	"testing"

	"society-tui/runtime/api"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// A keySetup lists the models of an endpoint to whoever has the key.
type keySetup struct {
	api.ModelSetup
	entered []string
}

func (*keySetup) Providers(context.Context) []api.ModelProvider { return nil }
func (*keySetup) NoKeyring(context.Context) error               { return nil }
func (*keySetup) Disabled() []api.DisabledModel                 { return nil }
func (*keySetup) Address(raw string) (api.ModelAddress, error) {
	return api.ModelAddress{URL: raw}, nil
}

func (s *keySetup) List(_ context.Context, d api.ModelDraft) (api.ModelList, error) {
	s.entered = append(s.entered, string(d.Entered))
	return api.ModelList{Listed: true, Models: []api.ListedModel{{ID: "gpt-x"}}}, nil
}

// A key is taken from a paste with brackets, from one that a terminal types, and from the
// clipboard with ctrl+v where the terminal does not paste by itself; without what is around it.
func TestAKeyIsPastedInEachWay(t *testing.T) {
	const key = "sk-canary-0123456789"
	clipboard := "\x1b]52;c;" + base64.StdEncoding.EncodeToString([]byte(" "+key+"\r\n")) + "\a"
	for name, paste := range map[string]func(*screentest.Screen){
		"brackets": func(s *screentest.Screen) { s.Paste("\n  " + key + " \r\n") },
		"typed":    func(s *screentest.Screen) { s.Type(" " + key + " ") },
		"ctrl+v":   func(s *screentest.Screen) { s.Press("ctrl+v").Answer(clipboard) },
	} {
		t.Run(name, func(t *testing.T) {
			setup := &keySetup{}
			onScreenWith(t, 100, 30, func(c *tui.Config) { c.ModelSetup = setup }, func(t *testing.T, s *screentest.Screen, _ *fakeSociety) {
				s.Idle().Type("/setup").Press("enter").Idle().Press("enter").Idle().Type("https://api.example.com/v1").Press("enter").Idle().Press("down", "enter").Idle()
				s.Shows("Paste or type the key")
				paste(s)
				s.Idle().Shows("Key: ****").Hides(key)
				s.Press("enter").Idle().Shows("4 of 6", "gpt-x")
				if len(setup.entered) != 1 || setup.entered[0] != key {
					t.Errorf("entered %q, want the key alone", strings.Join(setup.entered, "|"))
				}
			})
		})
	}
}

// An address that is pasted where providers are searched is taken whole.
func TestALongAddressIsPastedIntoTheListOfProviders(t *testing.T) {
	const address = "https://a-resource-of-the-team.openai.azure.com/openai/deployments/a-big-model-of-ours"
	setup := &keySetup{}
	onScreenWith(t, 140, 30, func(c *tui.Config) { c.ModelSetup = setup }, func(_ *testing.T, s *screentest.Screen, _ *fakeSociety) {
		s.Idle().Type("/setup").Press("enter").Idle().Paste(address).Idle().Shows("▸ Another address").Press("enter").Idle().Shows("2 of 6", "deployments/a-big-model-of-ours")
	})
}
