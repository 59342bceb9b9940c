package symbols

import (
	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
)

var (
	textChecking  = i18n.Text{EN: "checking sandbox…", ZH: "正在检查沙箱…"}
	textSandbox   = i18n.Text{EN: "sandbox", ZH: "沙箱"}
	textPartial   = i18n.Text{EN: "partial sandbox", ZH: "部分沙箱"}
	textNoSandbox = i18n.Text{EN: "no sandbox", ZH: "没有沙箱"}

	// TextProcesses counts background processes.
	TextProcesses = i18n.Plural{One: "%d process", Other: "%d processes", ZH: "%d 个进程"}
)

// Sandbox names the state of the sandbox, "" if agents run no commands. It lacks something
// if a command can do what it should not.
func Sandbox(state api.SandboxState, p i18n.Printer) (word string, lacks bool) {
	switch state {
	case api.SandboxChecking:
		return p.T(textChecking), false
	case api.SandboxWhole:
		return p.T(textSandbox), false
	case api.SandboxPartial:
		return p.T(textPartial), true
	case api.SandboxNone:
		return p.T(textNoSandbox), true
	}
	return "", false
}

// Processes is how many background processes an agent has, behind a blank as in a shell:
// " &2". It is "" for none.
func Processes(row *api.Row) string {
	if len(row.Processes) == 0 {
		return ""
	}
	return " &" + Count(len(row.Processes))
}
