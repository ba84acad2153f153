/** A worker of workerd that serves a chat: nothing but the web's own globals. `/go` lets the call of `wait` end, by a timer. */
import { agent, memoryJournal, systemClock, tool } from '@loom-agent/agent'
import { chatHandler } from '@loom-agent/server'
import { scriptedModel } from '@loom-agent/testing'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const pay = tool({ name: 'pay', permission: 'ask', run: () => 'paid' })
const go = Promise.withResolvers<string>()
/** Timers belong to the request that has set them: the one that began the run, whose client may have left. */
const afterwards = (text: string): Promise<string> => new Promise((resolve) => systemClock.at(systemClock.now() + 10, () => resolve(text)))
const wait = tool({ name: 'wait', effect: 'read', run: () => go.promise.then(afterwards) })
const script = [
  { reasoning: 'I should look.', text: 'Let me look.', calls: [{ tool: 'look', input: { at: 'x' } }] },
  { text: 'I pay.', calls: [{ tool: 'pay', input: { amount: 5 } }] },
  'That was it.',
  { text: 'I begin.', calls: [{ tool: 'wait' }] },
  'I end.',
]
const clerk = agent({ name: 'clerk', model: scriptedModel(script), tools: { look, pay, wait }, journal: memoryJournal() })
const chat = chatHandler(clerk, { auth: () => ({ name: 'ann', scopes: ['read', 'run', 'answer'] }) })

/** Answers a request. */
export async function respond(request: Request): Promise<Response> {
  if (new URL(request.url).pathname !== '/go') return chat(request)
  go.resolve('gone')
  return new Response('gone')
}
