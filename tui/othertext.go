package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// An otherText is the stored draft of another screen to an agent that is written to here,
// too. Until the user chooses, the stored one stays, and the one here is stored in the
// history.
type otherText struct {
	stored api.Value
	text   string
}

// offer offers the text of another screen.
func (a *app) offer(id society.AgentID, stored api.Value, text string) tea.Cmd {
	_, offered := a.view.others[id]
	a.view.others[id] = otherText{stored, text}
	a.composer.Touch(id)
	a.askAgain()
	if offered || id != a.recipient() {
		return a.saveSoon() // the border of the composer tells it
	}
	return tea.Batch(a.saveSoon(), a.inform(a.text(textOtherText, a.name(id)), a.text(textHintOther)))
}

// takeOthers takes the texts of other screens to agents to which nothing is written here
// any more.
func (a *app) takeOthers() {
	for id, other := range a.view.others {
		if mine, err := a.composer.Export(id); err == nil && len(mine) == 0 {
			a.composer.Replace(id, other.text)
			a.knowDraft(id, other.stored)
		}
	}
}

// knowDraft ends the choice between two texts: this screen knows the stored one.
func (a *app) knowDraft(id society.AgentID, stored api.Value) {
	key := api.DraftPrefix + string(id)
	delete(a.view.others, id)
	a.view.known[key], a.view.saved[key] = stored, stored.Bytes
}

func (a *app) otherTextCommand() *command.Command {
	return &command.Command{
		ID: "other_text", Title: i18n.Text{EN: "Compare with the text of another screen", ZH: "与另一个界面上的文字比较"}, Hint: i18n.Text{EN: "other text", ZH: "另一份文字"},
		Also: i18n.Text{EN: "draft conflict choose", ZH: "草稿 冲突 选择"}, Keys: command.Keys(command.Verbs, "o"), AnyPane: true,
		Blocked: func(int) string {
			_, other := a.view.others[a.recipient()]
			return a.unless(other, a.text(whyNoOther))
		},
		Run: command.Run(a.compareTexts),
	}
}

// compareTexts asks which of two texts to keep. The other one stays in the history.
func (a *app) compareTexts() tea.Cmd {
	id := a.recipient()
	q, other := a.textsQuestion(id)
	if !other {
		return a.inform(a.text(textNoOther), "")
	}
	return a.ask(q)
}

// excerpt returns a text as it is shown beside another: of a very long one the beginning,
// because wrapping all of it would delay every key.
func excerpt(text string) string {
	const most = 32 << 10
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + "…"
	}
	return sanitize.Text(text)
}

// textsQuestion returns the question which of two texts to keep, if there are two.
func (a *app) textsQuestion(id society.AgentID) (page.Question, bool) {
	other, ok := a.view.others[id]
	mine, err := a.composer.Export(id)
	if !ok || err != nil || len(mine) == 0 {
		return page.Question{}, false
	}
	here, err := composer.TextOf(mine)
	if err != nil {
		return page.Question{}, false
	}
	quiet := func(t i18n.Text) dialog.Line { return dialog.Line{Tone: dialog.Quiet, Text: a.text(t)} }
	return page.Question{
		Title: a.text(textTwoTexts, a.name(id)), Wide: true,
		Body: []dialog.Line{
			quiet(textHere),
			{Text: excerpt(here)},
			{},
			quiet(textThere),
			{Text: excerpt(other.text)},
			{},
			quiet(textBothStay),
		},
		Choices: []page.Choice{
			{Label: a.text(textLater)},
			{Label: a.text(textUseHere), Keys: []string{"y"}, Run: func() tea.Cmd {
				a.composer.Keep(id, other.text)
				a.knowDraft(id, other.stored)
				return a.inform(a.text(textKeptHere), "")
			}},
			{Label: a.text(textUseThere), Keys: []string{"o"}, Run: func() tea.Cmd {
				a.composer.Leave(id, other.text)
				a.knowDraft(id, other.stored)
				return a.inform(a.text(textKeptThere), "")
			}},
		},
		Again: func() (page.Question, bool) {
			now, still := a.textsQuestion(id)
			if !still {
				a.inform(a.text(textNoOther), "")
			}
			return now, still
		},
	}, true
}
