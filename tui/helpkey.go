package tui

import "society-tui/tui/command"

// openHelpOn opens the help on one of its keys, and reports whether it was one.
func (a *app) openHelpOn(key string, writing bool) bool {
	b := a.registry.Binding("help")
	if b.Nth(key) < 0 || writing && command.TypesText(key) {
		return false
	}
	b.Run(command.Input{Key: key})
	return true
}

// helpKey returns the key of the help that works now.
func (a *app) helpKey(writing bool) string {
	keys := a.registry.Binding("help").Keys
	for i := range keys { // the last is the shortest
		if key := keys[len(keys)-1-i]; !writing || !command.TypesText(key) {
			return command.Shown(key)
		}
	}
	return ""
}
