package programtest

import (
	"testing"
	"time"
)

// Each setting is changed on the screen and found again after a restart, and the settings file
// keeps its comments and its order.
func TestC65SettingsAreChangedOnTheScreenAndKept(t *testing.T) {
	t.Parallel()
	h := newHome(t, `# mine
lang = "en" # for now
theme = "dark"  # at night

[model] # who answers
name = "small"
`+fast+`

[limits]
agents = 50 # enough

[[models]] # the first
name = "small"
base_url = "http://127.0.0.1:1/v1"

[[models]]
name = "large"
base_url = "http://127.0.0.1:1/v1" # both here`)
	h.env = append(h.env, "COLORTERM=truecolor")
	x := h.open(100, 30).opened()
	x.grounded(groundOf(t, "dark"))
	change := func(key string) {
		t.Helper()
		x.write("/settings\r")
		x.sees("Settings in effect", "▸ Theme")
		x.write(key)
		x.sees("▸ ", key+" =")
		x.press("enter")
	}
	closed := func() {
		t.Helper()
		x.press("esc", "esc", "esc")
		x.until("no list", func(rows []string) bool { return !stands(rows, "Settings in effect") && !stands(rows, "▸ ") })
	}

	change("theme")
	x.sees("Themes", "▸ dark")
	x.write("/")
	x.sees("Typing does nothing in this list")
	x.press("home", "down", "down")
	time.Sleep(time.Second) // what is typed in a row takes enter along
	x.sees("▸ light")
	x.press("enter")
	x.grounded(groundOf(t, "light"))
	closed()
	change("notify")
	x.sees("▸ away", "always", "off")
	x.press("end", "enter")
	x.sees("Notifications: now off", `notify = "off"`)
	closed()
	change("lang")
	x.sees("▸ en", "zh-CN")
	x.press("end", "enter")
	x.sees("Language: zh-CN from the next start on", `lang = "zh-CN"`, "needs a restart")
	closed()
	change("limits.agents")
	x.sees("Maximum live agents", "needs a restart", "Value: 50")
	x.write("500000")
	x.press("enter")
	x.sees("must be from 1 to 10000, not 500000")
	x.press("backspace", "backspace", "backspace", "enter")
	x.sees("Agents at most: 500 from the next start on")
	closed()
	change("model.name")
	x.sees("Models", "▸ small", "large")
	x.press("down")
	x.sees("▸ large")
	x.press("enter")
	x.sees("Make default")
	x.write("d")
	x.sees("large answers from now on")
	closed()
	change("mouse")
	x.sees("mouse = off")
	closed()
	x.quit()

	const want = `# mine
lang = "zh-CN" # for now
theme = "light"  # at night
notify = "off"

[model] # who answers
name = "large"
` + fast + `

[limits]
agents = 500 # enough

[[models]] # the first
name = "small"
base_url = "http://127.0.0.1:1/v1"

[[models]]
name = "large"
base_url = "http://127.0.0.1:1/v1" # both here
`
	if got := h.read("config/society-tui/config.toml"); got != want {
		t.Errorf("the settings are\n%s\nwant\n%s", got, want)
	}
	x = h.again(x)
	x.sees("智能体", "发给：root", "large")
	x.grounded(groundOf(t, "light"))
	x.write("/settings\r")
	x.sees("mouse = off", `notify = "off"`, `theme = "light"`)
	x.press("esc")
	x.until("no list", func(rows []string) bool { return !stands(rows, "当前设置") })
	x.quit()
}
