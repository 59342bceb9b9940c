package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/components/model"
	"github.com/cloudwego/eino/components/tool"
	"github.com/cloudwego/eino/components/tool/utils"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"
)

// An einoSeat is a runner of eino's agent kit with a chat model agent. A turn is
// from Run until its events have ended. eino keeps no conversation: the seat holds
// the messages in a slice, gives them with each turn and appends what came.
type einoSeat struct {
	turn   turn
	model  *einoModel
	runner *adk.Runner
	said   []*schema.Message
}

func einoTurn(t turn) func() (seat, error) {
	return func() (seat, error) { return newEino(t, nil) }
}

func newEino(t turn, store adk.CheckPointStore) (*einoSeat, error) {
	ctx := context.Background()
	looks, err := utils.InferTool(toolName, "Looks at something.", func(context.Context, struct {
		At string `json:"at"`
	},
	) (string, error) {
		return saw, nil
	})
	if err != nil {
		return nil, err
	}
	m := &einoModel{turn: t, held: make(chan struct{}, 1)}
	a, err := adk.NewChatModelAgent(ctx, &adk.ChatModelAgentConfig{
		Name: "agent", Description: "looks", Instruction: prompt, Model: m,
		ToolsConfig: adk.ToolsConfig{ToolsNodeConfig: compose.ToolsNodeConfig{Tools: []tool.BaseTool{looks}}},
	})
	if err != nil {
		return nil, err
	}
	s := &einoSeat{turn: t, model: m, runner: adk.NewRunner(ctx, adk.RunnerConfig{
		Agent: a, EnableStreaming: t.chunks > 1, CheckPointStore: store,
	})}
	for range max(t.history/2, 1) {
		if err := s.ask(say); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *einoSeat) act() error {
	return s.ask(s.turn.asked())
}

func (s *einoSeat) ask(text string, options ...adk.AgentRunOption) error {
	s.said = append(s.said, schema.UserMessage(text))
	return s.hear(s.runner.Run(context.Background(), s.said, options...))
}

// hear takes the events of a run, reads what is streamed, and keeps the messages.
func (s *einoSeat) hear(events *adk.AsyncIterator[*adk.AgentEvent]) error {
	var last *schema.Message
	for {
		e, more := events.Next()
		if !more {
			break
		}
		if e.Err != nil {
			return e.Err
		}
		if e.Output == nil || e.Output.MessageOutput == nil {
			continue
		}
		m, err := e.Output.MessageOutput.GetMessage()
		if err != nil {
			return err
		}
		last = m
		s.said = append(s.said, m)
	}
	if last == nil || last.Content != s.turn.answer() {
		return fmt.Errorf("the last message is %v", last)
	}
	return nil
}

func (s *einoSeat) leave() error {
	if s.turn.tool && s.model.called.Load() == 0 {
		return errors.New("the tool was never called")
	}
	return nil
}

// einoModel answers as turn.go says.
type einoModel struct {
	turn   turn
	called atomic.Int64
	holds  atomic.Bool
	held   chan struct{} // capacity 1
}

func (m *einoModel) Generate(ctx context.Context, in []*schema.Message, _ ...model.Option) (*schema.Message, error) {
	if c := m.call(in); c != nil {
		return c, nil
	}
	if m.holds.Load() && strings.Contains(in[len(in)-1].Content, wait) {
		m.held <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}
	return schema.AssistantMessage(m.turn.answer(), nil), nil
}

func (m *einoModel) Stream(_ context.Context, in []*schema.Message, _ ...model.Option) (*schema.StreamReader[*schema.Message], error) {
	if c := m.call(in); c != nil {
		return schema.StreamReaderFromArray([]*schema.Message{c}), nil
	}
	var list []*schema.Message
	for _, piece := range m.turn.pieces() {
		list = append(list, schema.AssistantMessage(piece, nil))
	}
	return schema.StreamReaderFromArray(list), nil
}

func (m *einoModel) call(in []*schema.Message) *schema.Message {
	if last := in[len(in)-1]; last.Role != schema.User || !calls(last.Content) {
		return nil
	}
	return schema.AssistantMessage("", []schema.ToolCall{{
		ID: key(int(m.called.Add(1))), Type: "function", Function: schema.FunctionCall{Name: toolName, Arguments: where},
	}})
}

// An einoPauseSeat cancels a run while its model is being asked, which writes a
// checkpoint to a file, and resumes it from there until the answer has come.
type einoPauseSeat struct {
	*einoSeat
	events *adk.AsyncIterator[*adk.AgentEvent]
	cancel adk.AgentCancelFunc
}

func einoPause(history int, folder string) func() (seat, error) {
	return func() (seat, error) {
		own, err := os.MkdirTemp(folder, "eino-")
		if err != nil {
			return nil, err
		}
		s, err := newEino(turn{history: history, chunks: 1}, fileCheckpoints(own))
		return &einoPauseSeat{einoSeat: s}, err
	}
}

func (s *einoPauseSeat) prepare() error {
	s.model.holds.Store(true)
	var canceling adk.AgentRunOption
	canceling, s.cancel = adk.WithCancel()
	s.said = append(s.said, schema.UserMessage(wait))
	s.events = s.runner.Run(context.Background(), s.said, canceling, adk.WithCheckPointID("paused"))
	<-s.model.held
	return nil
}

func (s *einoPauseSeat) act() error {
	handle, _ := s.cancel()
	var canceled *adk.CancelError
	for {
		e, more := s.events.Next()
		if !more {
			break
		}
		if e.Err != nil && !errors.As(e.Err, &canceled) {
			return e.Err
		}
	}
	if err := handle.Wait(); err != nil {
		return err
	}
	if canceled == nil {
		return errors.New("the run was not cancelled")
	}
	s.model.holds.Store(false)
	events, err := s.runner.Resume(context.Background(), "paused")
	if err != nil {
		return err
	}
	return s.hear(events)
}

// fileCheckpoints keeps checkpoints in a folder, each on disk when Set returns.
type fileCheckpoints string

func (f fileCheckpoints) path(id string) string { return filepath.Join(string(f), id) }

func (f fileCheckpoints) Get(_ context.Context, id string) ([]byte, bool, error) {
	b, err := os.ReadFile(f.path(id))
	if errors.Is(err, os.ErrNotExist) {
		return nil, false, nil
	}
	return b, err == nil, err
}

func (f fileCheckpoints) Set(_ context.Context, id string, checkpoint []byte) (err error) {
	file, err := os.Create(f.path(id))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := file.Write(checkpoint); err != nil {
		return err
	}
	return file.Sync()
}
