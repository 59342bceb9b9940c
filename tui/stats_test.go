package tui_test

import (
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/screentest"
)

// frugal is a society with usage on two days.
func frugal(f *fakeSociety) {
	family(f)
	f.set("web-1", func(r *api.Row) { r.Usage = society.Usage{Input: 700, Output: 70} })
	f.set("web-2", func(r *api.Row) { r.State, r.Usage = society.Idle, society.Usage{Input: 200, Output: 20} })
	f.set("lead-1", func(r *api.Row) { r.Ended = society.Usage{Input: 100, Output: 10} })
	f.Tell(func(c *api.Changes) { c.Usage = society.Usage{Input: 1500, Output: 150} })
	begun := time.Date(1999, 12, 30, 8, 0, 0, 0, time.UTC)
	f.Holds.Figures = api.Figures{
		Made: 5, Ended: 1, Messages: 42,
		Roles: []api.RoleFigures{
			{Name: "researcher", Made: 3, Ended: 1, Usage: society.Usage{Input: 1000, Output: 100}},
			{Name: "never used"},
		},
		Spent: []api.Spent{
			{Day: "1999-12-30", Task: "TASK-AAAA", Model: "big\x1b[31m", Calls: 3, Retries: 1, Took: 90 * time.Second, Usage: society.Usage{Input: 600, Output: 60}},
			{Day: "1999-12-31", Task: "TASK-AAAA", Model: "small", Calls: 2, Retries: 4, Took: time.Minute, Usage: society.Usage{Input: 300, Output: 30}},
			{Day: "1999-12-31", Task: "TASK-BBBB", Model: "small", Calls: 1, Usage: society.Usage{Input: 100, Output: 10}},
		},
		Tasks: map[society.TaskID]api.TaskFigures{
			"TASK-AAAA": {Begun: begun}, "TASK-BBBB": {Begun: begun, Text: "Find \x1b[31mthe\nold harbour, and say how deep it is"},
		},
	}
}

func TestStatsScrollWhereThereIsLittleRoomAndSpeakChinese(t *testing.T) {
	onScreenWith(t, 60, 20, func(c *tui.Config) { c.Lang = protocol.Chinese }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		frugal(f)
		s.Idle().Type("/stats").Press("enter").Idle().Shows("统计", "智能体", "思考中 3").Hides("按日", "看全部")
		s.Press(strings.Split(strings.Repeat("pgdown ", 6), " ")[:6]...).Shows("按日", "1999-12-31").Press("pgup").Shows("按任务（一个任务持续到 /new）").Press("esc").Hides("按任务")
	})
}
