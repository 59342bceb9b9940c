package action

import (
	"context"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A Process is a background process of an agent.
type Process struct {
	Agent society.AgentID
	api.Process
}

// Processes returns the background processes of all agents, each agent's below its
// parent's.
func (b *Builder) Processes() (all []Process) {
	for _, id := range b.Society.Subtree(society.Root) {
		row, _ := b.Society.Row(id)
		for _, p := range row.Processes {
			all = append(all, Process{id, p})
		}
	}
	return all
}

// ProcessesEnd returns a sentence with the number and the agents of the background processes
// that end with the program, or "".
func (b *Builder) ProcessesEnd() string {
	all := b.Processes()
	if len(all) == 0 {
		return ""
	}
	var whose []society.AgentID
	for i := range all {
		if !slices.Contains(whose, all[i].Agent) {
			whose = append(whose, all[i].Agent)
		}
	}
	return b.Printer.N(textProcessesEnd, len(all), b.Few(whose))
}

// ProcessNamed finds the process that a text names: an agent and an id, or one of them if
// there is only one.
func (b *Builder) ProcessNamed(text string) (found Process, ok bool) {
	words := strings.Fields(text)
	if len(words) == 0 {
		return found, false
	}
	agent, id := strings.TrimPrefix(words[0], "@"), words[len(words)-1]
	all := slices.DeleteFunc(b.Processes(), func(p Process) bool {
		if len(words) == 1 {
			return p.ID != id && string(p.Agent) != agent
		}
		return p.ID != id || string(p.Agent) != agent
	})
	if len(all) != 1 {
		return found, false
	}
	return all[0], true
}

// UnknownProcess reports that a text names no process, or several.
func (b *Builder) UnknownProcess(text string) Notice {
	return Notice{Warned, b.text(textNoProcess, sanitize.Line(text, nameCells)), b.text(textHintProcesses)}
}

// AboutProcess says in one line which process it is and how long it runs.
func (b *Builder) AboutProcess(p *Process, now time.Time) string {
	parts := []string{b.Society.Name(p.Agent), p.ID, symbols.Age(now.Sub(p.Since))}
	if p.Outside {
		parts = append(parts, b.text(textOutside))
	}
	return strings.Join(parts, b.Dot)
}

// EndProcess makes the action that ends a process.
func (b *Builder) EndProcess(p Process) Action {
	if refused := b.LookOnly(); !refused.Empty() {
		return Action{Refused: refused}
	}
	return Action{
		Agents:   []society.AgentID{p.Agent},
		Progress: b.text(textEndingProcess, p.ID, b.Society.Name(p.Agent)),
		Do: func(ctx context.Context, id society.AgentID) func() Outcome {
			err := b.Client.EndProcess(ctx, p.Agent, p.ID)
			return func() Outcome { return Outcome{id, err} }
		},
		Summarize: func([]Outcome) Notice { return Notice{Text: b.text(textEndedProcess, p.ID, b.Society.Name(p.Agent))} },
		Explain:   func(o Outcome) Notice { return b.NoticeFor(o.Err) },
	}
}

// AboutSandbox says what the sandbox of commands is worth: a sentence about its state, one
// about the network, and why it is not whole. There is none if agents run no commands.
func (b *Builder) AboutSandbox(s api.Sandbox) (said string, why []string) {
	switch s.State {
	case api.SandboxChecking:
		return b.text(textSandboxChecking), nil
	case api.SandboxWhole:
		said = b.text(textSandboxWhole)
	case api.SandboxPartial:
		said = b.text(textSandboxPartial)
	case api.SandboxNone:
		said = b.text(textSandboxNone)
	default:
		return "", nil
	}
	switch s.Network {
	case api.NetworkLoopback:
		why = append(why, b.text(textNetworkLoopback))
	case api.NetworkBlocked:
		why = append(why, b.text(textNetworkBlocked))
	case api.NetworkOpen:
		why = append(why, b.text(textNetworkOpen))
	}
	for _, r := range s.Reasons {
		why = append(why, sanitize.Line(r.In(b.Printer.Lang), 300))
	}
	return said, why
}
