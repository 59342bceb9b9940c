package mind

import (
	"fmt"
	"strings"

	"society-tui/llm/demo/prose"
)

// What advice consists of.
const (
	shorten     prose.Kind = "shorten"
	drop        prose.Kind = "drop"
	vary        prose.Kind = "vary"
	makeActive  prose.Kind = "make_active"
	beginOther  prose.Kind = "begin_other"
	calmDown    prose.Kind = "calm_down"
	addHeadings prose.Kind = "add_headings"
	answerThis  prose.Kind = "answer_this"
	sayCost     prose.Kind = "say_cost"
	sayDate     prose.Kind = "say_date"
	sayWho      prose.Kind = "say_who"
	sayWhere    prose.Kind = "say_where"
	sayGoal     prose.Kind = "say_goal"
	settle      prose.Kind = "settle"
	soften      prose.Kind = "soften"
	fallBack    prose.Kind = "fall_back"
	planFor     prose.Kind = "plan_for"
	leaveIt     prose.Kind = "leave_it"
	noColleague prose.Kind = "no_colleague" // nothing came from the partner
)

// What a check consists of.
const (
	agree    prose.Kind = "agree"    // how many findings of how many
	differ   prose.Kind = "differ"   // a finding that the checker did not come to
	verbatim prose.Kind = "verbatim" // how many quotations stand in the text
)

// remedy says what to do about a finding.
func remedy(k prose.Kind) (prose.Kind, bool) {
	switch k {
	case prose.LongSentence:
		return shorten, true
	case prose.Doubled, prose.Filler:
		return drop, true
	case prose.Repeated:
		return vary, true
	case prose.Passive:
		return makeActive, true
	case prose.SameStart:
		return beginOther, true
	case prose.Shouting:
		return calmDown, true
	case prose.NoHeading:
		return addHeadings, true
	case prose.Asked:
		return answerThis, true
	case prose.NoCost:
		return sayCost, true
	case prose.NoDate:
		return sayDate, true
	case prose.NoPeople:
		return sayWho, true
	case prose.NoPlace:
		return sayWhere, true
	case prose.NoMeasure:
		return sayGoal, true
	case prose.Unsure:
		return settle, true
	case prose.Absolute:
		return soften, true
	case prose.Condition:
		return fallBack, true
	case prose.Deadline:
		return planFor, true
	}
	return "", false
}

// advise makes a list of what to do out of what a colleague found.
func advise(sections []section) []prose.Finding {
	if len(sections) == 0 {
		return []prose.Finding{{Kind: noColleague}}
	}
	var found []prose.Finding
	for _, s := range sections {
		for _, f := range s.findings {
			if kind, ok := remedy(f.Kind); ok && len(found) < 12 {
				found = append(found, prose.Finding{Kind: kind, Value: clip(f.Value, 70)})
			}
		}
	}
	if len(found) == 0 {
		return []prose.Finding{{Kind: leaveIt}}
	}
	return found
}

// compareNotes works a colleague's findings out again and says how far the two
// agree, and whether what the colleague quotes stands in the text.
func compareNotes(text string, sections []section) []prose.Finding {
	if len(sections) == 0 {
		return []prose.Finding{{Kind: noColleague}}
	}
	var all, same, quoted, found int
	var differing []prose.Finding
	plain := strings.Join(strings.Fields(text), " ")
	for _, s := range sections {
		own := make(map[prose.Finding]bool)
		for _, f := range prose.Find(s.skill, text) {
			own[f] = true
		}
		for _, f := range s.findings {
			all++
			if own[f] {
				same++
			} else if len(differing) < 4 {
				differing = append(differing, prose.Finding{Kind: differ, Value: f.Value})
			}
			if f.Kind == prose.Gist || f.Kind == prose.Fact || f.Kind == prose.Asked {
				quoted++
				if strings.Contains(plain, strings.TrimSuffix(f.Value, "…")) {
					found++
				}
			}
		}
	}
	notes := []prose.Finding{{Kind: agree, Value: fmt.Sprintf("%d / %d", same, all)}}
	if quoted > 0 {
		notes = append(notes, prose.Finding{Kind: verbatim, Value: fmt.Sprintf("%d / %d", found, quoted)})
	}
	return append(notes, differing...)
}
