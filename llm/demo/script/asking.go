package script

import (
	"strings"

	"society-tui/llm/lazyregexp"
)

// mostCounted is how many files a command counts the lines of.
const mostCounted = 3

var (
	// plainName matches a name that means the same to every shell without quotes.
	plainName = lazyregexp.New(`^[A-Za-z0-9_./][A-Za-z0-9_./@+-]*$`)
	lineCount = lazyregexp.New(`(?m)^ *(\d+) (\S+)$`)
	readme    = lazyregexp.New(`(?i)^readme(?:\.(?:md|txt|rst|adoc))?$`)
	// homepage matches an address of a page: no picture, and no computer without a name.
	homepage  = lazyregexp.New(`https?://(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}(?:/[A-Za-z0-9_./~-]*)?`)
	isPicture = lazyregexp.New(`(?i)\.(?:svg|png|gif|jpe?g|webp|ico)$`)
	pageTitle = lazyregexp.New(`(?m)^(?:Title: |标题：)(.+)$`)
)

// asks returns the outcome of a call that the user may be asked about. It is not made, and ok
// is false, if there is no such tool, or if something was denied to the agent before: who says
// no once does not want to be asked on.
func (r *review) asks(tool string, arguments map[string]any) (o outcome, ok bool) {
	if !r.tools[tool] || r.outcome(call(tool, arguments)).tries == 0 && r.wasDenied() {
		return outcome{}, false
	}
	return r.make(tool, arguments), true
}

// wasDenied reports whether a call since the last answer was denied.
func (r *review) wasDenied() bool {
	for _, m := range r.history[min(r.since, len(r.history)):] {
		if decode[struct{ Error string }](firstLine(m.Text)).Error == "denied" {
			return true
		}
	}
	return false
}

// reason says why a call that the user was asked about has shown nothing.
func (o outcome) reason(l Language) string {
	switch o.code {
	case "denied":
		return whyForbidden.in(l)
	case "":
		return whyNoResult.in(l)
	}
	return o.code
}

// lines counts the lines of the largest of some files with a command.
func (r *review) lines(names []string) []string {
	var plain []string
	for _, name := range names {
		if plainName.MatchString(name) && len(plain) < mostCounted {
			plain = append(plain, name)
		}
	}
	if len(plain) == 0 {
		return nil
	}
	o, ok := r.asks(runCommand, map[string]any{"command": "wc -l " + strings.Join(plain, " "), "why": sayWhyLines.in(r.lang)})
	if !ok {
		return nil
	}
	var counts []string
	for _, m := range lineCount.FindAllStringSubmatch(o.text, -1) {
		if o.ok && m[2] != "total" {
			counts = append(counts, quote(m[2])+" "+m[1])
		}
	}
	if counts == nil {
		return []string{sayNoLines.in(r.lang, o.reason(r.job.lang))}
	}
	return []string{sayLines.in(r.lang, r.job.lang.list(counts))}
}

// page looks at the page that the folder's README names first.
func (r *review) page() []string {
	named := r.files.files(readme.MatchString)
	if len(named) == 0 || !r.tools[fetchPage] {
		return nil
	}
	at := ""
	hits, _ := r.search(map[string]any{"path": named[0], "pattern": "https?://"})
	for _, h := range hits {
		for _, found := range homepage.FindAllString(h.text, -1) {
			if at == "" && !isPicture.MatchString(found) {
				at = strings.TrimRight(found, ".")
			}
		}
	}
	if at == "" {
		return nil
	}
	o, ok := r.asks(fetchPage, map[string]any{"url": at})
	name, where := quote(named[0]), quote(at)
	switch title := pageTitle.FindStringSubmatch(o.text); {
	case !ok:
		return nil
	case !o.ok:
		return []string{sayNoPage.in(r.lang, name, where, o.reason(r.job.lang))}
	case title != nil:
		return []string{sayPage.in(r.lang, name, where, clip(title[1], 120))}
	}
	if to := decode[struct {
		To string `json:"redirects_to"`
	}](firstLine(o.text)).To; to != "" {
		return []string{sayElsewhere.in(r.lang, name, where, quote(to))}
	}
	return []string{sayPage.in(r.lang, name, where, where)}
}
