package settings

import (
	"context"
	"errors"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// maxText is how many bytes of a setting can be written here.
const maxText = 4096

// ask asks for the value of a setting; wrong is what was the matter with the last one.
func (f *Feature) ask(s Setting, text string, wrong error) tea.Cmd {
	body := dialog.Text(f.Text(s.About))
	if !f.isImmediate(s.Key) {
		body = append(body, dialog.Line{Tone: dialog.Quiet, Text: f.Text(atRestart)})
	}
	if wrong != nil {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: f.inWords(wrong)})
	}
	return f.Screen.Ask(page.Question{
		Kind: "setting", Title: f.titleOf(s.Key), Body: body, Line: &dialog.Field{Label: f.Text(value), Text: text, Most: maxText},
		Choices: []page.Choice{
			{Label: f.Text(page.TextCancel)},
			{Label: f.Text(save), Write: func(written string) tea.Cmd { return f.change(s, written) }},
		},
	})
}

// titleOf returns the title of a dialog about a setting: what it is called, and its key.
func (f *Feature) titleOf(key string) string {
	if name := f.nameOf(key); name != key {
		return name + f.Dot + key
	}
	return key
}

func (f *Feature) nameOf(key string) string { return nameOf(f.Printer, key) }

// nameOf returns what people call a setting: its title, else its key.
func nameOf(p i18n.Printer, key string) string {
	if title, has := titles[key]; has {
		return p.T(title)
	}
	return sanitize.Line(key, page.NameCells)
}

// change writes a setting into the settings file, and tells the outcome.
func (f *Feature) change(s Setting, text string) tea.Cmd {
	text, refused := InNumbers(f.Actions, s.Key, text)
	if !refused.Empty() {
		return f.ask(s, text, errors.New(refused.Text+f.Dot+refused.Hint))
	}
	return f.write(s.Key, text, func(c Changed, err error) tea.Cmd {
		switch {
		case err != nil && len(s.OneOf) == 0 && !s.Lines:
			return f.ask(s, text, err)
		case err != nil:
			return f.Warn(f.inWords(err), "")
		}
		return f.Screen.Notify(WithPrices(f.Actions, s.Key, text, c.Notice(f.Printer, s.Key, text, f.isImmediate(s.Key))))
	})
}

// InNumbers returns what was written for a setting as the file has it: an amount of money without
// its currency. It refuses one in another currency.
func InNumbers(b *action.Builder, key, text string) (string, action.Notice) {
	if key != taskCost && key != dayCost {
		return text, action.Notice{}
	}
	if m, ok := b.ReadAmount(text); ok && m.Tokens == 0 {
		return strconv.FormatFloat(m.Cost.Amount(), 'f', -1, 64), action.Notice{}
	}
	return text, b.InOtherCurrency(text)
}

// WithPrices adds to the notice about a budget of money whose tokens it does not count, and which
// setting does.
func WithPrices(b *action.Builder, key, text string, said action.Notice) action.Notice {
	m, ok := b.ReadAmount(text)
	if key != taskCost && key != dayCost || !ok || said.Level == action.Warned {
		return said
	}
	if said = b.CountsNoPrice(said, m); said.Level == action.Cautioned {
		said.Hint = b.Printer.T(countsTokens, strings.Replace(key, "cost", "tokens", 1))
	}
	return said
}

// Notice tells that a setting was changed, or was that already; immediate is whether it is in effect already.
func (c Changed) Notice(p i18n.Printer, key, text string, immediate bool) action.Notice {
	now, said := sanitize.Line(text, page.NameCells), isThen
	if now == "" {
		now = p.T(unset)
	}
	switch {
	case c.Same:
		said = isAlready
	case immediate:
		said = isNow
	}
	told := action.Notice{Text: p.T(said, nameOf(p, key), now)}
	if c.Overridden != "" {
		told.Level, told.Hint = action.Warned, p.T(overridden, c.Overridden)
	}
	return told
}

// ReadAtStart tells that the setting can only be changed in the file, and in which.
func (s *Setting) ReadAtStart(p i18n.Printer) action.Notice {
	how := howTo
	if s.Remote {
		how = howToThere
	}
	return action.Notice{Level: action.Warned, Text: p.T(inFile, nameOf(p, s.Key)), Hint: p.T(how)}
}

// write changes the settings file, and what takes effect at once.
func (f *Feature) write(key, text string, then func(Changed, error) tea.Cmd) tea.Cmd {
	type outcome struct {
		Changed
		err error
	}
	return page.Later(f.Screen, func(ctx context.Context) outcome {
		changed, err := f.cfg.Change(ctx, key, text)
		return outcome{changed, err}
	}, func(o outcome) tea.Cmd {
		switch {
		case o.err != nil:
			return then(o.Changed, o.err)
		case o.Unwritten != nil:
			return f.unwritten(o.Changed)
		}
		f.cfg.Settings = o.Settings
		if now := f.cfg.Now[key]; now != nil {
			now(text)
		}
		if f.list.IsOpen() {
			f.list.Renew(f.items())
		}
		return then(o.Changed, nil)
	})
}

// unwritten shows what the user can put into the file by hand.
func (f *Feature) unwritten(c Changed) tea.Cmd {
	body := []dialog.Line{{Tone: dialog.Warning, Text: f.inWords(c.Unwritten)}, {}, {Tone: dialog.Strong, Text: f.Text(TextPaste)}}
	for line := range strings.Lines(c.Lines) {
		body = append(body, dialog.Line{Text: sanitize.Line(strings.TrimSuffix(line, "\n"), page.TextCells), Exact: true})
	}
	return f.Report(f.Text(notChanged), body, page.Choice{Label: f.Text(copyLines), Keys: []string{"f"}, Run: func() tea.Cmd { return f.Screen.Copy(c.Lines) }})
}

// Keep writes a setting that was chosen elsewhere, if it is for all sessions or the settings file
// sets it, which decides at the next start. Kept is false if it is not written.
func (f *Feature) Keep(key, text string, forAll bool) (cmd tea.Cmd, kept bool) {
	if s, ok := f.setting(key); !ok || !s.InFile && !forAll || f.cfg.Change == nil {
		return nil, false
	}
	return f.write(key, text, func(_ Changed, err error) tea.Cmd {
		if err != nil {
			return f.Warn(f.inWords(err), "")
		}
		return nil
	}), true
}

func (f *Feature) inWords(err error) string {
	return sanitize.Line(i18n.Error(f.Printer.Lang, err), page.TextCells)
}
