package plain_test

import (
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
)

func TestBoardIsATableInLines(t *testing.T) {
	t.Parallel()
	people := func(f *apitest.Society) {
		f.Put(api.Row{ID: "writer-1", Parent: society.Root, Depth: 1, Order: 2, Role: "writer", State: society.Processing, Tool: "edit", Doing: "write it", Model: "m", Usage: society.Usage{Input: 900, Output: 100}})
		f.Put(api.Row{ID: "checker-1", Parent: society.Root, Depth: 1, Order: 3, Role: "checker", Asks: true, Question: "which edition?", Usage: society.Usage{Input: 5000, Priced: 5000, Cost: society.Currency}})
	}
	leadWith(t, tui.Config{Lang: protocol.English}, people, func(p *person) {
		p.writes("/board")
		p.hears("Name; Role; State; Task; Doing now; Age; Tokens; Cost; Model\nchecker-1; checker; asks you; -; which edition?; -; 5.0k; 1.00; -\nwriter-1; writer; tool; write it; edit; -; 1.0k; –; m\n")
		p.writes("/board name")
		p.hears("\nchecker-1; checker", "\nroot; ", "\nwriter-1; writer")
		p.writes("/board size")
		p.hears("/board takes one of: name, role, state")
	})
	t.Run("zh", func(t *testing.T) {
		leadWith(t, tui.Config{Lang: protocol.Chinese}, people, func(p *person) {
			p.writes("/board tokens")
			p.hears("名称；角色；状态；任务；正在做；时长；词元；费用；模型\nchecker-1；checker；等你回答")
		})
	})
}

func TestEndedAgentsAreListedInLines(t *testing.T) {
	t.Parallel()
	leadWith(t, tui.Config{Lang: protocol.English}, func(f *apitest.Society) {
		f.Holds.Ended = []society.Tombstone{{ID: "web-1", RoleName: "researcher", TerminatedAt: time.Date(2030, 1, 2, 3, 4, 0, 0, time.Local), TerminatedBy: society.Root, Reason: "done"}}
	}, func(p *person) {
		p.writes("/ended")
		p.hears("2030-01-02 03:04 researcher: ended by root")
	})
}
