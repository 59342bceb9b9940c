package plain

import (
	"time"

	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/symbols"
)

// processes lists the background processes of agents, or ends one.
func (f *frontend) processes(in command.Input) {
	text := agentcommand.ProcessOf(in.Text)
	if text == "" {
		all := f.actions.Processes()
		if len(all) == 0 {
			f.say(f.printer.T(textNoProcesses))
		}
		for i := range all {
			f.say(f.actions.AboutProcess(&all[i], time.Now()) + f.printer.T(symbols.TextColon) + all[i].Command)
		}
		return
	}
	p, ok := f.actions.ProcessNamed(text)
	if !ok {
		f.notify(f.actions.UnknownProcess(text))
		return
	}
	f.act(f.actions.EndProcess(p))
}
