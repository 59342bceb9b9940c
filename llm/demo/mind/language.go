package mind

import (
	"fmt"
	"strings"

	"society-tui/llm/demo/prose"
)

// A Language is one that the model writes.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh-CN"
)

// Languages returns both.
func Languages() []Language { return []Language{English, Chinese} }

// ParseLanguage returns the language that a locale's name stands for; English
// for all that are not Chinese.
func ParseLanguage(name string) Language {
	if strings.HasPrefix(strings.ToLower(name), "zh") {
		return Chinese
	}
	return English
}

// words is the table of a language.
func (l Language) words() map[string]string {
	if l == Chinese {
		return chinese
	}
	return english
}

// say returns a phrase of the table with its blanks filled in.
func (l Language) say(phrase string, blanks ...any) string {
	format := l.words()[phrase]
	if len(blanks) == 0 {
		return format
	}
	return fmt.Sprintf(format, blanks...)
}

// list joins names as the language does.
func (l Language) list(names []string) string { return strings.Join(names, l.say("comma")) }

// skillList names skills.
func (l Language) skillList(skills []prose.Skill) string {
	var names []string
	for _, s := range skills {
		names = append(names, strings.ToLower(l.say(skillName(s))))
	}
	return l.list(names)
}

// The words of the tables that belong to a skill, a kind of finding or a post.
func skillName(s prose.Skill) string { return "skill_" + string(s) }
func skillDoes(s prose.Skill) string { return "do_" + string(s) }
func kindName(k prose.Kind) string   { return "kind_" + string(k) }
func postName(p post) string         { return "post_" + string(p) }
func postPrompt(p post) string       { return "prompt_" + string(p) }

// skillNamed finds the skill that has a name in one of the languages.
func skillNamed(name string) (prose.Skill, bool) {
	for _, lang := range Languages() {
		for _, s := range append(prose.Skills(), advice, check) {
			if lang.say(skillName(s)) == name {
				return s, true
			}
		}
	}
	return "", false
}

// kindNamed finds the kind of finding that has a name in one of the languages.
func kindNamed(name string) (prose.Kind, bool) {
	k, ok := kindsByName[name]
	return k, ok
}

// kindsByName is the tables read backwards.
var kindsByName = readBackwards()

func readBackwards() map[string]prose.Kind {
	kinds := make(map[string]prose.Kind)
	for _, lang := range Languages() {
		for key, name := range lang.words() {
			if kind, ok := strings.CutPrefix(key, "kind_"); ok {
				kinds[name] = prose.Kind(kind)
			}
		}
	}
	return kinds
}
