// Package agentcommand declares the commands that the screen and plain mode
// share. Those for agents and their society are actions; the others have their
// texts and arguments here, and each frontend runs them in its own way.
package agentcommand

import (
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
)

// An Env is where the commands are given.
type Env struct {
	Actions *action.Builder
	Targets func() []society.AgentID // the agents that a key is for
	Open    func() society.AgentID   // the agent that a written command is for if it names none
}

// recipient returns the agent that gets what the user writes: root for the
// inbox.
func (e Env) recipient() society.AgentID {
	if open := e.Open(); open != society.User {
		return open
	}
	return society.Root
}

// targets returns the agents of a key, or those of a written command.
func (e Env) targets(in command.Input) []society.AgentID {
	if in.Written && len(in.Agents) > 0 {
		return in.Agents
	}
	if in.Written {
		return []society.AgentID{in.Agent}
	}
	return e.Targets()
}

func (e Env) agent() command.Arg { return command.Agent(e.Actions, e.Open) }

// verb completes the command of a verb, for the agents that it names.
func (e Env) verb(v action.Verb, c command.Command) *command.Command {
	c.Group, c.AnyPane, c.Changes = command.GroupAgents, true, true
	c.Blocked = func(int) string { return e.Actions.Blocked(v, e.Targets()) }
	if c.Act == nil {
		c.Args = []command.Arg{command.Agents(e.Actions, e.Open)}
		c.Act = func(in command.Input) action.Action { return e.Actions.Make(v, e.targets(in)) }
	}
	return &c
}

// Agents returns the commands for agents.
func (e Env) Agents() []*command.Command {
	return []*command.Command{
		e.verb(action.Interrupt, command.Command{
			ID: "interrupt", Slash: "/interrupt", Title: i18n.Text{EN: "Interrupt agent", ZH: "中断智能体"}, Hint: HintInterrupt,
			Keys: []command.Key{{In: command.Verbs, Press: "i"}, {In: command.Tree, Press: "i"}},
			Args: []command.Arg{command.Text()}, Act: e.interrupt, Also: i18n.Text{EN: "pause abort cancel break halt", ZH: "暂停 取消 中止 打断"},
		}),
		{
			ID: "stop_or_resume", Group: command.GroupAgents, Title: i18n.Text{EN: "Stop or resume agent and subtree", ZH: "停止或恢复该智能体及其下级"}, Also: i18n.Text{EN: "halt continue toggle", ZH: "暂停 继续 切换"},
			Keys: command.Keys(command.Tree, "s"), AnyPane: true, Changes: true,
			Offer: e.offerStopOrResume, Blocked: func(int) string { return e.Actions.NoTarget(e.Targets()) }, Act: e.stopOrResume,
		},
		e.verb(action.Stop, command.Command{
			ID: "stop", Slash: "/stop", Title: i18n.Text{EN: "Stop agent and subtree", ZH: "停止该智能体及其下级"}, Hint: hintStop,
			Keys: command.Keys(command.Verbs, "s"), Also: i18n.Text{EN: "halt kill cancel abort end", ZH: "取消 结束 中止"},
		}),
		e.verb(action.Pause, command.Command{
			ID: "pause", Slash: "/pause", Title: i18n.Text{EN: "Pause after the current step", ZH: "完成当前步骤后暂停"}, Hint: i18n.Text{EN: "pause", ZH: "暂停"},
			Keys: command.Keys(command.Verbs, "p"), Also: i18n.Text{EN: "hold wait suspend freeze interrupt", ZH: "挂起 等待 中断"},
		}),
		e.verb(action.Resume, command.Command{
			ID: "resume", Slash: "/resume", Title: i18n.Text{EN: "Resume agent and subtree", ZH: "恢复该智能体及其下级"}, Hint: HintResume,
			Keys: command.Keys(command.Verbs, "r"), Also: i18n.Text{EN: "continue unpause restart undo", ZH: "继续 撤销 重新开始 接着"},
		}),
		e.verb(action.Terminate, command.Command{
			ID: "terminate", Slash: "/terminate", Title: i18n.Text{EN: "Terminate agent and subtree", ZH: "终止该智能体及其下级"}, Hint: i18n.Text{EN: "terminate", ZH: "终止"},
			Keys: []command.Key{{In: command.Verbs, Press: "t"}, {In: command.Tree, Press: "T"}}, Also: i18n.Text{EN: "kill delete remove end destroy", ZH: "删除 杀掉 结束 移除"},
		}),
		e.verb(action.Retry, command.Command{
			ID: "retry", Slash: "/retry", Title: i18n.Text{EN: "Retry the failed turn, or ask the model now", ZH: "重试失败的一轮，或立即调用模型"}, Hint: HintRetry,
			Keys: command.Keys(command.Tree, "R"), Also: i18n.Text{EN: "redo rerun repeat again ask now wait limit", ZH: "再次 重做 立即 等待"},
		}),
		e.verb(action.Compress, command.Command{
			ID: "compress", Slash: "/compress", Aliases: []string{"/compact"}, Title: i18n.Text{EN: "Compress the context", ZH: "压缩上下文"},
			Args: []command.Arg{command.Word(e.aboutCompress, compressCut), e.agent(), keptEntries()}, Act: e.compress,
			Also: i18n.Text{EN: "compact summarize shrink full window tokens", ZH: "总结 摘要 缩小 窗口 词元"},
		}),
		e.fork(),
		e.effort(),
		e.model(),
		{
			Slash: "/name", Aliases: []string{"/rename"}, Group: command.GroupAgents, Title: i18n.Text{EN: "Name the agent", ZH: "重命名智能体"}, Args: []command.Arg{command.Text()}, NeedsArgs: true, Changes: true,
			Also: i18n.Text{EN: "rename alias label", ZH: "改名 别名 命名 起名"},
			Act:  func(in command.Input) action.Action { return e.Actions.Rename(e.recipient(), in.Text) },
		},
		e.send(),
	}
}

// Hints that have other places, too.
var (
	HintInterrupt = i18n.Text{EN: "interrupt", ZH: "中断"}
	HintResume    = i18n.Text{EN: "resume", ZH: "恢复"}
	HintRetry     = i18n.Text{EN: "try again", ZH: "重试"}
	hintStop      = i18n.Text{EN: "stop", ZH: "停止"}
)

// compressCut is the word of /compress that leaves the oldest out without a summary.
const compressCut = "cut"

func keptEntries() command.Arg {
	n := command.Number()
	n.Label = i18n.Text{EN: "[entries to keep]", ZH: "[保留条数]"}
	return n
}

func (e Env) aboutCompress(string) string {
	return e.Actions.Printer.T(i18n.Text{EN: "leaves the oldest out, without a summary by the model", ZH: "直接舍弃最早的内容，不由模型总结"})
}

// compress compresses the contexts of agents; a number behind them is how many entries stay.
func (e Env) compress(in command.Input) action.Action {
	return e.Actions.Compress(e.targets(in), max(in.Number, 0), in.Has(compressCut))
}

// interrupt interrupts the targets of a key, or the recipient, which continues
// with the written text.
func (e Env) interrupt(in command.Input) action.Action {
	switch {
	case in.Text != "":
		return e.Actions.InterruptWith(e.recipient(), in.Text)
	case in.Written:
		return e.Actions.Make(action.Interrupt, []society.AgentID{e.Open()})
	}
	return e.Actions.Make(action.Interrupt, e.Targets())
}

// stopOrResume stops the targets, or resumes them if all are halted.
func (e Env) stopOrResume(command.Input) action.Action {
	if ids := e.Targets(); e.Actions.AllHalted(ids) {
		return e.Actions.Make(action.Resume, ids)
	}
	return e.Actions.Make(action.Stop, e.Targets())
}

func (e Env) offerStopOrResume() (hint string, ok bool) {
	ids := e.Targets()
	if e.Actions.AllHalted(ids) {
		return e.Actions.Printer.T(HintResume), true
	}
	return e.Actions.Printer.T(hintStop), e.Actions.NoTarget(ids) == ""
}
