package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"

	"society-tui/llm"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/memdb"
)

// An ourSeat is a running society whose root has turns. A turn is from the user's Send
// until a watcher, as the screen has one, is told that the agent rests: the message, the
// answer, each call with its start and result, and the agent are in the store by then,
// all of it checked against stops, and each streamed piece could be read as it came.
type ourSeat struct {
	turn  turn
	model *ourModel
	r     *runtime.Runtime
	w     *runtime.Watcher
	quit  func() error
	turns int
}

// opening opens a store of its own for a seat.
type opening func() (storage.Store, error)

func inMemory() (storage.Store, error) { return memdb.New(), nil }

func onDisk(folder string) opening {
	return func() (storage.Store, error) {
		own, err := os.MkdirTemp(folder, "society-")
		if err != nil {
			return nil, err
		}
		return boltdb.Open(filepath.Join(own, "society.db"))
	}
}

func ourTurn(t turn, open opening) func() (seat, error) {
	return func() (seat, error) { return openSociety(t, open) }
}

func openSociety(t turn, open opening) (*ourSeat, error) {
	store, err := open()
	if err != nil {
		return nil, err
	}
	s := &ourSeat{turn: t, model: newOurModel(t)}
	s.r, err = runtime.Open(runtime.Config{Store: store, Model: s.model, Tools: []tool.Tool{looker{}}})
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- s.r.Run(ctx) }()
	s.w = s.r.Watch()
	s.quit = func() error {
		s.w.Close()
		cancel()
		return errors.Join(<-ended, store.Close())
	}
	for range max(t.history/2, 1) {
		if err := s.ask(ctx, say); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (s *ourSeat) act() error {
	return s.ask(context.Background(), s.turn.asked())
}

func (s *ourSeat) ask(ctx context.Context, text string) error {
	s.turns++
	if _, err := s.r.Do(ctx, society.Send{To: society.Root, Text: text}); err != nil {
		return err
	}
	return s.rest(ctx)
}

// rest looks on, as the screen does, until root rests.
func (s *ourSeat) rest(ctx context.Context) error {
	for {
		c, err := s.w.Next(ctx)
		if err != nil {
			return err
		}
		if len(c.Streaming) > 0 {
			s.r.Draft(society.Root)
		}
		for _, row := range c.Rows {
			if row.ID == society.Root && row.State == society.Idle {
				return nil
			}
		}
	}
}

// leave checks that the user has an answer to each turn.
func (s *ourSeat) leave() error {
	inbox, err := s.r.Inbox(context.Background(), api.InboxQuery{})
	if err == nil && len(inbox) != s.turns {
		err = fmt.Errorf("%d answers to %d messages", len(inbox), s.turns)
	}
	for _, m := range inbox {
		if err == nil && m.Body != strings.TrimSpace(s.turn.answer()) && m.Body != s.turn.answer() {
			err = fmt.Errorf("the answer is %q", m.Body)
		}
	}
	if called := s.model.called.Load(); err == nil && s.turn.tool && called == 0 {
		err = errors.New("the tool was never called")
	}
	return errors.Join(err, s.quit())
}

// ourModel answers as turn.go says.
type ourModel struct {
	turn   turn
	pieces []string
	called atomic.Int64
	holds  atomic.Bool   // it waits when it is told to
	held   chan struct{} // capacity 1: it does
}

func newOurModel(t turn) *ourModel {
	return &ourModel{turn: t, pieces: t.pieces(), held: make(chan struct{}, 1)}
}

func (m *ourModel) Name() string { return "fake" }

func (m *ourModel) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		last := req.Messages[len(req.Messages)-1]
		switch {
		case last.Role == llm.User && calls(last.Text):
			id := key(int(m.called.Add(1)))
			yield(llm.Chunk{
				Done: true, Finish: llm.FinishStop,
				Calls: []llm.Call{{ID: id, ProviderID: id, Name: toolName, Arguments: where}},
			}, nil)
		case m.holds.Load() && strings.Contains(last.Text, wait):
			m.held <- struct{}{}
			<-ctx.Done()
			yield(llm.Chunk{}, ctx.Err())
		default:
			for i, piece := range m.pieces {
				end := i == len(m.pieces)-1
				c := llm.Chunk{Text: piece, Done: end}
				if end {
					c.Finish = llm.FinishStop
				}
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// looker is the tool.
type looker struct{}

func (looker) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{
		Name: toolName, Purpose: "Looks at something.", Class: tool.ClassRead, Group: tool.Read,
		Parameters: []tool.Property{tool.Must("at", tool.Text(""))},
	}
}

func (looker) Call(context.Context, tool.Caller, json.RawMessage) (tool.Result, error) {
	return tool.Result{Text: saw}, nil
}

// An ourPauseSeat interrupts a call of a model in flight, resumes the agent, and
// waits for the answer. All of it is on disk when it returns, and nothing of the
// interrupted call can count any more.
type ourPauseSeat struct{ *ourSeat }

func ourPause(history int, open opening) func() (seat, error) {
	return func() (seat, error) {
		s, err := openSociety(turn{history: history, chunks: 1}, open)
		return ourPauseSeat{s}, err
	}
}

func (s ourPauseSeat) prepare() error {
	s.model.holds.Store(true)
	s.turns++
	if _, err := s.r.Do(context.Background(), society.Send{To: society.Root, Text: wait}); err != nil {
		return err
	}
	<-s.model.held
	return nil
}

func (s ourPauseSeat) act() error {
	ctx := context.Background()
	if _, err := s.r.Do(ctx, society.Interrupt{Agent: society.Root}); err != nil {
		return err
	}
	s.model.holds.Store(false)
	if _, err := s.r.Do(ctx, society.Resume{Agent: society.Root}); err != nil {
		return err
	}
	return s.rest(ctx)
}
