package attach_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

var textFull = i18n.Text{EN: "git says no", ZH: "git 拒绝"}

// trees are the worktrees of agents that have ended, with their patches.
type trees map[string][]byte

func (trees) Make(context.Context, string) (string, error)             { return "", errors.New("none is made") }
func (trees) Give(context.Context, string, society.AgentID) error      { return nil }
func (trees) Settle(context.Context, map[string]society.AgentID) error { return nil }
func (trees) End(context.Context, string) (bool, error)                { return true, nil }
func (t trees) Patch(_ context.Context, name string) (p []byte, err error) {
	p, ok := t[name]
	if !ok {
		err = api.ErrNoWorktree
	}
	return p, err
}

func (t trees) List(context.Context, map[string]society.AgentID) (list []api.Worktree, err error) {
	for name := range t {
		list = append(list, api.Worktree{Name: name, Agent: "ada-1", Files: 2, Merge: "git merge 'a <b>'"})
	}
	return list, nil
}

func (t trees) Drop(_ context.Context, name string) error {
	if t[name] == nil {
		return api.ErrNoWorktree
	}
	if len(t[name]) == 0 {
		return textFull.With()
	}
	delete(t, name)
	return nil
}

func TestWorktreesAreReadAndDroppedAttached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		large := bytes.Repeat([]byte("+\x00\xff<&>\r\n"), 200_000)
		held := trees{"a b&?": large}
		h := &host{TB: t, store: memdb.New(), model: llmtest.Script("scripted"), worktrees: held}
		h.start()
		defer h.leave()
		c := h.connect()
		defer c.Close()
		list, err := c.Worktrees(t.Context())
		if want := (api.Worktree{Name: "a b&?", Agent: "ada-1", Files: 2, Merge: "git merge 'a <b>'"}); err != nil || len(list) != 1 || list[0] != want {
			t.Fatalf("Worktrees = %+v, %v, want %+v", list, err, want)
		}
		if got, err := c.WorktreePatch(t.Context(), "a b&?"); err != nil || !bytes.Equal(got, large) {
			t.Errorf("the patch has %d bytes, %v, want %d", len(got), err, len(large))
		}
		for _, name := range []string{"none", "a/b"} {
			if _, err := c.WorktreePatch(t.Context(), name); !errors.Is(err, api.ErrNoWorktree) {
				t.Errorf("the patch of %q: %v", name, err)
			}
			if err := c.DropWorktree(t.Context(), name); !errors.Is(err, api.ErrNoWorktree) {
				t.Errorf("drop of %q: %v", name, err)
			}
		}
		if err := c.DropWorktree(t.Context(), "a b&?"); err != nil || len(held) != 0 {
			t.Errorf("drop = %v, and there are %d", err, len(held))
		}
		held["stuck"] = []byte{}
		for _, lang := range protocol.Langs() {
			if err := c.DropWorktree(t.Context(), "stuck"); i18n.Error(lang, err) != textFull.In(lang) {
				t.Errorf("what git says in %s: %v", lang, err)
			}
		}
	})
}

func TestEndedAgentsAreReadAttached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := &host{TB: t, store: memdb.New(), model: llmtest.Script("scripted")}
		h.start()
		defer h.leave()
		c := h.connect()
		defer c.Close()
		role := do(t, h, society.MakeRole{Name: "helper", Prompt: "Help."}).Role
		id := do(t, h, society.Spawn{Parent: society.Root, Role: role}).Agent
		do(t, h, society.Terminate{Agent: id, By: society.User, Reason: "enough"})
		all, err := c.Ended(t.Context())
		if err != nil || len(all) != 1 || all[0].ID != id || all[0].TerminatedBy != society.User || all[0].Reason != "enough" || all[0].TerminatedAt.IsZero() {
			t.Errorf("Ended = %+v, %v, want %s, ended by the user", all, err, id)
		}
	})
}
