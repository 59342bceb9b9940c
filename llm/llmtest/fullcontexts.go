package llmtest

// A FullContext is how an endpoint says that a context is full.
type FullContext struct {
	From   string // whose words they are
	Status int
	Window int // that the words name, 0 for none
	Body   string
}

// FullContexts returns the words of as many endpoints as are known.
func FullContexts() []FullContext {
	return []FullContext{
		{"OpenAI", 400, 8192, `{"error":{"message":"This model's maximum context length is 8192 tokens. However, you requested 9127 tokens (5127 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
		{"OpenAI, no number", 400, 0, `{"error":{"message":"Your input exceeds the context window of this model. Please adjust your input and try again.","type":"invalid_request_error","param":"input","code":"context_length_exceeded"}}`},
		{"Azure", 400, 272000, `{"error":{"message":"Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 301022 tokens. Please reduce the length of the messages.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
		{"Anthropic", 400, 200000, `{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210034 tokens > 200000 maximum"},"request_id":"req_011CX"}`},
		{"Anthropic with max_tokens", 400, 200000, "{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"message\":\"input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again\"}}"},
		{"Anthropic, bytes", 413, 0, `{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum size"}}`},
		{"Bedrock", 400, 0, `{"message":"Input is too long for requested model."}`},
		{"Bedrock, wrapped", 400, 0, `{"error":{"message":"ValidationException: The model returned the following errors: Input is too long for requested model.","type":"invalid_request_error"}}`},
		{"Vercel", 400, 0, `{"error":{"message":"Prompt is too long","type":"AI_APICallError"}}`},
		{"Ollama", 400, 0, `{"error":{"message":"prompt too long; exceeded max context length by 4 tokens","type":"invalid_request_error","param":null,"code":null}}`},
		{"Ollama, embedded", 400, 0, `{"error":"the input length exceeds the context length"}`},
		{"vLLM", 400, 4096, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, your messages resulted in 5210 tokens. Please reduce the length of the messages.","type":"BadRequestError","param":null,"code":400}`},
		{"vLLM, prompt", 400, 32768, `{"error":{"message":"The prompt (total length 40112) is too long to fit into the model (context length 32768). You passed too many tokens.","type":"BadRequestError","code":400}}`},
		{"vLLM, input", 400, 40960, `{"error":{"message":"This model's maximum context length is 40960 tokens and your request has 41200 input tokens. Please reduce the length of the input messages. (parameter=input_tokens, value=41200)","type":"BadRequestError","param":"input_tokens","code":400}}`},
		{"SGLang", 400, 32768, `{"object":"error","message":"Input length (40011 tokens) exceeds the maximum allowed length (32768 tokens). Use a shorter input or enable --allow-auto-truncate.","type":"BadRequestError","code":400}`},
		{"OpenRouter", 400, 131072, `{"error":{"message":"This endpoint's maximum context length is 131072 tokens. However, you requested about 140211 tokens (138211 of text input, 2000 in the output). Please reduce the length of either one, or use the \"middle-out\" transform to compress your prompt automatically.","code":400,"metadata":{"provider_name":null}},"user_id":"user_2x"}`},
		{"OpenRouter, raw", 400, 65536, `{"error":{"message":"Provider returned error","code":400,"metadata":{"raw":"{\"object\":\"error\",\"message\":\"This model's maximum context length is 65536 tokens. However, you requested 70112 tokens.\",\"code\":40303}","provider_name":"Novita"}}}`},
		{"xAI", 400, 131072, `{"code":"Client specified an invalid argument","error":"This model's maximum prompt length is 131072 but the request contains 537812 tokens."}`},
		{"Mistral", 400, 32768, `{"object":"error","message":"Prompt contains 40210 tokens and 0 draft tokens, too large for model with 32768 maximum context length","type":"invalid_request_prompt","param":null,"code":"3051"}`},
		{"Gemini", 400, 1048575, `[{"error":{"code":400,"message":"The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).","status":"INVALID_ARGUMENT"}}]`},
		{"Gemini, no number", 400, 1048576, `{"error":{"code":400,"message":"The input token count exceeds the maximum number of tokens allowed 1048576.","status":"INVALID_ARGUMENT"}}`},
		{"Copilot", 400, 12288, `{"error":{"message":"prompt token count of 13034 exceeds the limit of 12288","code":"model_max_prompt_tokens_exceeded"}}`},
		{"Kimi", 400, 262144, `{"error":{"message":"Invalid request: Your request exceeded model token limit: 262144 (requested: 291351)","type":"invalid_request_error"}}`},
		{"MiniMax", 400, 0, `{"type":"error","error":{"type":"bad_request_error","message":"invalid params, context window exceeds limit (2013)","http_code":"400"},"request_id":"05"}`},
		{"llama.cpp", 400, 4096, `{"error":{"code":400,"message":"request (5123 tokens) exceeds the available context size (4096 tokens), try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5123,"n_ctx":4096}}`},
		{"llama.cpp, members only", 400, 8192, `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":9123,"n_ctx":8192}}`},
		{"llama.cpp, later", 500, 0, `{"error":{"code":500,"message":"Context size has been exceeded.","type":"server_error"}}`},
		{"llama-cpp-python", 400, 4096, `{"error":{"message":"Requested tokens (5321) exceed context window of 4096","type":"invalid_request_error","code":"context_length_exceeded"}}`},
		{"Groq", 400, 0, `{"error":{"message":"Please reduce the length of the messages or completion.","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}`},
		{"LM Studio", 400, 0, `{"error":"The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input"}`},
		{"LM Studio, loaded", 400, 4096, `{"error":"Trying to keep the first 5210 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input"}`},
		{"Together", 400, 16384, `{"error":{"message":"The input (30021 tokens) is longer than the model's context length (16384 tokens).","type":"invalid_request_error","param":null,"code":null}}`},
		{"Alibaba", 400, 129024, `{"error":{"code":"invalid_parameter_error","param":null,"message":"<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 129024]","type":"invalid_request_error"},"id":"chatcmpl-1"}`},
		{"Cerebras", 400, 8192, `{"message":"Please reduce the length of the messages or completion. Current length is 9154 while limit is 8192","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}`},
		{"TGI", 422, 4096, "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 4012 `inputs` tokens and 1000 `max_new_tokens`\",\"error_type\":\"validation\"}"},
		{"Cohere", 400, 4081, `{"message":"too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 4582. Try using a shorter prompt, or enable prompt truncating."}`},
		{"Fireworks", 400, 131071, `{"error":{"object":"error","type":"invalid_request_error","message":"The prompt is too long: 200112, model maximum context length: 131071"}}`},
		{"DeepSeek", 400, 65536, `{"error":{"message":"This model's maximum context length is 65536 tokens. However, you requested 70011 tokens (66011 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.","type":"invalid_request_error","param":null,"code":"invalid_request_error"}}`},
		{"z.ai", 400, 0, `{"error":{"code":"1261","message":"Prompt exceeds max length"}}`},
		{"Zhipu", 400, 0, `{"error":{"code":"1261","message":"Prompt 超长"}}`},
		{"LiteLLM", 400, 128000, `{"error":{"message":"litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - This model's maximum context length is 128000 tokens. However, your messages resulted in 130210 tokens.","type":null,"param":null,"code":"400"}}`},
		{"a gateway", 400, 32000, `{"detail":"Prompt has more than max tokens: the limit is 32,000"}`},
		{"Replicate", 400, 16000, `{"detail":"The request exceeds the configured context size of 16000 tokens"}`},
		{"Codex", 400, 0, `{"error":{"code":"context_too_large","message":"Your conversation is too large"}}`},
		{"a code alone", 400, 0, `{"error":{"code":"context_overflow"}}`},
		{"nginx", 413, 0, "<html>\r\n<head><title>413 Request Entity Too Large</title></head>\r\n<body>\r\n<center><h1>413 Request Entity Too Large</h1></center>\r\n</body></html>"},
		{"a bare 413", 413, 0, ""},
		{"Groq, more than a minute has", 413, 6000, "{\"error\":{\"message\":\"Request too large for model `llama-x` in organization `org_01` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 6294, please reduce your message size and try again. Need more tokens? Upgrade to Dev Tier today at https://console.example/settings/billing\",\"type\":\"tokens\",\"code\":\"rate_limit_exceeded\"}}"},
	}
}
