// A client whose types are made from the document.
import createClient from 'openapi-fetch'
import type { components, paths } from './schema'

declare const process: { env: Record<string, string | undefined> }

const client = createClient<paths>({ baseUrl: process.env.API_URL ?? '', headers: { Authorization: `Bearer ${process.env.API_TOKEN}` } })

function must<T>(reply: { data?: T; error?: components['schemas']['Error'] }): T {
  if (reply.error) throw new Error(`${reply.error.error}: ${reply.error.message}`)
  return reply.data!
}

const { taskId } = must(await client.POST('/api/submit', { body: { text: 'Plan a party' } }))
const task: components['schemas']['Task'] = must(await client.GET('/api/tasks/{id}/wait', { params: { path: { id: taskId }, query: { timeout: 60 } } }))
const agents = must(await client.GET('/api/agents', { params: { query: { status: 'active', limit: 10 } } })).agents
const page = must(await client.GET('/api/messages/{taskId}', { params: { path: { taskId }, query: { after: 0 } } }))
const { error, response } = await client.POST('/api/send', { body: { agentId: 'none', text: 'Hello' }, params: { header: { 'Idempotency-Key': 'typed' } } })

// @ts-expect-error a field of the wrong type
const wrong = () => client.POST('/api/submit', { body: { text: 1 } })
// @ts-expect-error a field that is missing
const missing = () => client.POST('/api/send', { body: { text: 'a' } })
// @ts-expect-error a route that the document does not know
const nowhere = () => client.GET('/api/none')
void [wrong, missing, nowhere]

const text = page.messages.map((m) => `${m.role}: ${m.text}`).join('\n')
if (task.state !== 'settled' || agents[0]?.id !== 'root' || !text || error?.error !== 'agent_not_found' || error.agentId !== 'none' || response.status !== 404)
  throw new Error(JSON.stringify([task, agents, page, error, response.status]))
console.log(`${task.state}: ${page.messages.length} messages of ${agents.length} agents`)
