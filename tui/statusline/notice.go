package statusline

import "time"

// noticeTime is how long a notice stays, readTime how long it stays at least
// while the user continues: further actions may make it untrue.
const (
	noticeTime = 6 * time.Second
	readTime   = 1500 * time.Millisecond
)

// A sentence is the text of a notice and what the user can do about it, or "".
type sentence struct{ text, hint string }

// notices holds a notice and an error in front of it.
type notices struct {
	trouble sentence
	mild    bool // trouble is a warning
	news    sentence
	until   time.Time // end of news
}

// ShowNotice shows a notice for six seconds, or until the user continues after
// readTime. It waits behind an error. The text is our own, in one line.
func (r *Model) ShowNotice(text, hint string, now time.Time) {
	r.notice.news, r.notice.until = sentence{text, hint}, now.Add(noticeTime)
}

// ShowError shows an error until a key is pressed.
func (r *Model) ShowError(text, hint string) {
	r.notice.trouble, r.notice.mild = sentence{text, hint}, false
}

// ShowWarning shows a warning until a key is pressed.
func (r *Model) ShowWarning(text, hint string) {
	r.notice.trouble, r.notice.mild = sentence{text, hint}, true
}

// Pressed dismisses the error after a key, and reports whether there was one.
func (r *Model) Pressed() bool {
	seen := r.notice.trouble.text != ""
	r.notice.trouble = sentence{}
	return seen
}

// GoesOn dismisses a notice that had time to be read, because the user does
// something else.
func (r *Model) GoesOn(now time.Time) {
	if r.notice.trouble.text == "" && !now.Before(r.notice.until.Add(readTime-noticeTime)) {
		r.notice.news = sentence{}
	}
}

// Until returns when the notice disappears by itself; false for never.
func (r *Model) Until() (time.Time, bool) { return r.notice.until, r.notice.news.text != "" }

func (n *notices) tick(now time.Time) {
	if n.news.text != "" && !now.Before(n.until) {
		n.news = sentence{}
	}
}
