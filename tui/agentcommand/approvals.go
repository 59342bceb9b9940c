package agentcommand

import (
	"strconv"
	"strings"

	"society-tui/runtime/approval"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

// Scopes of an answer, besides once and task: those of the rule that it makes.
const (
	answerOnce    = "once"
	answerTask    = "task"
	answerAgent   = "agent"
	answerRole    = "role"
	answerSubtree = "subtree"
	answerSociety = "society"
	// answerPrefix makes the rule one for all commands of the first words.
	answerPrefix = "prefix"
)

// Words of /mode.
const (
	modeUnset = "unset"
	modeSure  = "yes"
)

// Approvals is the command that shows the calls that wait for the user's yes. The
// frontend sets its Run.
func (e Env) Approvals() *command.Command {
	return &command.Command{
		ID: "approvals", Slash: "/approvals", Group: command.GroupAgents, Title: i18n.Text{EN: "Calls that need your yes", ZH: "等你同意的调用"},
		Args: []command.Arg{{Label: i18n.Text{EN: "[number]", ZH: "[编号]"}, Rare: true}},
		Also: i18n.Text{EN: "permission allow deny confirm request tool", ZH: "权限 允许 拒绝 确认 请求 工具 审批"},
	}
}

// Answers returns the written answers to calls that wait.
func (e Env) Answers() []*command.Command {
	number := command.Arg{Label: i18n.Text{EN: "[number…]", ZH: "[编号…]"}}
	return []*command.Command{
		{
			Slash: "/allow", Group: command.GroupAgents, Title: i18n.Text{EN: "Allow a call that needs your yes", ZH: "允许等你同意的调用"},
			Also: i18n.Text{EN: "approve permit yes rule", ZH: "同意 批准 规则 许可"}, Blocked: func(int) string { return e.Actions.NothingAsked() },
			Args: []command.Arg{command.Word(e.aboutAnswer, answerOnce, answerTask, answerAgent, answerRole, answerSubtree, answerSociety), command.Word(e.aboutAnswer, answerPrefix), number},
			Act:  e.allow,
		},
		{
			Slash: "/deny", Group: command.GroupAgents, Title: i18n.Text{EN: "Deny a call, with a reason for the model", ZH: "拒绝调用，并告诉模型原因"},
			Also: i18n.Text{EN: "refuse reject no", ZH: "不允许 否决 禁止"}, Blocked: func(int) string { return e.Actions.NothingAsked() },
			Args: []command.Arg{{Label: i18n.Text{EN: "[number…] [reason]", ZH: "[编号…] [原因]"}}},
			Act: func(in command.Input) action.Action {
				ids, reason := numbers(in.Text)
				return e.Actions.AnswerNamed(ids, e.Open(), func(ids []uint64) action.Action {
					return e.Actions.Answer(society.AnswerApproval{IDs: ids, Answer: society.DenyCall, Reason: reason})
				})
			},
		},
	}
}

// aboutAnswer explains a word of /allow.
func (e Env) aboutAnswer(word string) string {
	return e.Actions.Printer.T(map[string]i18n.Text{
		answerOnce:    {EN: "this call", ZH: "这次调用"},
		answerTask:    {EN: "the same call in this task", ZH: "本任务中相同的调用"},
		answerAgent:   {EN: "a rule for the agent", ZH: "为该智能体建立规则"},
		answerRole:    {EN: "a rule for its role", ZH: "为其角色建立规则"},
		answerSubtree: {EN: "a rule for the agent and its subtree", ZH: "为该智能体及其下级建立规则"},
		answerSociety: {EN: "a rule for the society", ZH: "为整个团队建立规则"},
		answerPrefix:  {EN: "for all commands that begin with its first two words", ZH: "适用于以其前两个词开头的所有命令"},
	}[word])
}

// allow allows calls, once or by a rule.
func (e Env) allow(in command.Input) action.Action {
	ids, _ := numbers(in.Text)
	return e.Actions.AnswerNamed(ids, e.Open(), func(ids []uint64) action.Action {
		switch {
		case in.Has(answerTask):
			return e.Actions.Answer(society.AnswerApproval{IDs: ids, Answer: society.AllowInTask})
		case len(in.Words) == 0, in.Has(answerOnce):
			return e.Actions.Answer(society.AnswerApproval{IDs: ids, Answer: society.AllowOnce})
		}
		return e.Actions.AnswerByRule(ids, func(r *approval.Rule) bool {
			if prefix := len(r.Words) > 0 && !r.Exact; prefix != in.Has(answerPrefix) && len(r.Words) > 0 {
				return false
			}
			switch in.Words[0] {
			case answerAgent:
				return r.Agent != ""
			case answerRole:
				return r.Role != ""
			case answerSubtree:
				return r.Under != ""
			}
			return r.Agent == "" && r.Role == "" && r.Under == ""
		})
	})
}

// numbers reads the numbers at the beginning of a text, and returns what follows.
func numbers(text string) (ids []uint64, rest string) {
	rest = strings.TrimSpace(text)
	for rest != "" {
		word, more, _ := strings.Cut(rest, " ")
		id, err := strconv.ParseUint(strings.Trim(word, "#,"), 10, 64)
		if err != nil {
			break
		}
		ids, rest = append(ids, id), strings.TrimSpace(more)
	}
	return ids, rest
}

// Mode is the command that shows or sets what agents may do without asking.
// Show shows it.
func (e Env) Mode() *command.Command {
	words := []string{modeUnset}
	for _, m := range approval.Modes() {
		words = append(words, string(m))
	}
	about := func(word string) string {
		if word == modeUnset {
			return e.Actions.Printer.T(i18n.Text{EN: "takes the mode away", ZH: "取消其模式"})
		}
		return e.Actions.ModeMeaning(approval.Mode(word))
	}
	return &command.Command{
		Slash: "/mode", Group: command.GroupAgents, Title: i18n.Text{EN: "What agents may do without asking", ZH: "智能体无需询问即可做的事"},
		Also: i18n.Text{EN: "permission approval read-only edits yolo auto plan workspace folder", ZH: "权限 审批 只读 自动 计划 工作区 文件夹"},
		Args: []command.Arg{command.Word(about, words...), command.Word(nil, modeSure, answerRole, answerAgent), command.Text()},
	}
}

// SetMode is the action of a written /mode with a mode.
func (e Env) SetMode(in command.Input) action.Action {
	if len(in.Words) == 0 {
		return action.Action{Refused: e.Actions.UnknownMode(in.Text)}
	}
	mode, of := approval.Mode(in.Words[0]), society.ModeScope{}
	if mode == modeUnset {
		mode = ""
	}
	switch {
	case in.Has(answerRole):
		id, ok := e.Actions.RoleNamed(in.Text)
		if !ok {
			return action.Action{Refused: e.Actions.UnknownRole(in.Text)}
		}
		of.Role = id
	case in.Has(answerAgent):
		id, ok := e.recipient(), true
		if in.Text != "" {
			id, ok = e.Actions.Named(in.Text)
		}
		if !ok || id == society.User {
			return action.Action{Refused: e.Actions.Unknown(in.Text)}
		}
		of.Agent = id
	case in.Text != "" && !in.Has(modeSure):
		return action.Action{Refused: e.Actions.UnknownMode(in.Text)}
	}
	if mode == approval.All && of == (society.ModeScope{}) && !in.Has(modeSure) {
		return action.Action{Refused: e.Actions.AllUnsure()}
	}
	return e.Actions.SetMode(of, mode)
}
