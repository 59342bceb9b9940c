package agentcommand

import (
	"slices"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

var (
	textWhatToSend = i18n.Text{EN: "Write the text behind the agents: /send A,B text", ZH: "请在智能体之后写上文字：/send 甲，乙 文字"}
	textNamesMore  = i18n.Text{EN: "%[2]s is an agent. To both: /send %[1]s,%[2]s text", ZH: "%[2]s 是智能体。发给两者：/send %[1]s，%[2]s 文字"}
	hintOnlyTo     = i18n.Text{EN: "only to %[1]s: @%[1]s text", ZH: "只发给 %[1]s：@%[1]s 文字"}
)

// separators may stand between the agents of /send.
const separators = ",，、"

// send is the command that sends a text to several agents.
func (e Env) send() *command.Command {
	agents := command.Arg{
		Label: i18n.Text{EN: "[agent,agent]", ZH: "[智能体，智能体]"}, Complete: e.completeSeveral,
		Missing: i18n.Text{EN: "%[1]s needs the names of agents and a text: %[1]s A,B text", ZH: "%[1]s 需要智能体的名称和文字：%[1]s 甲，乙 文字"},
	}
	return &command.Command{
		Slash: "/send", Group: command.GroupAgents, Title: i18n.Text{EN: "Send a text to several agents: /send A,B text", ZH: "向多个智能体发送文字：/send 甲，乙 文字"},
		Args: []command.Arg{agents, command.Text()}, NeedsArgs: true, Changes: true, Act: e.sendWritten,
		Also: i18n.Text{EN: "message broadcast all many tell", ZH: "消息 群发 多个 广播"},
	}
}

// sendWritten sends the text behind the first words, which name agents.
func (e Env) sendWritten(in command.Input) action.Action {
	names, text := cutSeveral(in.Text)
	var ids []society.AgentID
	for _, name := range names {
		id, ok := e.Actions.Named(name)
		if !ok {
			return action.Action{Refused: e.Actions.Unknown(name)}
		}
		if !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	if text == "" {
		return action.Action{Refused: action.Notice{Level: action.Warned, Text: e.Actions.Printer.T(textWhatToSend)}}
	}
	if more := e.namesMore(ids, text); more != "" {
		to := e.Actions.Names(ids[len(ids)-1:])
		return action.Action{Refused: action.Notice{
			Level: action.Warned, Text: e.Actions.Printer.T(textNamesMore, to, more), Hint: e.Actions.Printer.T(hintOnlyTo, to),
		}}
	}
	return e.Actions.Send(ids, text, false)
}

// namesMore returns the name of another agent that a text begins with, or "": then a blank
// stands where a separator is meant. The word for the user begins many a sentence.
func (e Env) namesMore(ids []society.AgentID, text string) string {
	word, _, _ := strings.Cut(text, " ")
	id, ok := e.Actions.Named(word)
	if !ok || id == society.User || slices.Contains(ids, id) {
		return ""
	}
	return strings.TrimPrefix(word, "@")
}

// cutSeveral cuts a text behind names with separators between them, which may have blanks
// behind them.
func cutSeveral(text string) (names []string, rest string) {
	isSeparator := func(r rune) bool { return strings.ContainsRune(separators, r) }
	rest = text
	for {
		word, more, _ := strings.Cut(rest, " ")
		names = append(names, strings.FieldsFunc(word, isSeparator)...)
		rest = strings.TrimSpace(more)
		if rest == "" || strings.TrimRight(word, separators) == word {
			return names, rest
		}
	}
}

// completeSeveral completes the last of the agents.
func (e Env) completeSeveral(text string) []command.Candidate {
	if strings.Contains(text, " ") {
		return nil
	}
	from := strings.LastIndexAny(text, separators)
	before := ""
	if from >= 0 {
		before = text[:len(text)-len(strings.TrimLeft(text[from:], separators))]
	}
	var found []command.Candidate
	for _, id := range e.Actions.Called(text[len(before):]) {
		found = append(found, command.Candidate{Text: before + string(id), Help: e.Actions.About(id)})
	}
	return found
}
