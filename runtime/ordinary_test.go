package runtime_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/demo"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// Twenty requests as users write them, without a text to work on, in a society of
// the other language too.
var ordinary = map[protocol.Lang][]string{
	protocol.English: {
		"10 names for a cat", "What should I cook tonight?", "Plan a trip to Lisbon", "Write a toast for my brother's wedding",
		"Explain how a heat pump works", "I want to learn the guitar", "Compare renting and buying a flat", "My laptop does not start",
		"Help me tidy up the garage", "Ideas for a rainy Sunday with two children",
	},
	protocol.Chinese: {
		"给猫起十个名字", "今晚吃什么？", "规划一次去里斯本的旅行", "为我哥哥的婚礼写一段祝酒词", "解释一下热泵是怎么工作的",
		"我想学吉他", "租房和买房哪个更划算", "我的电脑打不开了", "帮我整理车库", "周日下雨，带两个孩子可以做什么",
	},
}

func TestTwentyOrdinaryRequestsEachLeadToAgentsAndOneAnswer(t *testing.T) {
	t.Parallel()
	for _, lang := range protocol.Langs() {
		if propertytest.Raced && lang == protocol.Chinese {
			continue // the language makes no difference to goroutines
		}
		for _, of := range protocol.Langs() {
			for _, request := range ordinary[of] {
				t.Run(string(lang)+" "+request, func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) { leadsToOneAnswer(t, lang, request) })
				})
			}
		}
	}
}

// Root's tree is stopped in the middle, and resumed: asked to go on, the offline model
// answers once, and so it does the next request.
func TestTheOfflineModelGoesOnAfterAStop(t *testing.T) {
	t.Parallel()
	for lang, want := range map[protocol.Lang]struct{ request, nudge, other string }{
		protocol.English: {"Plan a picnic for 5", "please go on", "Explain how a heat pump works"},
		protocol.Chinese: {"策划五个人的野餐", "请继续", "解释一下热泵是怎么工作的"},
	} {
		for after := time.Second; after <= 16*time.Second; after += time.Second {
			t.Run(string(lang)+" "+after.String(), func(t *testing.T) {
				t.Parallel()
				synctest.Test(t, func(t *testing.T) {
					r := withOfflineModel(t, lang, demo.DefaultPace)
					do := func(cmd society.Command) {
						if _, err := r.Do(t.Context(), cmd); err != nil {
							t.Fatal(err)
						}
					}
					do(society.Send{To: society.Root, Text: want.request})
					time.Sleep(after)
					do(society.Stop{Agent: society.Root})
					before, err := r.Inbox(t.Context(), api.InboxQuery{})
					if err != nil {
						t.Fatal(err)
					}
					do(society.Resume{Agent: society.Root})
					if len(userAnswers(before)) == 0 {
						do(society.Send{To: society.Root, Text: want.nudge})
					}
					if answers := userAnswers(quiet(t, r)); len(answers) != 1 || !strings.Contains(answers[0], "## "+want.request) {
						t.Fatalf("asked to go on after a stop, root answers %q", answers)
					}
					do(society.Send{To: society.Root, Text: want.other})
					if answers := userAnswers(quiet(t, r)); len(answers) != 2 || !slices.ContainsFunc(answers, func(s string) bool { return strings.Contains(s, "## "+want.other) }) {
						t.Errorf("after the next request there are the answers %q", answers)
					}
				})
			})
		}
	}
}

// userAnswers returns the answers of an inbox, which are no notes.
func userAnswers(inbox []api.InboxMessage) []string {
	var answers []string
	for _, m := range inbox {
		if !m.Note {
			answers = append(answers, m.Body)
		}
	}
	return answers
}

// withOfflineModel runs a society in memory until the test ends.
func withOfflineModel(t *testing.T, lang protocol.Lang, pace time.Duration) *runtime.Runtime {
	model, err := demo.New(demo.Config{Pace: pace})
	if err != nil {
		t.Fatal(err)
	}
	r, err := runtime.Open(runtime.Config{Store: memdb.New(), Model: model, Lang: lang, Check: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	t.Cleanup(func() {
		leave()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	return r
}

func leadsToOneAnswer(t *testing.T, lang protocol.Lang, request string) {
	r := withOfflineModel(t, lang, 0)
	if _, err := r.Do(t.Context(), society.Send{To: society.Root, Text: request}); err != nil {
		t.Fatal(err)
	}
	answers := userAnswers(quiet(t, r))
	made := len(rowsOf(t.Context(), t, r)) - 1
	if made < 2 || made > 4 || len(answers) != 1 || !strings.Contains(answers[0], "## "+strings.TrimRight(request, ".")) {
		t.Errorf("%d agents were made, and the user is answered %q", made, answers)
	}
	t.Logf("%d agents", made)
}
