package runtime_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

func TestAModelThatTheEndpointDoesNotHaveComesWithTheNearestOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		s := run(t, newCast().plays("root", llmtest.Fail(&llm.Error{Class: llm.NoModel, Status: 404, Text: "no such model"})), store, func(cfg *runtime.Config) {
			models, err := registry.New(registry.Entry{Name: "scripted", Model: cfg.Model})
			if err != nil {
				t.Fatal(err)
			}
			models.Offer("scripted", []string{"embed-1", "scripted-2", "scripted-mini", "scripter", "whisper"})
			cfg.Models = models
		})
		s.do(society.Send{To: society.Root, Text: "hello"})
		time.Sleep(time.Minute)
		if n := len(s.model.Requests()); n != 1 {
			t.Errorf("the model was asked %d times", n)
		}
		row := s.rows()[society.Root]
		for _, name := range []string{"no such model", "scripted-2", "scripted-mini", "scripter"} {
			if !strings.Contains(row.Error, name) {
				t.Errorf("%q is not in %q", name, row.Error)
			}
		}
		if strings.Contains(row.Error, "whisper") || row.ErrorClass != string(llm.NoModel) {
			t.Errorf("class %q, %q", row.ErrorClass, row.Error)
		}
	})
}

func TestAFailureOnTheWayIsToldInTheLanguageOfTheSociety(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unknown := llmtest.Fail(&llm.Error{Class: llm.Network, Code: llm.CodeTLS, Text: "the endpoint does not speak TLS"})
		s := run(t, newCast().plays("root", unknown), memdb.New(), func(cfg *runtime.Config) { cfg.Lang = protocol.Chinese })
		s.do(society.Send{To: society.Root, Text: "你好"})
		time.Sleep(time.Minute)
		if row := s.rows()[society.Root]; !strings.Contains(row.Error, "该地址不使用 TLS") || strings.Contains(row.Error, "speak") {
			t.Errorf("it is told as %q", row.Error)
		}
	})
}

func TestAFailureIsToldWithItsClassUntilItIsMended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		refused := llmtest.Fail(&llm.Error{Class: llm.Network, Code: llm.CodeCertificate, Text: "not trusted"})
		s := run(t, newCast().plays("root", refused, llmtest.Say("well")), store)
		s.do(society.Send{To: society.Root, Text: "hello"})
		time.Sleep(time.Minute)
		if n := len(s.model.Requests()); n != 1 {
			t.Errorf("a certificate that is not trusted was tried %d times", n)
		}
		s.quit()
		s = run(t, newCast().plays("root", llmtest.Say("well")), store) // it is stored
		if row := s.rows()[society.Root]; row.ErrorClass != string(llm.Network) || row.ErrorCode != llm.CodeCertificate {
			t.Errorf("it is told as %q, %q", row.ErrorClass, row.ErrorCode)
		}
		s.do(society.Resume{Agent: society.Root})
		time.Sleep(time.Minute)
		if row := s.rows()[society.Root]; row.Error != "" || row.ErrorClass != "" || row.ErrorCode != "" {
			t.Errorf("after an answer it is %q, %q, %q", row.Error, row.ErrorClass, row.ErrorCode)
		}
	})
}

func TestAQuotaThatIsFilledAgainSaysWhen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast().plays("root", llmtest.Fail(&llm.Error{Class: llm.Quota, Status: 429, Text: "the day is used up", RetryAfter: 3 * time.Hour})), memdb.New())
		until := time.Now().Add(3 * time.Hour).Format(time.RFC3339)
		s.do(society.Send{To: society.Root, Text: "hello"})
		time.Sleep(time.Minute)
		if row := s.rows()[society.Root]; !strings.Contains(row.Error, until[:len("2026-11-24T18:")]) {
			t.Errorf("%q does not say %s", row.Error, until)
		}
	})
}
