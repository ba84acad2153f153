/** The table of routes, walked: what holds for every route is tested on every route. */
import { jsonSchema, memoryJournal, type Workspace } from '@loom-agent/agent'
import { exportThread, importThread } from '@loom-agent/journals'
import { type Hook, scopes, setSchedule } from '@loom-agent/server'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { routes } from '../src/web/api/table.ts'
import type { Route } from '../src/web/route/route.ts'
import { clerkOf, jsonOf, type Send, sender } from './world.ts'

/** What is put into the paths, queries and bodies of routes: a request that every route accepts. */
interface Example {
  readonly query?: string
  readonly body?: object
}

/** A folder without files. */
const workspace: Workspace = { name: 'workspace', look: async () => ({ hash: null, mode: null }), put: async () => undefined }
/** The lines of a thread of another journal. */
let lines = ''
beforeAll(async () => {
  const elsewhere = clerkOf(['Hello.'])
  await elsewhere.run('Hi', { thread: 'exported' })
  for await (const line of exportThread(elsewhere.journal, 'exported')) lines += `${line}\n`
})

const hook: Hook = { name: 'mail', agent: 'clerk', verify: () => 'd1', start: () => 'Hi' }
const fork = { at: 3, effects: 'stub' }
const examples: { readonly [name: string]: Example } = {
  getHealth: {},
  listSchedules: {},
  takeDelivery: {},
  listWebhooks: {},
  getSchedule: { query: '?count=1' },
  setSchedule: { body: { agent: 'clerk', input: 'Hi', every: '1h' } },
  removeSchedule: {},
  pauseSchedule: {},
  resumeSchedule: {},
  getInfo: {},
  getSystem: {},
  openSession: { body: { token: 'x' } },
  endSession: {},
  listAgents: {},
  getAgent: {},
  tryTool: { body: { input: { at: 1 } } },
  startRun: { body: { input: 'Hi', thread: 'other', id: 'one' } },
  runToRest: { body: { input: 'Hi' } },
  listThreads: { query: '?limit=1&sort=id' },
  getThread: {},
  removeThread: {},
  labelThread: { body: { labels: { team: 'billing' } } },
  steerThread: { body: { text: 'In French.', priority: 1 } },
  pauseThread: {},
  resumeThread: {},
  stopThread: { body: { reason: 'Enough.' } },
  compactThread: {},
  signalThread: { body: { value: { paid: true } } },
  adoptThread: { body: {} },
  forkThread: { body: { ...fork, thread: 'fork' } },
  planFork: { body: fork },
  getBreakpoints: {},
  setBreakpoints: { body: { breakpoints: [{ tool: 'pay' }] } },
  stepThread: { body: { how: 'into' } },
  rewindThread: { body: { ...fork, thread: 'rewound' } },
  planRewind: { body: fork },
  exportWholeThread: {},
  importThread: {},
  listQuestions: { query: '?thread=t' },
  answerQuestion: { body: { kind: 'approve' } },
  listEvents: { query: '?from=2&limit=3' },
  listEventHeaders: {},
  getEvent: {},
  getPayload: { query: '?path=agent' },
  getBlob: {},
  getSkeleton: {},
  getOverview: { query: '?buckets=3' },
  getCosts: {},
  getChat: { query: '?at=4' },
  getToolChain: {},
  getContextMatrix: {},
  getRunMetrics: {},
  getFileChanges: {},
  exportThread: { query: '?format=otlp' },
  getFrame: { query: '?at=4' },
  getDifference: { query: '?from=2&to=5' },
  listTurns: {},
  getRequest: {},
  getExplanation: { query: '?text=pay' },
  getPresence: {},
  replayThread: {
    body: {
      mode: 'continue-recorded',
      instructions: 'Be brief.',
      context: { strategy: 'window', turns: 3, keep: [{ kind: 'results', tool: 'look' }] },
    },
  },
  searchThread: { query: '?words=pay' },
  compareThreads: { query: '?a=t&b=t@4' },
  getMetrics: {},
  getMetricsSeries: { query: '?by=agent' },
  getPrometheus: {},
  streamThread: { query: '?until=rest' },
  streamTopics: { query: '?topics=threads' },
}

/** Routes that are asked for what this world does not have. */
const missing = new Set(['getBlob', 'openSession'])

let send: Send
let question = ''
beforeEach(async () => {
  const clerk = clerkOf([{ calls: [{ tool: 'pay' }] }, 'Paid.', 'Hello.', 'Hello.'], memoryJournal(), { workspace })
  ;({ send } = sender({ agents: [clerk], transfer: { exportThread, importThread }, hooks: [hook] }))
  await setSchedule(clerk.journal, 'tick', { agent: 'clerk', input: 'Hi', every: '1h' })
  const { questions } = await clerk.run('Pay.', { thread: 't' })
  question = questions[0]?.id ?? ''
})

const pathOf = ({ path, name }: Route): string => {
  const values: Record<string, string> = {
    agent: 'clerk',
    tool: 'look',
    thread: 't',
    seq: '1',
    hash: 'none',
    signal: 'paid',
    schedule: 'tick',
    hook: 'mail',
    question: encodeURIComponent(question),
  }
  return path.replace(/\{(\w+)\}/g, (_, key: string) => values[key] ?? '') + (examples[name]?.query ?? '')
}

const ask = async (route: Route, sending: Parameters<Send>[1] = {}): Promise<Response> => {
  const { body } = examples[route.name] ?? {}
  const sent = route.takes === 'lines' ? { body: lines, headers: { 'content-type': 'application/x-ndjson' } } : { ...(body && { body }) }
  const response = await send(`${route.method} ${pathOf(route)}`, { ...sent, ...sending })
  if (response.headers.get('content-type') === 'text/event-stream') await response.body?.cancel()
  return response
}

const all = routes.map((route) => [route.name, route] as const)
const withBody = all.filter(([, { body }]) => body !== undefined)

test('every route has an example here, a name of its own, and a path of its own', () => {
  expect(Object.keys(examples).sort()).toEqual(routes.map(({ name }) => name).sort())
  expect(new Set(routes.map(({ method, path }) => `${method} ${path}`)).size).toBe(routes.length)
})

describe('every route', () => {
  test.each(all)('%s returns what its schema says', async (name, route) => {
    const response = await ask(route)
    if (missing.has(name)) return expect([401, 404]).toContain(response.status)
    expect(response.status).toBe(route.reply.status ?? (route.reply.schema || route.reply.type ? 200 : 204))
    if (!route.reply.schema) return
    const { issues } = await jsonSchema(route.reply.schema.json)['~standard'].validate(await response.json())
    expect(issues).toBeUndefined()
  })

  test.each(all)('%s lets in who has its scope, and nobody else', async (_, route) => {
    const none = route.scope === 'none'
    const { detail = '' } = await jsonOf<{ detail?: string }>(ask(route, { as: undefined })).catch(() => ({}) as { detail?: string })
    expect(detail.includes('does not know who you are')).toBe(!none)
    for (const scope of scopes) {
      const { status } = await ask(route, { as: { name: 'bob', scopes: [scope] } })
      expect([scope, status === 403]).toEqual([scope, !none && scope !== 'admin' && scope !== route.scope])
    }
  })

  test.each(all)('%s refuses a query that it does not know', async (_, route) => {
    const path = pathOf(route)
    const response = await send(`${route.method} ${path}${path.includes('?') ? '&' : '?'}strange=1`, { body: examples[route.name]?.body })
    expect([response.status, await jsonOf(response)]).toMatchObject([
      400,
      { code: 'LOOM_REQUEST_INVALID', detail: expect.stringContaining('strange') },
    ])
  })

  test.each(all)('%s is not reached by a method that no route of its path has', async (_, route) => {
    const response = await send(`PATCH ${pathOf(route)}`)
    expect([response.status, response.headers.get('allow')]).toEqual([405, expect.stringContaining(route.method)])
  })

  test.each(all)('%s finds no thread that the sender may not use', async (_, route) => {
    if (!route.path.includes('{thread}')) return
    const response = await ask(route, { as: { name: 'bob', scopes: ['admin'], threads: (thread) => thread !== 't' } })
    expect([response.status, await jsonOf(response)]).toMatchObject([404, { code: 'LOOM_THREAD_NOT_FOUND' }])
  })
})

describe('every route with a body', () => {
  const bodies: readonly (readonly [string, string, number, RegExp])[] = [
    ['no JSON', '{"a":', 400, /no JSON/],
    ['a list', '[]', 400, /does not fit/],
    ['an unknown field', '{"strange":1}', 400, /strange/],
    ['more than it may hold', `{"strange":"${'x'.repeat(1 << 20)}"}`, 413, /more than 1048576 bytes/],
    ['what is nested too deeply', `${'['.repeat(100)}${']'.repeat(100)}`, 400, /nested deeper/],
  ]
  test.each(withBody.flatMap(([name, route]) => bodies.map(([kind, body, status, words]) => ({ name, kind, route, body, status, words }))))(
    '$name refuses $kind',
    async ({ route, body, status, words }) => {
      const response = await send(`${route.method} ${pathOf(route)}`, { body })
      const problem = await jsonOf<{ code: string; detail: string }>(response)
      expect([response.status, problem.code]).toEqual([status, 'LOOM_REQUEST_INVALID'])
      expect(problem.detail).toMatch(words)
      expect(response.headers.get('content-type')).toBe('application/problem+json')
    },
  )

  test.each(withBody)('%s refuses a body that does not say that it is JSON', async (_, route) => {
    const sent = { body: JSON.stringify(examples[route.name]?.body), headers: { 'content-type': 'text/plain' } }
    expect((await send(`${route.method} ${pathOf(route)}`, sent)).status).toBe(415)
  })

  test.each(withBody)('%s refuses each field of another type', async (_, route) => {
    const properties = route.body?.json['properties'] as { readonly [name: string]: { readonly type?: string } }
    for (const [field, { type }] of Object.entries(properties)) {
      if (type === undefined) continue
      const body = { ...examples[route.name]?.body, [field]: type === 'object' || type === 'array' ? 7 : { a: 1 } }
      const response = await send(`${route.method} ${pathOf(route)}`, { body })
      expect([field, response.status]).toEqual([field, 400])
    }
  })
})

test('what is no route is not found, inside of the base and outside', async () => {
  for (const path of ['GET /nothing', 'GET /threads/t/nothing', 'GET /threads//events', 'GET /']) expect((await send(path)).status).toBe(404)
  expect(await jsonOf(send('GET /%ff'))).toMatchObject({ status: 404 })
  expect(await jsonOf(send('GET /threads/%ff'))).toMatchObject({ status: 400, code: 'LOOM_REQUEST_INVALID' })
})
