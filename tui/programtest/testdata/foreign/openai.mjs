// Uses the offline model as the npm package openai does: 43 calls, each with the outcome that
// the protocol promises.
import OpenAI from 'openai'

const baseURL = process.env.MODEL_URL, apiKey = process.env.MODEL_KEY
const client = new OpenAI({ baseURL, apiKey, maxRetries: 0 })
const model = 'offline-demo'
const messages = [{ role: 'user', content: 'How is the weather in Rome?' }]
const weather = {
  type: 'function',
  function: {
    name: 'weather', description: 'the weather of a city',
    parameters: { type: 'object', properties: { city: { type: 'string' }, unit: { type: 'string', enum: ['c', 'f'] } }, required: ['city'] },
  },
}
const time = { type: 'function', function: { name: 'time', description: 'the time', parameters: { type: 'object', properties: {} } } }
const tools = [weather, time]
const schema = { type: 'object', properties: { title: { type: 'string' }, tags: { type: 'array', items: { type: 'string' } }, sure: { type: 'boolean' } }, required: ['title', 'tags', 'sure'], additionalProperties: false }
const call = (id, args = '{"city":"Rome"}') => ({ role: 'assistant', content: null, tool_calls: [{ id, type: 'function', function: { name: 'weather', arguments: args } }] })
const result = id => ({ role: 'tool', tool_call_id: id, content: 'sunny' })
const withSchema = parameters => ({ model, messages, tools: [{ type: 'function', function: { name: 'f', parameters } }] })

const check = (ok, why) => { if (!ok) throw new Error(why) }
const ask = (body, options) => client.chat.completions.create({ model, messages, ...body }, options)
const said = c => { check(c.choices[0].message.content, 'no text'); check(c.choices[0].finish_reason === 'stop', c.choices[0].finish_reason); return c }
const calls = (c, name) => {
  const m = c.choices[0].message
  check(m.tool_calls?.length === 1 && m.tool_calls[0].function.name === name && m.tool_calls[0].id, JSON.stringify(m))
  check(c.choices[0].finish_reason === 'tool_calls', c.choices[0].finish_reason)
  JSON.parse(m.tool_calls[0].function.arguments)
  return m
}
const refused = async (promise, kind) => {
  try { await promise } catch (e) { check(e instanceof kind, `${e.constructor.name}: ${e.message}`); return e }
  throw new Error('it was not refused')
}
const bad = body => refused(ask(body), OpenAI.BadRequestError)
const read = async body => {
  let text = '', finish, usage, parts = 0
  const names = [], args = []
  for await (const chunk of await ask({ ...body, stream: true })) {
    parts++
    usage = chunk.usage ?? usage
    const choice = chunk.choices[0]
    if (!choice) continue
    text += choice.delta.content ?? ''
    finish = choice.finish_reason ?? finish
    for (const c of choice.delta.tool_calls ?? []) {
      if (c.function.name) names[c.index] = c.function.name
      args[c.index] = (args[c.index] ?? '') + (c.function.arguments ?? '')
    }
  }
  return { text, finish, usage, parts, names, args }
}

const all = {
  'models.list': async () => { const list = await client.models.list(); check(list.data[0].id === model, 'not listed') },
  'models.list by pages': async () => { const ids = []; for await (const m of client.models.list()) ids.push(m.id); check(ids.includes(model), ids) },
  'models.retrieve': async () => check((await client.models.retrieve(model)).object === 'model', 'no model'),
  'models.retrieve of another': async () => check((await refused(client.models.retrieve('gpt-nothing'), OpenAI.NotFoundError)).code === 'model_not_found', 'no code'),
  'an answer': async () => said(await ask({})),
  'an answer with its usage': async () => { const { usage } = said(await ask({})); check(usage.total_tokens === usage.prompt_tokens + usage.completion_tokens && usage.total_tokens > 0, JSON.stringify(usage)) },
  'the same answer again': async () => check(said(await ask({ seed: 1 })).choices[0].message.content === said(await ask({ seed: 1 })).choices[0].message.content, 'differs'),
  'with a system message': async () => said(await ask({ messages: [{ role: 'system', content: 'Be brief.' }, ...messages] })),
  'with a developer message': async () => said(await ask({ messages: [{ role: 'developer', content: 'Be brief.' }, ...messages] })),
  'with parts of a message': async () => said(await ask({ messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }, { type: 'text', text: ' there' }] }] })),
  'with an image': async () => said(await ask({ messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }] }] })),
  'with the usual settings': async () => said(await ask({ temperature: 0.5, top_p: 0.9, presence_penalty: 0, frequency_penalty: 0, user: 'me', store: false, metadata: { a: 'b' }, reasoning_effort: 'low', service_tier: 'auto' })),
  'with max_tokens': async () => { const c = await ask({ max_tokens: 3 }); check(c.choices[0].finish_reason === 'length' && c.usage.completion_tokens <= 3, JSON.stringify(c)) },
  'with max_completion_tokens': async () => check((await ask({ max_completion_tokens: 3 })).choices[0].finish_reason === 'length', 'not cut'),
  'with its response': async () => { const { data, response } = await ask({}).withResponse(); check(response.status === 200, response.status); said(data) },
  'as a response': async () => check((await ask({}).asResponse()).headers.get('content-type').startsWith('application/json'), 'no JSON'),
  'a stream': async () => { const s = await read({}); check(s.text && s.finish === 'stop' && s.parts > 5 && !s.usage, JSON.stringify(s)) },
  'a stream with its usage': async () => check((await read({ stream_options: { include_usage: true } })).usage?.total_tokens > 0, 'no usage'),
  'a stream is the answer': async () => check((await read({})).text === said(await ask({})).choices[0].message.content, 'differs'),
  'a stream by its helper': async () => said(await client.chat.completions.stream({ model, messages }).finalChatCompletion()),
  'the events of a stream': async () => { let text = ''; const s = client.chat.completions.stream({ model, messages }).on('content', d => { text += d }); check(await s.finalContent() === text && text, 'differs') },
  'a stream that is left': async () => { for await (const _ of await ask({ stream: true })) break },
  'a stream that is aborted': async () => { const stream = await ask({ stream: true }); stream.controller.abort(); for await (const _ of stream); },
  'an answer that is aborted': async () => { const c = new AbortController(); c.abort(); await refused(ask({}, { signal: c.signal }), OpenAI.APIUserAbortError) },
  'tools that it may use': async () => check((await ask({ tools, tool_choice: 'auto' })).choices[0].message.role === 'assistant', 'no answer'),
  'tools that it must not use': async () => said(await ask({ tools, tool_choice: 'none' })),
  'tools that it must use': async () => calls(await ask({ tools, tool_choice: 'required' }), 'weather'),
  'the tool that it must use': async () => calls(await ask({ tools, tool_choice: { type: 'function', function: { name: 'time' } } }), 'time'),
  'one call at a time': async () => calls(await ask({ tools, tool_choice: 'required', parallel_tool_calls: false }), 'weather'),
  'a call in a stream': async () => { const s = await read({ tools, tool_choice: 'required' }); check(s.names[0] === 'weather' && JSON.parse(s.args[0]).city && s.finish === 'tool_calls', JSON.stringify(s)) },
  'a call and its result': async () => {
    const first = calls(await ask({ tools, tool_choice: 'required' }), 'weather')
    said(await ask({ tools, tool_choice: 'none', messages: [...messages, first, result(first.tool_calls[0].id)] }))
  },
  'runTools': async () => {
    let asked = 0
    const run = client.chat.completions.runTools({ model, messages, tool_choice: { type: 'function', function: { name: 'weather' } }, tools: [{ type: 'function', function: { ...weather.function, parse: JSON.parse, function: ({ city }) => { asked++; return city ? 'sunny' : '' } } }] }, { maxChatCompletions: 1 })
    await run.done()
    check(asked === 1, `${asked} calls`)
  },
  'an object': async () => check(typeof JSON.parse(said(await ask({ response_format: { type: 'json_object' } })).choices[0].message.content) === 'object', 'no object'),
  'an object of a schema': async () => { const o = JSON.parse(said(await ask({ response_format: { type: 'json_schema', json_schema: { name: 'report', strict: true, schema } } })).choices[0].message.content); check(typeof o.title === 'string' && Array.isArray(o.tags) && o.sure === true && Object.keys(o).length === 3, JSON.stringify(o)) },
  'parse': async () => { const c = await client.chat.completions.parse({ model, messages, response_format: { type: 'json_schema', json_schema: { name: 'report', strict: true, schema } } }); said(c) },
  'no messages': async () => bad({ messages: [] }),
  'a call without a result': async () => bad({ messages: [...messages, call('a'), { role: 'user', content: 'and?' }], tools }),
  'a result without a call': async () => bad({ messages: [...messages, result('a')], tools }),
  'a schema beyond what all take': async () => { for (const s of [{ type: 'object', properties: { a: { anyOf: [{ type: 'string' }] } }, required: [] }, { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: [] }, { type: 'object', properties: {}, additionalProperties: false }, { type: 'array' }]) await bad(withSchema(s)) },
  'a choice without tools': async () => bad({ tool_choice: 'required' }),
  'two answers at once': async () => bad({ n: 2 }),
  'a wrong key': async () => check((await refused(new OpenAI({ baseURL, apiKey: 'sk-wrong', maxRetries: 0 }).chat.completions.create({ model, messages }), OpenAI.AuthenticationError)).code === 'invalid_api_key', 'no code'),
  'what it has not': async () => { await refused(client.embeddings.create({ model, input: 'x' }), OpenAI.NotFoundError); await refused(client.responses.create({ model, input: 'x' }), OpenAI.NotFoundError) },
}

let failed = 0
for (const [name, f] of Object.entries(all)) {
  try { await f() } catch (e) { failed++; console.log(`WRONG ${name}: ${e.stack}`) }
}
console.log(`${Object.keys(all).length - failed} of ${Object.keys(all).length} calls are all right`)
process.exit(failed ? 1 : 0)
