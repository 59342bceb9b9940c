package society

import (
	"encoding/json"
	"testing"
	"time"
)

// TestStepsAreStoredAsTheyEverWere holds the names that files have.
func TestStepsAreStoredAsTheyEverWere(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	const until = `,"until":"2026-01-02T03:04:05Z"`
	for stored, step := range map[string]Step{
		`{"n":1,"kind":"think","squeezed":true,"work":2,"attempt":3}`:     {N: 1, Kind: ThinkStep, AfterCompression: true, Work: 2, Attempt: 3},
		`{"n":1,"kind":"act","call":"<c>","writes":true,"held":true}`:     {N: 1, Kind: ActStep, Call: "<c>", Writes: true, NotBegun: true},
		`{"n":1,"kind":"compress","plain":true}`:                          {N: 1, Kind: CompressStep, WithoutModel: true},
		`{"n":1,"kind":"judge"}`:                                          {N: 1, Kind: JudgeStep},
		`{"n":1,"kind":"join"}`:                                           {N: 1, Kind: JoinStep},
		`{"n":1,"kind":"wait"` + until + `,"squeezed":true}`:              {N: 1, Kind: WaitStep, Until: at, For: RetryThink, AfterCompression: true},
		`{"n":1,"kind":"wait"` + until + `,"plain":true,"squeezes":true}`: {N: 1, Kind: WaitStep, Until: at, For: RetryCompress, WithoutModel: true},
		`{"n":1,"kind":"wait"` + until + `,"run":true,"work":4}`:          {N: 1, Kind: WaitStep, Until: at, For: RetryNode, Work: 4},
		`{"n":1,"kind":"wait"` + until + `,"due":true}`:                   {N: 1, Kind: WaitStep, Until: at, For: NodeDeadline},
		`{"n":1,"kind":"wait"` + until + `,"drain":true}`:                 {N: 1, Kind: WaitStep, Until: at, For: DrainDeadline},
		`{"n":1,"kind":"wait"` + until + `,"post":true}`:                  {N: 1, Kind: WaitStep, Until: at, For: MessageDue},
	} {
		if got, err := step.MarshalJSON(); err != nil || string(got) != stored+"\n" {
			t.Errorf("MarshalJSON(%+v) = %s, %v, want %s", step, got, err, stored)
		}
		var got Step
		if err := json.Unmarshal([]byte(stored), &got); err != nil || got != step {
			t.Errorf("Unmarshal(%s) = %+v, %v, want %+v", stored, got, err, step)
		}
	}
}

func TestUnknownFieldsOfStepsAreFound(t *testing.T) {
	t.Parallel()
	for record, known := range map[string]bool{
		`{"id":"a-1"}`: true,
		`{"id":"a-1","open":[{"n":1,"kind":"wait","post":true}]}`: true,
		`{"id":"a-1","open":[{"n":1,"kind":"wait","soon":true}]}`: false,
	} {
		if err := CheckSteps([]byte(record)); (err == nil) != known {
			t.Errorf("CheckSteps(%s) = %v", record, err)
		}
	}
}
