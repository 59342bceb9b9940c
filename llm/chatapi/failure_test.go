package chatapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

// A saying is an error as an endpoint writes it.
type saying struct {
	from   string
	status int
	body   string
	class  llm.Class
	window int // that it names
	wait   time.Duration
}

// answering returns an endpoint that answers each request with the saying whose number is
// the name of the model.
func answering(t testing.TB, all []saying, header func(http.Header)) *httptest.Server {
	t.Helper()
	return serve(t, func(w http.ResponseWriter, r *http.Request) {
		n, err := strconv.Atoi(r.Header.Get("X-Saying"))
		if err != nil {
			t.Error(err)
			return
		}
		if header != nil {
			header(w.Header())
		}
		if strings.HasPrefix(all[n].body, "<") {
			w.Header().Set("Content-Type", "text/html")
		} else {
			w.Header().Set("Content-Type", "application/json")
		}
		w.WriteHeader(all[n].status)
		_, _ = io.WriteString(w, all[n].body)
	})
}

// numbered tells the endpoint which saying is wanted.
type numbered struct {
	http.RoundTripper
	n int
}

func (s numbered) RoundTrip(r *http.Request) (*http.Response, error) {
	r.Header.Set("X-Saying", strconv.Itoa(s.n))
	return s.RoundTripper.RoundTrip(r)
}

// checkSayings asks a model behind an endpoint that answers with each of them.
func checkSayings(t *testing.T, all []saying) {
	t.Helper()
	server := answering(t, all, nil)
	for n, s := range all {
		m := open(t, Config{BaseURL: server.URL, Key: canary, Client: &http.Client{Transport: numbered{server.Client().Transport, n}}})
		_, failure := listen(t, m.Generate(t.Context(), hello()))
		switch {
		case failure == nil || failure.Class != s.class:
			t.Errorf("%s: %d %s\nis %v, want %s", s.from, s.status, s.body, failure, s.class)
		case failure.Window != s.window:
			t.Errorf("%s: %s\nnames a window of %d, got %d", s.from, s.body, s.window, failure.Window)
		case failure.RetryAfter != s.wait:
			t.Errorf("%s: %s\nsays to wait %s, got %s", s.from, s.body, s.wait, failure.RetryAfter)
		}
	}
}

// fullContexts are how endpoints say that a context is full.
func fullContexts() (all []saying) {
	for _, c := range llmtest.FullContexts() {
		all = append(all, saying{from: c.From, status: c.Status, body: c.Body, class: llm.Context, window: c.Window})
	}
	return all
}

func TestAFullContextIsRecognisedAndItsWindowLearnt(t *testing.T) {
	t.Parallel()
	checkSayings(t, fullContexts())
}

// otherLimits are errors about something else that is too long, too large or too much.
func otherLimits() []saying {
	return []saying{
		{"Bedrock, throttled", 429, `{"message":"Too many tokens, please wait before trying again."}`, llm.Rate, 0, 0},
		{"Bedrock, through a proxy", 400, `{"error":{"message":"ThrottlingException: Too many tokens, please wait before trying again.","type":"invalid_request_error"}}`, llm.Rate, 0, 0},
		{"OpenAI, less than a minute has", 429, `{"error":{"message":"Rate limit reached for gpt-x in organization org-1 on tokens per min (TPM): Limit 30000, Used 28250, Requested 5000. Please try again in 6.5s. Visit https://platform.example/account/rate-limits to learn more.","type":"tokens","param":null,"code":"rate_limit_exceeded"}}`, llm.Rate, 0, 6500 * time.Millisecond},
		{"Anthropic, tokens per minute", 429, `{"type":"error","error":{"type":"rate_limit_error","message":"This request would exceed your organization's rate limit of 30,000 input tokens per minute. Please reduce the prompt length or the maximum tokens requested, or try again later."}}`, llm.Rate, 0, 0},
		{"Groq, a minute that is used up", 413, "{\"error\":{\"message\":\"Request too large for model `llama-x` on tokens per minute (TPM): Limit 6000, Used 4000, Requested 3000, please reduce your message size and try again.\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}", llm.Rate, 0, 0},
		{"OpenAI, one string", 400, `{"error":{"message":"Invalid 'messages[1].content': string too long. Expected a string with maximum length 1048576, but got a string with length 1540820 instead.","type":"invalid_request_error","param":"messages[1].content","code":"string_above_max_length"}}`, llm.Invalid, 0, 0},
		{"OpenAI, too many tools", 400, `{"error":{"message":"Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 201 instead.","type":"invalid_request_error","param":"tools","code":"array_above_max_length"}}`, llm.Invalid, 0, 0},
		{"OpenAI, max_tokens", 400, `{"error":{"message":"max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.","type":"invalid_request_error","param":"max_tokens","code":"invalid_value"}}`, llm.Invalid, 0, 0},
		{"Anthropic, max_tokens", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"max_tokens: 200000 > 64000, which is the maximum allowed number of output tokens for claude-x"}}`, llm.Invalid, 0, 0},
		{"vLLM, max_tokens", 400, `{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 50000. This model's maximum context length is 40960 tokens and your request has 2011 input tokens (50000 > 40960 - 2011).","type":"BadRequestError","param":"max_tokens","code":400}}`, llm.Invalid, 0, 0},
		{"OpenRouter, fewer max_tokens", 402, `{"error":{"message":"This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1234. To increase, visit https://openrouter.example/settings/credits and upgrade to a paid account","code":402,"metadata":{"provider_name":null}}}`, llm.Quota, 0, 0},
		{"Anthropic, an image", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.1.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes"}}`, llm.NoImage, 0, 0},
		{"Anthropic, dimensions", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"messages.0.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size: 8000 pixels"}}`, llm.NoImage, 0, 0},
		{"a gateway that gives up", 504, `{"error":{"message":"Post \"https://upstream.example/v1\": context deadline exceeded","type":"server_error"}}`, llm.Overload, 0, 0},
		{"a description", 400, `{"error":{"message":"Invalid 'tools[3].function.description': string too long. Expected a string with maximum length 1024.","type":"invalid_request_error"}}`, llm.Invalid, 0, 0},
		{"an upload", 400, `{"error":{"message":"The file exceeds the limit of 512 MB","type":"invalid_request_error"}}`, llm.Invalid, 0, 0},
		{"a context of another kind", 400, `{"error":{"message":"Missing required parameter: 'context.user_id'","type":"invalid_request_error"}}`, llm.Invalid, 0, 0},
		{"Gemini, an empty prompt", 400, `{"error":{"code":400,"message":"* GenerateContentRequest.contents: contents is not specified","status":"INVALID_ARGUMENT"}}`, llm.Invalid, 0, 0},
	}
}

func TestOtherLimitsAreNotTakenForAFullContext(t *testing.T) {
	t.Parallel()
	checkSayings(t, otherLimits())
}

// otherErrors are errors of the other classes.
func otherErrors() []saying {
	return []saying{
		{"OpenAI", 401, `{"error":{"message":"Incorrect API key provided: sk-no. You can find your API key at https://platform.example/account/api-keys.","type":"invalid_request_error","param":null,"code":"invalid_api_key"}}`, llm.Auth, 0, 0},
		{"Gemini", 400, `[{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT","details":[{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"API_KEY_INVALID","domain":"googleapis.com"}]}}]`, llm.Auth, 0, 0},
		{"xAI", 400, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: xa***no. You can obtain an API key from https://console.example."}`, llm.Auth, 0, 0},
		{"Google Cloud", 403, `{"error":{"code":403,"message":"Permission denied on resource project x.","status":"PERMISSION_DENIED"}}`, llm.Auth, 0, 0},
		{"LiteLLM", 500, `{"error":{"message":"litellm.AuthenticationError: AuthenticationError: OpenAIException - no","type":"authentication_error","code":"500"}}`, llm.Auth, 0, 0},

		{"OpenAI, no quota", 429, `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`, llm.Quota, 0, 0},
		{"DeepSeek", 402, `{"error":{"message":"Insufficient Balance","type":"unknown_error","param":null,"code":"invalid_request_error"}}`, llm.Quota, 0, 0},
		{"Anthropic, no credit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits."}}`, llm.Quota, 0, 0},
		{"xAI, no credit", 403, `{"code":"The caller does not have permission to execute the specified operation","error":"Your newly created team doesn't have any credits yet. You can purchase credits on https://console.example/team/x."}`, llm.Quota, 0, 0},
		{"opencode zen", 401, `{"type":"error","error":{"type":"CreditsError","message":"Insufficient balance. Manage your billing here: https://zen.example"}}`, llm.Quota, 0, 0},
		{"Hugging Face", 402, `{"error":"You have exceeded your monthly included credits for Inference Providers."}`, llm.Quota, 0, 0},
		{"Zhipu, no balance", 429, `{"error":{"code":"1113","message":"余额不足或无可用资源包,请充值。"}}`, llm.Quota, 0, 0},
		{"OpenRouter, the free ones of a day", 429, `{"error":{"message":"Rate limit exceeded: free-models-per-day. Add 10 credits to unlock 1000 free model requests per day","code":429,"metadata":{"headers":{"X-RateLimit-Limit":"50","X-RateLimit-Remaining":"50"},"provider_name":null}}}`, llm.Quota, 0, 0},
		{"Groq, a day", 429, "{\"error\":{\"message\":\"Rate limit reached for model `x` on tokens per day (TPD): Limit 100000, Used 99010, Requested 2011. Please try again in 12m3.5s.\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}", llm.Quota, 0, 12*time.Minute + 3500*time.Millisecond},
		{"Gemini, a day", 429, `{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaMetric":"m","quotaId":"GenerateRequestsPerDayPerProjectPerModel-FreeTier","quotaValue":"250"}]}]}}`, llm.Quota, 0, 0},

		{"Gemini, a minute", 429, `[{"error":{"code":429,"message":"You exceeded your current quota, please check your plan and billing details. For more information on this error, head to: https://ai.example/rate-limits.\n* Quota exceeded for metric: generate_content_free_tier_requests, limit: 10\nPlease retry in 59.2s.","status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.QuotaFailure","violations":[{"quotaId":"GenerateRequestsPerMinutePerProjectPerModel-FreeTier"}]},{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"58.9s"}]}}]`, llm.Rate, 0, 58900 * time.Millisecond},
		{"Anthropic", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, llm.Rate, 0, 0},
		{"Mistral", 429, `{"object":"error","message":"Requests rate limit exceeded","type":"rate_limited","param":null,"code":"1300"}`, llm.Rate, 0, 0},
		{"Azure, a minute", 429, `{"error":{"code":"429","message":"Requests to the ChatCompletions_Create Operation have exceeded call rate limit of your current OpenAI S0 pricing tier. Please retry after 6 seconds."}}`, llm.Rate, 0, 6 * time.Second},
		{"a 503 that is one", 503, `{"error":{"message":"ThrottlingException: slow down"}}`, llm.Rate, 0, 0},

		{"OpenAI, no model", 404, "{\"error\":{\"message\":\"The model `gpt-y` does not exist or you do not have access to it.\",\"type\":\"invalid_request_error\",\"param\":null,\"code\":\"model_not_found\"}}", llm.NoModel, 0, 0},
		{"Ollama, no model", 404, `{"error":{"message":"model \"nope\" not found, try pulling it first","type":"api_error","param":null,"code":null}}`, llm.NoModel, 0, 0},
		{"OpenRouter, no model", 400, `{"error":{"message":"nope/nope is not a valid model ID","code":400}}`, llm.NoModel, 0, 0},
		{"OpenRouter, no endpoint", 404, `{"error":{"message":"No endpoints found for nope/nope.","code":404}}`, llm.NoModel, 0, 0},
		{"DeepSeek, no model", 400, `{"error":{"message":"Model Not Exist","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`, llm.NoModel, 0, 0},
		{"Gemini, no model", 404, `[{"error":{"code":404,"message":"models/nope is not found for API version v1main, or is not supported for generateContent. Call ListModels to see the list of available models and their supported methods.","status":"NOT_FOUND"}}]`, llm.NoModel, 0, 0},
		{"Mistral, no model", 400, `{"object":"error","message":"Invalid model: nope","type":"invalid_model","param":null,"code":"1500"}`, llm.NoModel, 0, 0},
		{"Azure, no model", 404, `{"error":{"code":"DeploymentNotFound","message":"The API deployment for this resource does not exist. If you created the deployment within the last 5 minutes, please wait a moment and try again."}}`, llm.NoModel, 0, 0},
		{"Groq, an old model", 400, "{\"error\":{\"message\":\"The model `old` has been decommissioned and is no longer supported. Please refer to https://console.example/docs/deprecations\",\"type\":\"invalid_request_error\",\"code\":\"model_decommissioned\"}}", llm.NoModel, 0, 0},
		{"one-api", 503, `{"error":{"message":"No available channel for model nope under group default (distributor)","type":"new_api_error","code":"model_not_found"}}`, llm.NoModel, 0, 0},
		{"Moonshot", 404, `{"error":{"message":"Not found the model nope or Permission denied","type":"resource_not_found_error"}}`, llm.NoModel, 0, 0},

		{"OpenAI, no chat", 404, `{"error":{"message":"This is not a chat model and thus not supported in the v1/chat/completions endpoint. Did you mean to use v1/completions?","type":"invalid_request_error","param":"model","code":null}}`, llm.Protocol, 0, 0},
		{"OpenAI, responses", 404, `{"error":{"message":"This model is only supported in v1/responses and not in v1/chat/completions.","type":"invalid_request_error","param":"model","code":null}}`, llm.Protocol, 0, 0},
		{"OpenRouter, no tools", 404, `{"error":{"message":"No endpoints found that support tool use. To learn more about provider routing, visit: https://openrouter.example/docs","code":404}}`, llm.Protocol, 0, 0},
		{"Ollama, no tools", 400, `{"error":{"message":"registry.ollama.ai/library/gemma3:latest does not support tools","type":"api_error"}}`, llm.Protocol, 0, 0},
		{"vLLM, no tools", 400, `{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","code":400}`, llm.Protocol, 0, 0},

		{"OpenAI, filter", 400, `{"error":{"message":"Your request was rejected as a result of our safety system.","type":"invalid_request_error","code":"content_policy_violation"}}`, llm.Filter, 0, 0},
		{"Azure, filter", 400, `{"error":{"message":"The response was filtered due to the prompt triggering Azure OpenAI's content management policy.","type":null,"param":"prompt","code":"content_filter","status":400,"innererror":{"code":"ResponsibleAIPolicyViolation"}}}`, llm.Filter, 0, 0},
		{"OpenRouter, filter", 403, `{"error":{"message":"nope requires moderation on OpenAI. Your input was flagged for \"violence\". No credits were charged.","code":403,"metadata":{"reasons":["violence"],"flagged_input":"..."}}}`, llm.Filter, 0, 0},
		{"Alibaba, filter", 400, `{"error":{"code":"data_inspection_failed","message":"Input data may contain inappropriate content.","type":"data_inspection_failed"}}`, llm.Filter, 0, 0},
		{"DeepSeek, filter", 400, `{"error":{"message":"Content Exists Risk","type":"invalid_request_error","code":"invalid_request_error"}}`, llm.Filter, 0, 0},

		{"DeepSeek, image", 400, "{\"error\":{\"message\":\"Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text` at line 1 column 91\",\"type\":\"invalid_request_error\"}}", llm.NoImage, 0, 0},
		{"OpenRouter, image", 404, `{"error":{"message":"No endpoints found that support image input","code":404}}`, llm.NoImage, 0, 0},
		{"llama.cpp, image", 500, `{"error":{"code":500,"message":"image input is not supported - hint: if this is unexpected, you may need to provide the mmproj","type":"server_error"}}`, llm.NoImage, 0, 0},
		{"OpenAI, image", 400, `{"error":{"message":"You uploaded an unsupported image. Please make sure your image is valid.","type":"invalid_request_error","param":null,"code":"image_parse_error"}}`, llm.NoImage, 0, 0},

		{"a busy server", 503, `{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}`, llm.Overload, 0, 0},
		{"a server that names a time", 503, `{"error":{"message":"Model is loading, retry in 20 seconds"}}`, llm.Overload, 0, 20 * time.Second},
		{"a database", 500, `{"error":{"message":"relation \"keys\" does not exist"}}`, llm.Overload, 0, 0},
		{"a login page", 404, `<html><head><title>The model page does not exist</title></head></html>`, llm.NotChat, 0, 0},
		{"a proxy", 407, ``, llm.Network, 0, 0},
		{"a 404 of nothing known", 404, `{"detail":"Not Found"}`, llm.Invalid, 0, 0},
	}
}

func TestErrorsOfEndpointsAreClassified(t *testing.T) {
	t.Parallel()
	checkSayings(t, otherErrors())
}

// What an endpoint says within a stream is read as what it says instead of one.
func TestAnErrorWithinAStreamIsOfTheSameClass(t *testing.T) {
	t.Parallel()
	for _, s := range append(fullContexts(), otherErrors()...) {
		if s.status == 413 || s.status == 401 || s.status >= 500 || !strings.HasPrefix(s.body, "{") || s.class == llm.Invalid {
			continue // the status alone says what it is
		}
		failure := (redactor{}).classify(0, nil, []byte(s.body), time.Now())
		if failure.Class != s.class && s.status != 402 && s.status != 529 && s.status != 403 {
			t.Errorf("%s: %s\nis %v, want %s", s.from, s.body, failure, s.class)
		}
		if failure.Window != s.window || failure.RetryAfter != s.wait {
			t.Errorf("%s: window %d, want %d; wait %s, want %s", s.from, failure.Window, s.window, failure.RetryAfter, s.wait)
		}
	}
}

func TestOnlyTheFirstOfALongErrorIsJudged(t *testing.T) {
	t.Parallel()
	long := `{"error":{"message":"` + strings.Repeat("x", longestText) + ` maximum context length is 8192 tokens"}}`
	if failure := (redactor{}).classify(400, nil, []byte(long), time.Now()); failure.Class != llm.Invalid || failure.Window != 0 {
		t.Errorf("got %s with a window of %d", failure.Class, failure.Window)
	}
}

func TestNumbersThatCanBeNoWindowAreNotLearnt(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"maximum context length is 1023 tokens": 0, "maximum context length is 1024 tokens": 1024, "maximum context length is 20000000 tokens": 20_000_000,
		"maximum context length is 20000001 tokens": 0, "maximum context length is 131,072 tokens": 131072, "maximum context length is 128k tokens": 0,
		"maximum context length is 99999999999999999999999 tokens": 0, "prompt is too long": 0,
	} {
		if got := learnWindow(text); got != want {
			t.Errorf("%q: got %d, want %d", text, got, want)
		}
	}
}

func TestAnEmptyBodyIsNoWordOfTheEndpoint(t *testing.T) {
	t.Parallel()
	for body, quotes := range map[string]bool{"": false, "{}": false, `{"error":{"message":"no"}}`: true, `{"error":{"code":"bad"}}`: true} {
		if failure := (redactor{}).classify(400, nil, []byte(body), time.Now()); failure.Quotes != quotes || failure.Text == "" {
			t.Errorf("%q: %+v", body, failure)
		}
	}
}
