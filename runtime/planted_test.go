package runtime_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"society-tui/llm/demo"
	"society-tui/runtime"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/runtime/tool/org"
	"society-tui/storage/memdb"
)

// With the offline model each template that is built in leads to an answer, in
// each language: by those who were planted where they can do it, and it is said
// who could not.
func TestAPlantedSocietyAnswersWithTheOfflineModel(t *testing.T) {
	t.Parallel()
	for _, name := range template.Names() {
		for _, lang := range protocol.Langs() {
			for i, wish := range demo.Examples(string(lang)) {
				t.Run(strings.Join([]string{name, string(lang), string(rune('1' + i))}, " "), func(t *testing.T) {
					t.Parallel()
					plantedAnswers(t, name, lang, wish)
				})
			}
		}
	}
}

func plantedAnswers(t *testing.T, name string, lang protocol.Lang, wish string) {
	model, err := demo.New(demo.Config{})
	if err != nil {
		t.Fatal(err)
	}
	found, err := template.Shelf{Groups: org.Groups()}.Find(name, lang)
	if err != nil {
		t.Fatal(err)
	}
	store := memdb.New()
	r, err := runtime.Open(runtime.Config{
		Store: store, Model: model, Lang: lang, Check: true, Plant: func(protocol.Lang) society.Plant { return found.Plant },
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithTimeout(t.Context(), 2*time.Minute) // against hanging
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	watcher := r.Watch()
	defer func() {
		watcher.Close()
		leave()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := runtime.Check(store); err != nil {
			t.Error(err)
		}
	}()
	if _, err := r.Do(ctx, society.Send{To: society.Root, Text: wish}); err != nil {
		t.Fatal(err)
	}
	planted, _ := r.Planted()
	var said string
	for {
		inbox, err := r.Inbox(ctx, 0)
		if err != nil {
			t.Fatalf("%v after\n%s", err, said)
		}
		said = ""
		for _, m := range inbox {
			said += m.Body + "\n\n"
			if m.Note {
				continue
			}
			for _, id := range planted.Agents { // whoever root was told of works, or it is said
				a, err := r.Page(ctx, id, 0, 0)
				if err != nil {
					t.Fatal(err)
				}
				parent := society.Root
				rows := rowsOf(ctx, t, r)
				if rows[id].Parent == parent && len(a.Entries) == 0 && !strings.Contains(said+opening(ctx, t, r), string(id)) {
					t.Errorf("%s did nothing, and root says nothing of it:\n%s", id, said)
				}
			}
			return
		}
		if _, err := watcher.Next(ctx); err != nil {
			t.Fatalf("no answer (%v), but\n%s", err, said)
		}
	}
}

// opening is all that root has said beside its calls.
func opening(ctx context.Context, t *testing.T, r *runtime.Runtime) string {
	p, err := r.Page(ctx, society.Root, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var said strings.Builder
	for _, e := range p.Entries {
		said.WriteString(e.Text)
	}
	return said.String()
}

func rowsOf(ctx context.Context, t *testing.T, r *runtime.Runtime) map[society.AgentID]runtime.Row {
	w := r.Watch()
	defer w.Close()
	c, err := w.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[society.AgentID]runtime.Row{}
	for _, row := range c.Rows {
		rows[row.ID] = row
	}
	return rows
}
