package plain

import (
	"context"
	"slices"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/tui"
	"society-tui/tui/command"
	"society-tui/tui/feature/settings"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// emptySetting is the argument of /settings for an empty value.
const emptySetting = `""`

// settings lists the settings, tells what one means, or changes it. The model set-up or another
// program may have changed them since the last time.
func (f *frontend) settings(in command.Input) {
	if f.cfg.ReadSettings == nil {
		f.tellSettings(in)
		return
	}
	later(f, f.cfg.ReadSettings, func(now []tui.Setting, err error) {
		if err != nil {
			f.warn(f.inWords(err))
		} else {
			f.cfg.Settings = now
		}
		f.tellSettings(in)
	})
}

func (f *frontend) tellSettings(in command.Input) {
	key, value, _ := strings.Cut(in.Text, " ")
	if key == "" {
		for _, s := range settings.Ordered(f.cfg.Settings) {
			f.saySetting(&s)
		}
		f.say(f.printer.T(textSettingsChange))
		return
	}
	at := slices.IndexFunc(f.cfg.Settings, func(s tui.Setting) bool { return s.Key == key })
	if at < 0 {
		f.warn(f.printer.T(textNoSetting, sanitize.Line(key, nameCells)))
		return
	}
	s := f.cfg.Settings[at]
	switch value = strings.TrimSpace(value); {
	case value == "":
		f.aboutSetting(&s)
	case s.Fixed && strings.HasPrefix(s.Key, "model."):
		f.say(f.printer.T(textModelsUsage))
	case s.Fixed || s.Remote || f.cfg.ChangeSetting == nil:
		f.notify(s.ReadAtStart(f.printer))
	case value == emptySetting:
		f.changeSetting(s.Key, "")
	default:
		f.changeSetting(s.Key, value)
	}
}

// saySetting prints a setting with its value, and where that comes from.
func (f *frontend) saySetting(s *tui.Setting) {
	value, from := s.Shown()
	f.say(value + f.printer.T(textSemicolon) + from)
}

// aboutSetting prints what a setting means, and what it may be.
func (f *frontend) aboutSetting(s *tui.Setting) {
	f.saySetting(s)
	f.say("  " + f.printer.T(s.About))
	if len(s.OneOf) > 0 {
		words := slices.Clone(s.OneOf)
		if at := slices.Index(words, ""); at >= 0 {
			words[at] = emptySetting
		}
		f.say("  " + f.printer.T(textSettingMayBe, f.printer.List(words)))
	}
}

// changeSetting writes a setting into the settings file.
func (f *frontend) changeSetting(key, value string) {
	value, refused := settings.InNumbers(f.actions, key, value)
	if !refused.Empty() {
		f.notify(refused)
		return
	}
	later(f, func(ctx context.Context) (settings.Changed, error) { return f.cfg.ChangeSetting(ctx, key, value) }, func(c settings.Changed, err error) {
		switch {
		case err != nil:
			f.warn(key + f.printer.T(symbols.TextColon) + f.inWords(err))
		case c.Unwritten != nil:
			f.warn(f.inWords(c.Unwritten))
			f.sayUnder(strings.TrimRight(f.printer.T(settings.TextPaste), ":："), sanitize.Text(c.Lines))
		default:
			f.cfg.Settings = c.Settings
			f.notify(settings.WithPrices(f.actions, key, value, c.Notice(f.printer, key, value, false)))
			f.awaitChanges()
		}
	})
}

func (f *frontend) inWords(err error) string {
	return strings.TrimRight(sanitize.Line(i18n.Error(f.printer.Lang, err), doingCells), ".。")
}
