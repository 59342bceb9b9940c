package httpapi_test

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/changes"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/society"
)

// changed is a society in which ada has made three changes, the second of which is undone.
type changed struct {
	httpapi.Society
	undos *[]api.UndoRequest
}

func (changed) FileChanges(_ context.Context, q api.FileChangesQuery) (list []api.FileChange, _ error) {
	for n := uint64(1); n <= 3 && (q.Agent == "" || q.Agent == "ada-1"); n++ {
		c := api.FileChange{FileChange: society.FileChange{N: n, Agent: "ada-1", Path: "a", Added: 1}}
		if n == 2 {
			c.Undone = 9
		}
		list = append(list, c)
	}
	return list, nil
}

func (changed) FileChange(_ context.Context, n uint64) (api.FileChange, error) {
	if n != 1 {
		return api.FileChange{}, api.ErrNoFileChange
	}
	return api.FileChange{FileChange: society.FileChange{N: 1, Agent: "ada-1", Path: "a", Diff: "+x\n"}}, nil
}

func (s changed) Undo(_ context.Context, of api.UndoRequest) (api.UndoResult, error) {
	*s.undos = append(*s.undos, of)
	return api.UndoResult{Steps: []changes.Step{{File: changes.File{Path: "a"}, Changes: of.Changes, Outcome: changes.Skip, Why: changes.ChangedSince, By: "bob-1"}}}, nil
}

func TestChangesOfFilesAreTakenBackOverTheSocketOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var undos []api.UndoRequest
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return changed{inner, &undos} }})
		defer s.leave()
		ask := func(socket bool, method, path, body string) reply {
			r := s.request(method, path, body)
			if socket {
				r = r.WithContext(httpapi.ViaSocket(r.Context()))
			}
			return s.serve(r)
		}
		for path, want := range map[string]string{"/api/changes?agent=ada-1": `"n":3`, "/api/changes?agent=none": `"changes":[]`, "/api/changes/1": `"diff":"+x\n"`, "/api/changes/7": `not_found`} {
			if r := ask(false, http.MethodGet, path, ""); !strings.Contains(r.body, want) {
				t.Errorf("GET %s = %d %s, want %s", path, r.code, r.body, want)
			}
		}
		if r := ask(false, http.MethodPost, "/api/undo", `{"agentId":"ada-1"}`); r.code != http.StatusForbidden || len(undos) != 0 {
			t.Errorf("over TCP an undo is answered %d %s", r.code, r.body)
		}
		if r := ask(true, http.MethodPost, "/api/undo", `{"list":true}`); r.code != http.StatusBadRequest || len(undos) != 0 {
			t.Errorf("an undo of nothing named is answered %d %s", r.code, r.body)
		}
		r := ask(true, http.MethodPost, "/api/undo", `{"agentId":"ada-1","list":true}`)
		if want := `"files":[{"path":"a","changes":[1,3],"outcome":"skip","why":"changed_since","by":"bob-1"}]`; r.code != http.StatusOK || !strings.Contains(r.body, want) {
			t.Errorf("over the socket it is answered %d %s, want %s", r.code, r.body, want)
		}
		if len(undos) != 1 || !undos[0].List || !slices.Equal(undos[0].Changes, []uint64{1, 3}) {
			t.Errorf("the undos are %+v", undos)
		}
	})
}
