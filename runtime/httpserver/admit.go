package httpserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net/http"
	"regexp"
	"strings"

	"society-tui/runtime/attachapi"
	"society-tui/runtime/httpapi"
)

// refuse answers a request that is not admitted, and closes its connection, so that
// nobody holds one without the token.
func refuse(w http.ResponseWriter, status int, code, message string) {
	w.Header().Set("Connection", "close")
	httpapi.WriteError(w, &httpapi.Error{Status: status, Code: code, Message: message})
}

// refuseOne answers a request beyond a limit. Its connection stays open if others can be in
// flight on it.
func refuseOne(w http.ResponseWriter, r *http.Request, status int, code, message string) {
	if r.ProtoMajor < 2 {
		w.Header().Set("Connection", "close")
	}
	e := &httpapi.Error{Status: status, Code: code, Message: message}
	if status == http.StatusTooManyRequests {
		e.RetryAfter = 1
	}
	httpapi.WriteError(w, e)
}

// limitRate refuses requests beyond the rate of their entrance, before anything else is
// done for them: they do not fill the log either.
func (s *Server) limitRate(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := connOf(r)
		defer c.flight.Add(-1)
		if c.flight.Add(1) > int64(s.cfg.Limits.Connections) {
			s.abort(c, "too many requests at once")
		}
		if !c.from.rate.Allow() {
			if !c.refused.Allow() {
				s.abort(c, "too many requests beyond the rate")
			}
			refuseOne(w, r, http.StatusTooManyRequests, httpapi.CodeTooMany, "there are too many requests; try again in a second")
			s.warn("a request was refused: there are too many", "at", c.from.name)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// abort closes a connection with all that is in flight on it.
func (s *Server) abort(c *conn, why string) {
	_ = c.Close()
	s.warn("a connection was closed", "at", c.from.name, "why", why)
	panic(http.ErrAbortHandler)
}

// admit passes on requests of the user's programs.
func (s *Server) admit(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.Host == "":
			refuse(w, http.StatusBadRequest, httpapi.CodeInvalid, "the request has no Host")
		case !thisMachine.MatchString(r.Host):
			refuse(w, http.StatusForbidden, httpapi.CodeForbidden, "the Host must be 127.0.0.1, localhost or [::1]; use one of them in the address")
		case isForeign(r):
			refuse(w, http.StatusForbidden, httpapi.CodeForbidden, "requests of web pages are refused")
		case !s.isAuthorized(r):
			w.Header().Set("WWW-Authenticate", "Bearer")
			refuse(w, http.StatusUnauthorized, httpapi.CodeUnauthorized, howToAuthorize(r))
		default:
			s.bound(w, r, next)
		}
	})
}

// howToAuthorize tells what a request without the right token lacks.
func howToAuthorize(r *http.Request) string {
	if scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " "); token != "" && strings.EqualFold(scheme, "Bearer") {
		return "this is not the token of this session; society-tui token prints it"
	}
	return "send the token as Authorization: Bearer TOKEN; society-tui token prints it"
}

// thisMachine matches the names of this machine, which no web page can have. The port
// may be another than ours: forwarding changes it.
var thisMachine = regexp.MustCompile(`^(127\.0\.0\.1|localhost|\[::1\])(:[0-9]{1,5})?$`)

// isForeign reports whether a request comes from a web page of another origin. The
// standard protection lets GET pass, which may read here as little as POST may write.
func isForeign(r *http.Request) bool {
	if origin, ok := r.Header["Origin"]; ok && (len(origin) != 1 || origin[0] != "http://"+r.Host) {
		return true
	}
	if r.Method == http.MethodOptions && r.Header["Access-Control-Request-Method"] != nil {
		return true // a page asks before its request; no page of ours has to
	}
	guarded := r.WithContext(r.Context())
	guarded.Method = http.MethodPost
	return new(http.CrossOriginProtection).Check(guarded) != nil
}

// isAuthorized reports whether a request has the token. The file is read each time, so
// that a replaced token ends at once.
func (s *Server) isAuthorized(r *http.Request) bool {
	token, err := ReadToken(s.cfg.Folder, s.cfg.Session)
	if err != nil {
		s.warn("requests are refused", "error", err.Error())
		return false
	}
	given := r.Header["Authorization"]
	if len(given) != 1 {
		return false
	}
	scheme, rest, _ := strings.Cut(given[0], " ")
	got, want := sha256.Sum256([]byte(rest)), sha256.Sum256([]byte(token))
	return strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// bound passes a request on within the limits of its body and of streams.
func (s *Server) bound(w http.ResponseWriter, r *http.Request, next http.Handler) {
	limit, ok := attachapi.BodyLimit(r)
	if !ok {
		limit = httpapi.BodyLimit(r)
	}
	if r.ContentLength > limit {
		refuseOne(w, r, http.StatusRequestEntityTooLarge, httpapi.CodeTooLarge, fmt.Sprintf("the body has more than %d bytes", limit))
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, limit)
	if httpapi.IsStream(r) {
		select {
		case s.streams <- struct{}{}:
			defer func() { <-s.streams }()
		default:
			refuseOne(w, r, http.StatusTooManyRequests, httpapi.CodeTooMany, fmt.Sprintf("there are %d streams already; close one, then try again", cap(s.streams)))
			return
		}
	}
	if r.ProtoMajor == 2 {
		patient := newPatientWriter(w, s.cfg.Limits.WriteTime)
		defer patient.last()
		w = patient
	}
	next.ServeHTTP(w, r)
}
