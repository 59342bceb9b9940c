package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
)

// Bounds of background commands.
const (
	processesMost  = 4 // of an agent, that run
	endedMost      = 4 // of an agent, whose rest of the output is kept
	processTime    = time.Hour
	processKept    = 1 << 20 // bytes of output that were not read yet
	waitMost       = 60
	processCommand = 200 // characters of its command in lists
)

// A process is a command that runs in the background.
type process struct {
	api.Process
	agent string
	r     *request
	run   *sandbox.Process
	out   *output
	grew  chan struct{} // has one value when something was written
	gone  chan struct{} // closed when nothing of it is left, and ended, notes and changes are set

	ended ending
	notes []string

	// Guarded by the mutex of the shell.
	killed  bool
	changes []tool.Change // that were not handed over yet
}

// begin starts a command in the background.
func (s *Shell) begin(ctx context.Context, r *request) (tool.Result, error) {
	p := &process{agent: r.by.Agent, r: r, grew: make(chan struct{}, 1), gone: make(chan struct{})}
	if busy := s.reserve(p); busy != nil {
		return tool.Failed(busy)
	}
	p.out = newOutput(processKept, func([]byte) {
		select {
		case p.grew <- struct{}{}:
		default:
		}
	})
	guard := s.guard(r)
	run, err := s.start(context.WithoutCancel(ctx), r, func(piece []byte) { _, _ = p.out.Write(piece) })
	if err != nil {
		guard.restore(true)
		s.drop(p)
		return tool.Failed(tool.Fail(r.by.Lang, "not_started", textNotStarted.With(err.Error())))
	}
	s.mu.Lock()
	p.run = run
	late := p.killed
	s.mu.Unlock()
	if late || ctx.Err() != nil { // its agent was ended meanwhile
		run.Stop()
	}
	go s.follow(p, guard)
	s.tell(p.agent)
	return tool.Result{Text: textStarted.With(p.ID).In(r.by.Lang)}, nil
}

// reserve gives a process its number, or returns why there may be no more of them.
func (s *Shell) reserve(p *process) *tool.Failure {
	s.mu.Lock()
	defer s.mu.Unlock()
	var running []string
	for _, other := range s.processes[p.agent] {
		if other.runs() {
			running = append(running, other.ID)
		}
	}
	if len(running) >= processesMost {
		return tool.Fail(p.r.by.Lang, "limit_reached", textTooMany.With(processesMost, strings.Join(running, ", ")))
	}
	s.numbers[p.agent]++
	command := []rune(p.r.summary())
	p.Process = api.Process{
		ID: fmt.Sprintf("bg%d", s.numbers[p.agent]), Command: string(command[:min(len(command), processCommand)]), Since: time.Now(), Outside: p.r.Outside,
	}
	s.processes[p.agent] = append(s.processes[p.agent], p)
	return nil
}

func (p *process) runs() bool {
	select {
	case <-p.gone:
		return false
	default:
		return true
	}
}

// drop forgets a process that was not started.
func (s *Shell) drop(p *process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.processes[p.agent] = slices.DeleteFunc(s.processes[p.agent], func(o *process) bool { return o == p })
	close(p.gone)
}

// follow waits for the end of a process, and ends it after an hour.
func (s *Shell) follow(p *process, guard *watch) {
	hour := time.AfterFunc(processTime, p.run.Stop)
	p.end(guard)
	p.ended.timedOut = !hour.Stop()
	s.mu.Lock()
	p.ended.cut = p.killed
	close(p.gone)
	s.forget(p.agent)
	s.mu.Unlock()
	s.tell(p.agent)
}

// end waits for the end of a process, and sets what is told of it. What panics here must not end
// the program, and the process ends all the same.
func (p *process) end(guard *watch) {
	defer func() {
		if v := recover(); v != nil {
			p.run.Stop()
			<-p.run.Done()
			p.ended.err = fmt.Errorf("an internal error of type %T", v) // whose text may hold a part of the command
		}
	}()
	p.ended.exit, p.ended.err = guard.watch(p.run)
	p.changes, p.notes = guard.putBacks(), guard.notes()
}

// forget lets go of the oldest that have ended. The caller holds mu.
func (s *Shell) forget(agent string) {
	ended := 0
	list := s.processes[agent]
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].runs() {
			continue
		}
		if ended++; ended > endedMost {
			list = slices.Delete(list, i, i+1)
		}
	}
	s.processes[agent] = list
}

func (s *Shell) tell(agent string) {
	s.mu.Lock()
	notify := s.notify
	s.mu.Unlock()
	notify(agent)
}

// find returns a process of an agent, or a failure that names those that there are.
func (s *Shell) find(by tool.Caller, id string) (*process, *tool.Failure) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var known []string
	for _, p := range s.processes[by.Agent] {
		if p.ID == strings.TrimSpace(id) && p.run != nil {
			return p, nil
		}
		known = append(known, p.ID)
	}
	if len(known) == 0 {
		return nil, tool.Fail(by.Lang, "unknown_id", textNoneAtAll.With(id))
	}
	return nil, tool.Fail(by.Lang, "unknown_id", textNoProcess.With(id, strings.Join(known, ", ")))
}

// kill ends processes, without waiting for their end.
func (s *Shell) kill(list []*process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range list {
		if !p.runs() {
			continue
		}
		p.killed = true
		if p.run != nil {
			p.run.Stop()
		}
	}
}

// of returns the processes of agents.
func (s *Shell) of(agents ...string) (list []*process) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range agents {
		list = append(list, s.processes[a]...)
	}
	return list
}

// state describes a process, with what it has written since it was described before.
func (s *Shell) state(p *process, lang protocol.Lang) tool.Result {
	lines := []string{textRunning.With(p.ID, i18n.Duration(time.Since(p.Since).Round(time.Second))).In(lang)}
	ended := !p.runs()
	if ended {
		lines[0] = textEnded.With(p.ID, p.ended.head(lang)).In(lang)
	}
	news := p.out.next(lang)
	if strings.TrimSpace(news) == "" {
		news = textNothingNew.In(lang)
	}
	lines = append(lines, news)
	if ended {
		switch {
		case p.ended.cut:
			lines = append(lines, textKilled.In(lang))
		case p.ended.timedOut:
			lines = append(lines, textHour.In(lang))
		default:
			lines = append(lines, p.ended.notes(p.r, news, p.run.Confined)...)
		}
		lines = append(lines, p.notes...)
	}
	result := tool.Result{Text: strings.Join(lines, "\n")}
	if ended {
		s.mu.Lock()
		result.Changes, p.changes = p.changes, nil
		s.mu.Unlock()
	}
	return result
}

// outputTool is the tool that reads what a background command has written.
type outputTool struct{ *Shell }

func (t outputTool) Spec(lang protocol.Lang) tool.Spec { return outputSpec(lang) }

// Call returns what is new, after waiting for it if that is asked for.
func (t outputTool) Call(ctx context.Context, by tool.Caller, args json.RawMessage) (tool.Result, error) {
	var in struct {
		ID   string
		Wait float64
	}
	spec := outputSpec(by.Lang)
	if why := spec.Check(args); why != nil {
		return tool.Failed(tool.Fail(by.Lang, "invalid_arguments", why))
	}
	if err := spec.Read(args, &in); err != nil {
		return tool.Result{}, err
	}
	if in.Wait < 0 || in.Wait > waitMost {
		return tool.Failed(tool.Fail(by.Lang, "invalid_arguments", textBadWait.With(int(max(-1e9, min(1e9, in.Wait))), waitMost)))
	}
	p, unknown := t.find(by, in.ID)
	if unknown != nil {
		return tool.Failed(unknown)
	}
	if in.Wait > 0 && !p.out.unread() {
		timer := time.NewTimer(time.Duration(in.Wait) * time.Second)
		defer timer.Stop()
		p.await(ctx, timer.C)
	}
	return t.state(p, by.Lang), nil
}

// await returns when something was written, when the process has ended, and when the time is over.
func (p *process) await(ctx context.Context, over <-chan time.Time) {
	for !p.out.unread() {
		select {
		case <-p.grew:
		case <-p.gone:
			return
		case <-over:
			return
		case <-ctx.Done():
			return
		}
	}
}

// killTool is the tool that ends a background command.
type killTool struct{ *Shell }

func (t killTool) Spec(lang protocol.Lang) tool.Spec { return killSpec(lang) }

// Call ends it and returns the rest of what it has written.
func (t killTool) Call(ctx context.Context, by tool.Caller, args json.RawMessage) (tool.Result, error) {
	var in struct{ ID string }
	spec := killSpec(by.Lang)
	if why := spec.Check(args); why != nil {
		return tool.Failed(tool.Fail(by.Lang, "invalid_arguments", why))
	}
	if err := spec.Read(args, &in); err != nil {
		return tool.Result{}, err
	}
	p, unknown := t.find(by, in.ID)
	if unknown != nil {
		return tool.Failed(unknown)
	}
	t.kill([]*process{p})
	if err := wait(ctx, []*process{p}); err != nil {
		return tool.Result{}, err
	}
	return t.state(p, by.Lang), nil
}

// wait waits until nothing is left of processes.
func wait(ctx context.Context, list []*process) error {
	for _, p := range list {
		select {
		case <-p.gone:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// Running implements api.Processes.
func (s *Shell) Running(agent society.AgentID) (running []api.Process) {
	for _, p := range s.of(string(agent)) {
		if p.runs() {
			running = append(running, p.Process)
		}
	}
	return running
}

// End implements api.Processes.
func (s *Shell) End(ctx context.Context, agents ...society.AgentID) error {
	names := make([]string, len(agents))
	for i, a := range agents {
		names[i] = string(a)
	}
	list := s.of(names...)
	s.kill(list)
	if err := wait(ctx, list); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, a := range names {
		if !slices.ContainsFunc(s.processes[a], (*process).runs) {
			delete(s.processes, a)
		}
	}
	return nil
}

// EndOne implements api.Processes.
func (s *Shell) EndOne(ctx context.Context, agent society.AgentID, id string) error {
	for _, p := range s.of(string(agent)) {
		if p.ID == id && p.runs() {
			s.kill([]*process{p})
			return wait(ctx, []*process{p})
		}
	}
	return api.ErrNoProcess
}

// Notify implements api.Processes.
func (s *Shell) Notify(f func(agent society.AgentID)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.notify = func(agent string) { f(society.AgentID(agent)) }
}
