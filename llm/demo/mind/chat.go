package mind

import (
	"slices"
	"strings"

	"society-tui/llm/demo/prose"
)

// chat answers outside of a society, for a program that takes the model for
// any other: it does the work itself.
func chat(system string, history []entry) Answer {
	said := ""
	for _, e := range history {
		if e.heard != nil {
			said = e.heard.body
		}
	}
	w := readWish(said)
	lang := w.lang
	if lang == "" {
		lang = English
		if hanShare(said) > 0.3 {
			lang = Chinese
		}
	}
	text, skills := w.material, w.skills
	if len(skills) == 0 {
		skills = skillsIn(system)
		if len(skills) > 0 && size(said) > 0 {
			text = said // the prompt says what to do with whatever comes
		}
	}
	if len(skills) == 0 && text != "" {
		skills = []prose.Skill{prose.Summary, prose.Facts, prose.Count}
	}
	if text == "" {
		return Answer{Text: lang.say("intro") + "\n\n" + suggestions(lang), Slow: w.slow}
	}
	var sections []section
	for _, s := range prose.Skills() {
		if slices.Contains(skills, s) {
			sections = append(sections, section{skill: s, findings: prose.Find(s, text)})
		}
	}
	sentenceCount, wordCount := prose.Size(text)
	return Answer{
		Text: strings.Join([]string{
			lang.say("result_title", lang.skillList(skills)), lang.say("result_lead", sentenceCount, wordCount),
			resultOf(lang, w.detail, sections),
		}, "\n\n"),
		Slow: w.slow,
	}
}
