// Uses every route that the document has, over the port and over the socket.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent, fetch } from 'undici'

const token = process.env.API_TOKEN
const document = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, item]) => Object.entries(item).map(([method, o]) => [o.operationId, { path, method, responses: o.responses }])),
)

async function client(base, dispatcher, last) {
  const used = new Set()
  const call = async (id, { body, query = '', status = 200, header = {}, ...values } = {}) => {
    const { path, method, responses } = operations.get(id)
    used.add(id)
    const url = base + path.replace(/{(\w+)}/g, (_, name) => encodeURIComponent(values[name])) + query
    const reply = await fetch(url, {
      dispatcher, method: method.toUpperCase(), headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }), ...header },
      body: body && JSON.stringify(body),
    })
    assert.equal(reply.status, status, `${method} ${url}`)
    const media = (reply.headers.get('content-type') ?? '').split(';')[0]
    const promised = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
    assert.ok(media === '' || media in promised.content, `${method} ${url} is ${media}`)
    return media === 'application/json' ? reply.json() : reply
  }

  assert.equal((await call('getHealth')).protocol, 1)
  const { taskId, messageId } = await call('postSubmit', { body: { text: 'What does this leave open: 智能体 🙂' } })
  assert.ok(taskId && messageId)
  assert.equal((await call('getTasksIdWait', { id: taskId, query: '?timeout=60' })).state, 'settled')
  const { messages } = await call('getMessagesTaskId', { taskId })
  assert.ok(messages.length > 0 && messages.every((m) => m.taskId === taskId && m.text))
  assert.equal((await call('postSend', { body: { agentId: 'root', text: 'Go on.', taskId } })).taskId, taskId)
  assert.equal((await call('postSend', { body: { agentId: 'none', text: 'Go on.' }, status: 404 })).error, 'agent_not_found')
  const wrong = await call('postSubmit', { body: { text: 1 }, status: 400 })
  assert.equal(wrong.fields[0].field, 'text')
  await call('getTasksIdWait', { id: taskId, query: '?timeout=60' })

  const { roles } = await call('getRoles')
  const spawn = { parentId: 'root', roleId: roles[0].id }
  const once = { 'idempotency-key': `${base} ${Date.now()}` }
  const { agentId } = await call('postAgents', { body: spawn, status: 201, header: once })
  assert.equal((await call('postAgents', { body: spawn, status: 201, header: once })).agentId, agentId)
  assert.equal((await call('postAgents', { body: { ...spawn, text: 'other' }, status: 409, header: once })).error, 'key_reused')
  assert.ok((await call('getAgents', { query: '?limit=1000' })).agents.some((a) => a.id === agentId))
  assert.equal((await call('getAgentsId', { id: agentId })).parentId, 'root')
  assert.ok((await call('getAgentsIdConversation', { id: 'root' })).entries.length > 0)
  await call('getAgentsIdDraft', { id: agentId, status: 204 })
  assert.deepEqual((await call('getAgentsIdOutputs', { id: agentId })).outputs, [])
  assert.ok((await call('getTree')).agents.some((a) => a.children.includes(agentId)))
  assert.equal((await call('postAgentsIdPause', { id: agentId })).changed, true)
  assert.deepEqual((await call('postAgentsIdResume', { id: agentId, body: { alone: true } })).agents, [agentId])
  assert.equal((await call('postAgentsIdInterrupt', { id: agentId })).was, false)
  assert.equal((await call('postAgentsIdCompress', { id: agentId })).compressed, false)
  const { agentId: fork } = await call('postAgentsIdFork', { id: 'root', status: 201 })
  const said = async (id) => (await call('getAgentsIdConversation', { id })).entries.map((e) => e.text)
  assert.deepEqual(await said(fork), await said('root'))
  const rewound = await call('postAgentsIdRewind', { id: fork })
  assert.equal(rewound.text, 'Go on.')
  assert.ok(rewound.setAside > 0 && rewound.interrupted === false)
  assert.equal((await call('postAgentsIdStop', { id: agentId, body: { reason: 'enough' } })).stopped, true)
  assert.equal((await call('postSend', { body: { agentId, text: 'late' }, status: 409 })).error, 'agent_stopped')
  assert.equal((await call('postAgentsIdTerminate', { id: agentId })).terminated, true)
  await call('getAgentsId', { id: agentId, status: 404 })

  const long = Buffer.from('a long text '.repeat(10000))
  const attached = await call('postSubmit', { body: { text: 'Keep this.', attachments: [{ name: 'long.txt', data: long.toString('base64') }] } })
  await call('getTasksIdWait', { id: attached.taskId, query: '?timeout=60' })
  const { artifacts } = await call('getArtifacts', { query: `?task=${attached.taskId}` })
  assert.equal(artifacts.length, 1)
  assert.equal((await call('getArtifactsId', { id: artifacts[0].id })).name, 'long.txt')
  assert.ok(Buffer.from(await (await call('getArtifactsIdContent', { id: artifacts[0].id })).arrayBuffer()).equals(long))

  // Without a workspace no call waits and no file was changed. Over the port nobody answers.
  const alone = last ? 404 : 403
  assert.deepEqual((await call('getApprovals')).approvals, [])
  await call('getApprovalsId', { id: 1, status: 404 })
  await call('postApprovalsId', { id: 1, body: { answer: 'once' }, status: alone })
  assert.deepEqual((await call('getChanges')).changes, [])
  await call('getChangesId', { id: 1, status: 404 })
  await call('postUndo', { body: { agentId: 'root', list: true }, status: last ? 200 : 403 })
  assert.deepEqual((await call('getWorktrees')).worktrees, [])
  await call('getWorktreesNamePatch', { name: 'none', status: 404 })
  await call('deleteWorktreesName', { name: 'none', status: alone })
  // No command runs in the background, and the settings have no server.
  assert.ok((await call('getSandbox')).state)
  await call('deleteAgentsIdProcessesProcess', { id: 'root', process: 'bg1', status: 404 })
  assert.deepEqual((await call('getMcp')).servers, [])
  await call('getMcpNameOutput', { name: 'none', status: 404 })
  for (const id of ['postMcpNameStart', 'postMcpNameStop', 'postMcpNameRestart']) await call(id, { name: 'none', status: alone })

  // Of the settings no model can be tested: the built-in one answers, and costs nothing.
  const { models, disabled } = await call('getModels')
  assert.ok(models.length > 0 && models[0].default && models[0].name)
  assert.deepEqual(disabled, [])
  assert.ok((await call('postModelsUpdate')).asked.every((a) => a.models > 0 && !a.problem))
  await call('postModelsNameTest', { name: 'none/at all', status: 404 })
  assert.deepEqual((await call('getBudgets')).budgets, [])

  assert.ok((await call('getTasks')).tasks.some((t) => t.id === taskId))
  assert.equal((await call('getTasksId', { id: taskId })).id, taskId)
  const usage = await call('getUsage')
  assert.ok(usage.usage.output > 0 && usage.agents.length > 0 && usage.tasks.some((t) => t.name === taskId) && usage.days.length > 0 && usage.models.length > 0)
  assert.ok((await call('getTimeline')).timeline.length > 0)
  const events = await call('getEvents', { query: '?kinds=message', header: { 'last-event-id': '0.0' } })
  let text = ''
  for await (const piece of events.body.pipeThrough(new TextDecoderStream())) {
    text += piece
    if (text.includes(messages[0].id)) break
  }
  assert.match(await (await call('getExport', { query: '?format=markdown' })).text(), /智能体 🙂/)
  assert.ok((await (await call('getBackup')).arrayBuffer()).byteLength > 1000)
  assert.deepEqual(await call('getOpenapiJson'), document)
  assert.match(await (await call('getMetrics')).text(), /society_build_info/)
  if (last) assert.equal((await call('postQuit', { status: 202, body: { pause: true } })).leaving, true)
  else used.add('postQuit')
  assert.deepEqual([...used].sort(), [...operations.keys()].sort())
  console.log(`${base}: ${used.size} routes`)
}

await client(process.env.API_URL, new Agent(), false)
await client('http://localhost', new Agent({ connect: { socketPath: process.env.API_SOCKET } }), true)
