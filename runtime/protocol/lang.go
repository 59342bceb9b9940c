package protocol

// Lang is the language that the runtime speaks with agents and the user.
type Lang string

// The languages.
const (
	English Lang = "en"
	Chinese Lang = "zh-CN"
)

// OwnName is what those who speak the language call it, "" for no language.
func (l Lang) OwnName() string {
	switch l {
	case English:
		return "English"
	case Chinese:
		return "中文"
	}
	return ""
}

// Langs returns all languages, the default first.
func Langs() []Lang { return []Lang{English, Chinese} }
