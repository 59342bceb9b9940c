package runtime_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"society-tui/llm/demo"
	"society-tui/runtime"
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

func leadsToOneAnswer(t *testing.T, lang protocol.Lang, request string) {
	model, err := demo.New(demo.Config{})
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
	defer func() {
		leave()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}()
	if _, err := r.Do(ctx, society.Send{To: society.Root, Text: request}); err != nil {
		t.Fatal(err)
	}
	var answers []string
	for _, m := range quiet(t, r) {
		if !m.Note {
			answers = append(answers, m.Body)
		}
	}
	made := len(rowsOf(ctx, t, r)) - 1
	if made < 2 || made > 4 || len(answers) != 1 || !strings.Contains(answers[0], "## "+strings.TrimRight(request, ".")) {
		t.Errorf("%d agents were made, and the user is answered %q", made, answers)
	}
	t.Logf("%d agents", made)
}
