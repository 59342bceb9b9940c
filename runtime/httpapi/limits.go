package httpapi

import "net/http"

const (
	largestBody = 1 << 20
	largestText = 64 << 20 // of a request with a message, which may have 16 MiB, and attachments of 32 MiB in base64
)

// BodyLimit returns how many bytes the body of a request may have.
func BodyLimit(r *http.Request) int64 {
	switch r.URL.Path {
	case "/api/submit", "/api/send":
		return largestText
	}
	return largestBody
}

// IsStream reports whether a request stays open until the client goes.
func IsStream(r *http.Request) bool { return r.URL.Path == "/api/events" }
