package httpapi_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
)

// treed is a society with the worktrees of an agent that has ended and of one that lives.
type treed struct {
	httpapi.Society
	dropped *[]string
}

func (treed) Worktrees(context.Context) ([]api.Worktree, error) {
	return []api.Worktree{{Name: "ada-x", Agent: "ada-1", Files: 2}, {Name: "bob-x", Agent: "bob-1", Live: true}}, nil
}

func (treed) WorktreePatch(_ context.Context, name string) ([]byte, error) {
	if name != "ada-x" {
		return nil, api.ErrNoWorktree
	}
	return []byte("<b>\x00\xff"), nil
}

func (s treed) DropWorktree(_ context.Context, name string) error {
	switch name {
	case "ada-x":
		*s.dropped = append(*s.dropped, name)
		return nil
	case "bob-x":
		return api.ErrWorktreeInUse
	}
	return api.ErrNoWorktree
}

func TestWorktreesAreDroppedOverTheSocketOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var dropped []string
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return treed{inner, &dropped} }})
		defer s.leave()
		if r := s.serve(s.request(http.MethodGet, "/api/worktrees", "")); r.code != http.StatusOK || !strings.Contains(r.body, `{"name":"ada-x","agentId":"ada-1","live":false,`) {
			t.Errorf("listed is %d %s", r.code, r.body)
		}
		if r := s.serve(s.request(http.MethodGet, "/api/worktrees/ada-x/patch", "")); r.body != "<b>\x00\xff" || r.header.Get("Content-Type") != "application/octet-stream" {
			t.Errorf("the patch is %d %q as %s", r.code, r.body, r.header.Get("Content-Type"))
		}
		if r := s.serve(s.request(http.MethodGet, "/api/worktrees/none/patch", "")); r.code != http.StatusNotFound {
			t.Errorf("the patch of none is %d %s", r.code, r.body)
		}
		if r := s.serve(s.request(http.MethodDelete, "/api/worktrees/ada-x", "")); r.code != http.StatusForbidden || len(dropped) != 0 {
			t.Errorf("over TCP a drop is answered %d %s", r.code, r.body)
		}
		for name, want := range map[string]int{"ada-x": http.StatusOK, "bob-x": http.StatusConflict, "none": http.StatusNotFound} {
			r := s.request(http.MethodDelete, "/api/worktrees/"+name, "")
			if got := s.serve(r.WithContext(httpapi.ViaSocket(r.Context()))); got.code != want {
				t.Errorf("over the socket a drop of %s is answered %d %s, want %d", name, got.code, got.body, want)
			}
		}
		if !slices.Equal(dropped, []string{"ada-x"}) {
			t.Errorf("dropped are %v", dropped)
		}
	})
}
