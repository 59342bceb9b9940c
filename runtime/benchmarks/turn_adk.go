package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/glebarez/sqlite"
	"google.golang.org/genai"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"google.golang.org/adk/v2/agent"
	"google.golang.org/adk/v2/agent/llmagent"
	"google.golang.org/adk/v2/model"
	"google.golang.org/adk/v2/runner"
	"google.golang.org/adk/v2/session"
	"google.golang.org/adk/v2/session/database"
	"google.golang.org/adk/v2/tool"
	"google.golang.org/adk/v2/tool/functiontool"
)

// An adkSeat is a runner of adk-go with a model agent and a session, which keeps the
// conversation. A turn is from Run until its events have ended; each is in the session by
// then.
type adkSeat struct {
	turn   turn
	model  *adkModel
	runner *runner.Runner
	config agent.RunConfig
}

// sessions opens a session service of its own for a seat.
type sessions func() (session.Service, error)

func sessionsInMemory() (session.Service, error) { return session.InMemoryService(), nil }

// sessionsOnDisk keeps sessions in SQLite, each of whose transactions is on disk when it
// returns, as those of ours are.
func sessionsOnDisk(folder string) sessions {
	return func() (session.Service, error) {
		own, err := os.MkdirTemp(folder, "adk-")
		if err != nil {
			return nil, err
		}
		path := filepath.Join(own, "sessions.db")
		s, err := database.NewSessionService(sqlite.Open(path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)"), &gorm.Config{
			Logger: logger.Default.LogMode(logger.Silent), // it looks for what is not there yet
		})
		if err != nil {
			return nil, err
		}
		return s, database.AutoMigrate(s)
	}
}

func adkTurn(t turn, open sessions) func() (seat, error) {
	return func() (seat, error) {
		looks, err := functiontool.New(functiontool.Config{Name: toolName, Description: "Looks at something."},
			func(agent.Context, struct {
				At string `json:"at"`
			},
			) (map[string]string, error) {
				return map[string]string{"saw": saw}, nil
			})
		if err != nil {
			return nil, err
		}
		m := &adkModel{turn: t}
		a, err := llmagent.New(llmagent.Config{Name: "agent", Description: "looks", Instruction: prompt, Model: m, Tools: []tool.Tool{looks}})
		if err != nil {
			return nil, err
		}
		kept, err := open()
		if err != nil {
			return nil, err
		}
		r, err := runner.New(runner.Config{AppName: "compare", Agent: a, SessionService: kept, AutoCreateSession: true})
		if err != nil {
			return nil, err
		}
		s := &adkSeat{turn: t, model: m, runner: r}
		if t.chunks > 1 {
			s.config.StreamingMode = agent.StreamingModeSSE
		}
		for range max(t.history/2, 1) {
			if err := s.ask(say); err != nil {
				return nil, err
			}
		}
		return s, nil
	}
}

func (s *adkSeat) act() error {
	return s.ask(s.turn.asked())
}

func (s *adkSeat) ask(text string) error {
	var last string
	for e, err := range s.runner.Run(context.Background(), "user", "session", genai.NewContentFromText(text, genai.RoleUser), s.config) {
		if err != nil {
			return err
		}
		if e.Content != nil && len(e.Content.Parts) > 0 && !e.Partial {
			last = e.Content.Parts[0].Text
		}
	}
	if last != s.turn.answer() {
		return fmt.Errorf("the last message is %q", last)
	}
	return nil
}

func (s *adkSeat) leave() error {
	if s.turn.tool && s.model.called.Load() == 0 {
		return errors.New("the tool was never called")
	}
	return nil
}

// adkModel answers as turn.go says.
type adkModel struct {
	turn   turn
	called atomic.Int64
}

func (m *adkModel) Name() string { return "fake" }

func (m *adkModel) GenerateContent(_ context.Context, req *model.LLMRequest, stream bool) iter.Seq2[*model.LLMResponse, error] {
	return func(yield func(*model.LLMResponse, error) bool) {
		last := req.Contents[len(req.Contents)-1]
		if part := last.Parts[0]; last.Role == genai.RoleUser && calls(part.Text) {
			call := &genai.FunctionCall{ID: key(int(m.called.Add(1))), Name: toolName, Args: map[string]any{"at": "lid"}}
			yield(&model.LLMResponse{Content: &genai.Content{Role: genai.RoleModel, Parts: []*genai.Part{{FunctionCall: call}}}, TurnComplete: true}, nil)
			return
		}
		if stream {
			for _, piece := range m.turn.pieces() {
				if !yield(&model.LLMResponse{Content: genai.NewContentFromText(piece, genai.RoleModel), Partial: true}, nil) {
					return
				}
			}
		}
		yield(&model.LLMResponse{Content: genai.NewContentFromText(m.turn.answer(), genai.RoleModel), TurnComplete: true}, nil)
	}
}
