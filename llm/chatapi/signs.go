package chatapi

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

// A sign is how endpoints say that an error is of a class. All in it is in small letters.
type sign struct {
	class llm.Class
	// statuses are enough by themselves.
	statuses []int
	// codes are parts of types and codes, without _, - and dots; one of digits is a whole one.
	codes []string
	// texts are phrases (see holds), also within a code.
	texts []string
	// server lets the texts count where the status is 5xx: there most are of the machine.
	server bool
	// unless are phrases with which the statuses and texts do not count, and at those
	// statuses.
	unless   []string
	unlessAt []int
}

// money are the texts about an account that has nothing left. They are ordinary words, and
// count only where no limit for a minute is named.
var money = []string{
	"insufficient quota", "insufficient balance", "insufficient_balance", "insufficient fund", "insufficient credit", "not enough credit",
	"credits", "credit balance", "credit limit", "billing", "payment required", "spending limit", "arrearage", "in arrears", "overdue",
	"usage limit", "余额不足", "欠费", "账户余额",
}

// daily are the texts about a limit that ends with the day.
var daily = []string{"per day", "per-day", "perday", "daily limit", "daily quota"}

var moderation = []string{
	"content_policy", "content policy", "content_filter", "content filter", "content management policy", "responsibleaipolicy", "safety system", "usage polic",
	"flagged", "moderation", "inappropriate content", "data_inspection", "content exists risk", "new_sensitive", "敏感",
}

var byTheMinute = []string{"rate limit", "rate_limit", "per minute", "per-min", "perminute", "per min", "per second"}

// signs are asked in this order, and the first that fits decides.
var signs = []sign{
	// Some endpoints answer 401 or 403 to an empty account, a filter or too many requests:
	// another key would not help there.
	{class: llm.Auth, statuses: []int{http.StatusUnauthorized}, unless: []string{"insufficient balance", "insufficient_quota", "insufficient credit", "creditserror"}},
	{class: llm.Auth, statuses: []int{http.StatusForbidden}, unless: slices.Concat(money, moderation, byTheMinute)},
	{
		class: llm.Auth,
		codes: []string{"invalidapikey", "apikeyinvalid", "authenticationerror", "unauthorized", "unauthenticated", "permissiondenied", "invalidauthentication", "accessdenied"},
		texts: []string{"incorrect api key", "invalid api key", "api key not valid", "api key is invalid", "invalid x-api-key", "no api key", "missing api key", "api key expired", "authenticationerror", "invalid authentication"},
		// A name that one may not see is one that is not there.
		unless: []string{"not found the model", "model not found"}, unlessAt: []int{http.StatusTooManyRequests},
	},

	{class: llm.Network, statuses: []int{http.StatusProxyAuthRequired}}, // of the proxy

	{class: llm.Quota, statuses: []int{http.StatusPaymentRequired}},
	{class: llm.Quota, codes: []string{"insufficientquota", "insufficientbalance", "insufficientcredit", "insufficientfunds", "billinghardlimit", "billingnotactive", "paymentrequired", "usagelimitreached", "creditserror", "arrearage", "perday", "1113", "1308", "1310"}},
	{class: llm.Quota, texts: append([]string{"insufficient_quota", "billing_hard_limit", "billing_not_active"}, daily...)},
	// "Check your plan and billing details" is also said of a minute that is used up.
	{class: llm.Quota, texts: money, unless: slices.Concat([]string{"please retry in", "check your plan and billing"}, byTheMinute, moderation)},

	{class: llm.Context, codes: []string{"contextlengthexceeded", "exceedcontextsize", "contexttoolarge", "contextoverflow", "contextwindowexceeded", "1261"}, unlessAt: []int{http.StatusTooManyRequests}},
	{class: llm.Context, codes: []string{"requesttoolarge"}, statuses: []int{http.StatusRequestEntityTooLarge}, texts: tooLong, server: true, unless: notTooLong, unlessAt: []int{http.StatusTooManyRequests}},

	{
		class: llm.Rate, statuses: []int{http.StatusTooManyRequests, 529},
		codes: []string{"ratelimit", "toomanyrequests", "resourceexhausted", "throttl"},
		texts: []string{"rate limit", "rate_limit", "ratelimit", "too many requests", "resource_exhausted", "throttl", "slow down", "please wait", "requests per min", "tokens per min", "quota exceeded"}, server: true,
		unless: []string{"deployment for this resource does not exist"},
	},

	{class: llm.NoImage, codes: []string{"invalidimage", "imageparse", "imagetoo", "unsupportedimage"}, texts: noImage, server: true},
	{class: llm.Protocol, texts: noChat},
	{class: llm.NoModel, codes: []string{"modelnotfound", "modelnotavailable", "modelnotsupported", "unknownmodel", "invalidmodel", "deploymentnotfound", "1211"}, texts: noSuchModel},
	{class: llm.Filter, codes: []string{"contentfilter", "contentpolicy", "datainspection", "responsibleaipolicy", "prohibitedcontent", "1301"}, texts: moderation},
	{class: llm.Overload, statuses: []int{http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly}, texts: []string{"overloaded", "server_busy", "server is busy"}},
}

// tooLong are the texts of a context that is full, with who says so.
var tooLong = []string{
	"context_length_exceeded", "context_window_exceeded", "contextwindowexceeded", "exceed_context_size", "context_too_large", "context_overflow",
	"prompt is too long", "prompt too long", "input is too long", "input too long", "prompt or input too long", // Anthropic, Bedrock, Vercel, Ollama
	"maximum context", "maximum prompt length", "maximum input length", "max context length", // OpenAI, vLLM, OpenRouter, xAI, Mistral
	"context length of only", "context size of only", "context window of only", "only … context size", // LM Studio
	"exceed … context", "exceed … input length", "input length … exceed", "exceed … token limit", "exceed … number of tokens", "exceed … configured limit", // OpenAI, Gemini, Kimi, llama.cpp, Azure
	"prompt … exceed … limit of #", "input … exceed … limit of #", "token count … exceed … limit of #", "messages … exceed … limit of #", // Copilot
	"context window exceed", "context length exceed", "context limit exceed", "context size exceed", "context size has been exceeded", "prompt exceeds max length", // MiniMax, llama.cpp, z.ai
	"context is full", "context window is full", "context full", "context overflow",
	"reduce the length of the messages", "reduce the length of the prompt", "reduce the length of the input", "reduce the length of either", // Groq
	"greater than the context", "longer than the … context", "greater than the … context", // LM Studio, Together
	"range of input length",            // Alibaba
	"current length … while limit",     // Cerebras
	"`inputs` … `max_new_tokens`",      // TGI
	"inputs tokens + max_new_tokens",   //
	"too many tokens",                  // Cohere
	"configured context size",          //
	"more than max tokens",             //
	"entity too large",                 // proxies
	"request too large",                // Groq
	"超长",                               // Zhipu
	"exceeds the maximum model length", // vLLM
}

// notTooLong are the texts of other limits. The last are about the answer: a shorter history
// would not help.
var notTooLong = []string{
	"rate limit", "rate_limit", "per minute", "throttl", "please wait", "string_above_max_length", "image",
	"max_tokens` … too large", "max_tokens' … too large", "max_tokens is too large", "max_completion_tokens' … too large", "max_completion_tokens is too large",
	"completion tokens, whereas", "number of output tokens", "context deadline exceeded",
}

var noImage = []string{
	"unknown variant `image_url`", "image_url … not supported", "unsupported … image_url", "invalid content type … image_url", "image_url is only supported", "image_url … unexpected",
	"support image", "support images", "supports image", "image input", "images are not", "image is not supported", "image not supported", "images not supported",
	"support vision", "vision is not", "vision … not supported", "multimodal", "mmproj",
	"image dimension", "image exceed", "image is too", "image too", "image size", "image data", "process image", "process the image", "invalid image", "unsupported image",
	"image does not match", "image was provided", "at most 0 image", "at most … image(s)",
}

var noChat = []string{
	"not a chat model", "v1/responses", "v1/completions", "not support chat", "not support generatecontent", "embedding model",
	"support tool use", "tool use is not", "tool use with", "not support tool", "not support function", "tools is not supported", "tools are not supported", "tool calling is not", "function calling is not",
	"enable-auto-tool-choice", "tool call parser",
}

var noSuchModel = []string{
	"model_not_found", "model not found", "model … not found", "model … does not exist", "deployment … does not exist", "model not exist", "models/ … is not found", "not found the model", "no such model",
	"no endpoints", "try pulling", "not a valid model", "invalid model", "unknown model", "unsupported model", "unable to access model", "model … decommissioned", "model … deprecated",
	"model is not supported", "supported api model names", "no models loaded", "no model loaded", "no available channel for model", "model … not available", "模型不存在",
}

// limits matches what one request may have, and what this one had.
var limits = lazyregexp.New(`limit:? ?([\d,]+)\b.{0,60}?requested:? ?~?([\d,]+)`)

// classOf returns the class of an error by its status and by what r says.
func classOf(status int, r *report, page bool) llm.Class {
	said := strings.ToLower(r.text[:min(len(r.text), longestText)])
	codes := r.squashed()
	said = strings.Join(r.codes, " ") + " " + said
	tooMuch, fits := compare(said)
	for i := range signs {
		s := &signs[i]
		switch {
		case s.class == llm.Context && fits, s.class == llm.Rate && tooMuch:
		case s.class == llm.Context && tooMuch:
			return llm.Context
		case page && s.isOfTheRest():
		case s.fits(status, codes, said):
			return s.class
		}
	}
	switch {
	case status >= 500:
		return llm.Overload
	case page || (status != 0 && status < 400):
		return llm.NotChat
	case status >= 400 || malformed.MatchString(said):
		return llm.Invalid
	}
	return llm.Overload // an error within a stream that names no status
}

var malformed = lazyregexp.New(`invalid_request|bad_request|invalid_argument|not_found|unprocessable`)

// isOfTheRest reports whether the sign is for what an endpoint says of a request: a web page
// says such things of itself.
func (s *sign) isOfTheRest() bool {
	return s.class == llm.NoImage || s.class == llm.Protocol || s.class == llm.NoModel || s.class == llm.Filter
}

func (s *sign) fits(status int, codes, said string) bool {
	if slices.Contains(s.unlessAt, status) {
		return false
	}
	known := slices.ContainsFunc(s.codes, func(code string) bool {
		if code[0] <= '9' {
			code = " " + code + " "
		}
		return strings.Contains(codes, code)
	})
	found := known || slices.Contains(s.statuses, status) || (s.server || status < 500) && holdsAny(said, s.texts)
	return found && !holdsAny(said, s.unless)
}

// compare reports whether one request had more than the endpoint's limit for a minute, or
// that it had not; neither, if that is not said.
func compare(said string) (tooMuch, fits bool) {
	m := limits.FindStringSubmatch(said)
	if m == nil {
		return false, false
	}
	limit, requested := whole(m[1]), whole(m[2])
	return requested > limit, requested <= limit
}

// whole reads a number with or without commas; 0 if it is none.
func whole(digits string) int {
	n, err := strconv.Atoi(strings.NewReplacer(",", "", "_", "").Replace(digits))
	if err != nil {
		return 0
	}
	return n
}

func holdsAny(text string, phrases []string) bool {
	return slices.ContainsFunc(phrases, func(phrase string) bool { return holds(text, phrase) })
}

// nearby is how far apart the parts of a phrase may be.
const nearby = 80

// holds reports whether text holds a phrase. Its parts, which … separates, stand in this
// order, near each other. A # at its end is a digit.
func holds(text, phrase string) bool {
	head, rest, more := strings.Cut(phrase, " … ")
	head, number := strings.CutSuffix(head, "#")
	for at := 0; ; {
		found := strings.Index(text[at:], head)
		if found < 0 {
			return false
		}
		at += found + len(head)
		after := text[at:]
		switch {
		case number && (after == "" || after[0] < '0' || after[0] > '9'):
		case !more, holds(after[:min(len(after), nearby+len(rest))], rest):
			return true
		}
	}
}
