package runtime_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/memdb"
)

// A thousand agents wait for a yes: one rule that answers all of them is decided and recorded
// soon. How long the disk takes beside that is measured and told.
func TestFigureOfARuleOverAThousandRequests(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("set SOCIETY_LONG=1 to measure")
	}
	const agents = 1000
	var took []time.Duration
	for i := range 8 {
		disk, err := boltdb.Open(filepath.Join(t.TempDir(), "society.db"))
		if err != nil {
			t.Fatal(err)
		}
		onDisk := i == 0
		store := storage.Store(memdb.New())
		if onDisk {
			store = disk
		}
		d, c := newDesk(), newCast()
		for n := range agents {
			c.plays(fmt.Sprintf("worker-%d", n+1), llmtest.CallTools(edits(fmt.Sprintf("file-%d.go", n+1), "new")), llmtest.Hang())
		}
		s := run(t, c, store, d.in(""), func(cfg *runtime.Config) {
			cfg.Check, cfg.ModelCalls = false, agents
			cfg.Limits.Agents, cfg.Limits.Children = agents+1, agents
			cfg.FirstTeam = func(l protocol.Lang) society.AddTeam {
				p := duo(l)
				p.Roles, p.Agents = []society.TeamRole{{Name: "worker", Prompt: "Work.", Tools: []tool.Group{}}}, slices.Repeat(p.Agents[:1], agents)
				for n := range p.Agents {
					p.Agents[n].As, p.Agents[n].Role = fmt.Sprint("w", n), "worker"
				}
				return p
			}
		})
		for n := range agents {
			s.do(society.Send{To: society.AgentID(fmt.Sprintf("worker-%d", n+1)), Text: "go"})
		}
		var list []api.Approval
		for len(list) < agents {
			time.Sleep(10 * time.Millisecond)
			if list, err = s.r.Approvals(s.ctx); err != nil {
				t.Fatal(err)
			}
		}
		begun := time.Now()
		got := s.do(society.AnswerApproval{IDs: []uint64{list[0].ID}, Answer: society.AnswerByRule, Rule: &approval.Rule{Tool: "edit", Path: "file-*.go", Do: approval.Allow}}).(society.ApprovalsAnswered)
		all := time.Since(begun)
		if !onDisk {
			took = append(took, all)
		}
		if len(got.Allowed) != agents {
			t.Fatalf("round %d: the rule answered %d", i, len(got.Allowed))
		}
		for len(d.edited()) < agents {
			time.Sleep(time.Millisecond)
		}
		t.Logf("a rule over %d requests: %s, on disk: %t; all were carried out after %s", agents, all, onDisk, time.Since(begun))
		s.r.Force()
		s.quit()
		if err := disk.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if least := slices.Min(took); least > 20*time.Millisecond {
		t.Errorf("a rule over %d requests takes %s, at most 20ms", agents, least)
	}
}
