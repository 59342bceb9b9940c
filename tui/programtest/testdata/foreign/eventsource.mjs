// Prints every event as a line, until it is ended.
import { EventSource } from 'eventsource'

const source = new EventSource(process.env.EVENTS_URL, {
  fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, Authorization: `Bearer ${process.env.API_TOKEN}` } }),
})
const print = (event) => console.log(JSON.stringify({ kind: event.type, id: event.lastEventId, data: event.data && JSON.parse(event.data) }))
for (const kind of ['begin', 'message', 'timeline', 'gap', 'bye']) source.addEventListener(kind, print)
source.addEventListener('error', (event) => {
  if (source.readyState !== EventSource.CLOSED) return // it connects again
  console.error(event.code, event.message)
  process.exit(1)
})
