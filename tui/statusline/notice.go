package statusline

import "time"

// noticeTime is how long a message stays that is no error, and readTime how long at
// least while the user goes on: what they do next may make it untrue.
const (
	noticeTime = 6 * time.Second
	readTime   = 1500 * time.Millisecond
)

// notices are the message that is shown and the one behind it.
type notices struct {
	trouble string
	news    string
	until   time.Time // the news
}

// Say shows what a command came to, for six seconds, or until the user goes on when it
// can have been read. It stands behind an error until that was seen. The text is in our own words, one line.
func (r *Model) Say(text string, now time.Time) {
	r.notice.news, r.notice.until = text, now.Add(noticeTime)
}

// Complain shows an error until a key was pressed after it.
func (r *Model) Complain(text string) { r.notice.trouble = text }

// Pressed says that the user has pressed a key: an error has been seen. It says
// whether there was one.
func (r *Model) Pressed() bool {
	seen := r.notice.trouble != ""
	r.notice.trouble = ""
	return seen
}

// GoesOn says that the user does something else: a message that can have been read
// goes. One behind an error cannot.
func (r *Model) GoesOn(now time.Time) {
	if r.notice.trouble == "" && !now.Before(r.notice.until.Add(readTime-noticeTime)) {
		r.notice.news = ""
	}
}

// Until returns when the message goes by itself, for a timer; false for never.
func (r *Model) Until() (time.Time, bool) { return r.notice.until, r.notice.news != "" }

func (n *notices) tick(now time.Time) {
	if n.news != "" && !now.Before(n.until) {
		n.news = ""
	}
}
