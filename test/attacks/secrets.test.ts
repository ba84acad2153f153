/** Attacks on secrets: whatever fails with a key in its message, no journal keeps the key, no model reads it, and no log shows it. */
import { type Agent, type AgentOptions, agent, memoryJournal, type Result, type RunOptions, tool } from '@loom-agent/agent'
import { type Journal, LoomError, readEvents } from '@loom-agent/kernel'
import { type ScriptedModel, type ScriptStep, scriptedModel } from '@loom-agent/testing'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { numbersOf, secretOf } from './made-secrets.ts'

const random = numbersOf(20_261)
/** A key of a service, made when the tests run. */
const made = (shape: string): string => secretOf(['', '', shape], random).value

const logged: unknown[][] = []
beforeEach(() => {
  logged.length = 0
  for (const level of ['error', 'warn', 'log'] as const) vi.spyOn(console, level).mockImplementation((...words) => void logged.push(words))
})
afterEach(() => vi.restoreAllMocks())

interface Attacked {
  readonly result: Result<unknown> | undefined
  readonly events: string
  readonly asked: string
  readonly log: string
}

interface World {
  readonly options?: AgentOptions<never>
  readonly says?: readonly ScriptStep[]
  readonly run?: RunOptions<never>
}

async function allEvents(journal: Journal): Promise<string> {
  const found: unknown[] = []
  for (const { thread } of await journal.threads({ limit: 100 })) for await (const event of readEvents(journal, thread)) found.push(event)
  return JSON.stringify(found)
}

/** What an error shows of itself where it is logged. */
const inLog = (word: unknown): string =>
  word instanceof Error ? `${word.stack} ${JSON.stringify(word)} ${word.cause === undefined ? '' : inLog(word.cause)}` : String(word)

/** Runs an agent, and returns everything that others than its caller get to see. */
async function attack({ options = {}, says = ['done'], run = {} }: World): Promise<Attacked> {
  const journal = memoryJournal()
  const model: ScriptedModel = scriptedModel(says)
  const worker = agent({ model, journal, behaviour: { attempts: 2 }, ports: { random: () => 0 }, ...(options as object) }) as Agent
  const result = await worker.run('go', { thread: 't', ...(run as object) }).catch(() => undefined)
  return { result, events: await allEvents(journal), asked: JSON.stringify(model.requests), log: logged.flat().map(inLog).join('\n') }
}

function expectHidden(secret: string, { events, asked, log }: Attacked): void {
  expect({ inJournal: events.includes(secret), shownToModel: asked.includes(secret), inLog: log.includes(secret) }).toEqual({
    inJournal: false,
    shownToModel: false,
    inLog: false,
  })
}

const calls = (name: string, input: object = {}): ScriptStep => ({ calls: [{ tool: name, input }] })
const throwing = (error: unknown) => () => {
  throw error
}

describe('a tool that fails', () => {
  const failing = (error: unknown): Promise<Attacked> =>
    attack({ options: { tools: [tool({ name: 'act', run: throwing(error) })] }, says: [calls('act'), 'done'] })

  it.each<[string, string, (secret: string) => string]>([
    ['the key of a model provider', made('sk-proj-{a-zA-Z0-9 40}'), (secret) => `401 Incorrect API key provided: ${secret}.`],
    ['a token of a code host', made('ghp_{a-zA-Z0-9 36}'), (secret) => `fatal: could not read from https://${secret}@github.com/a/b`],
    ['the password of a database', made('{a-z 6}{0-9 3}'), (secret) => `connect failed: postgres://app:${secret}@db.internal:5432/main`],
    ['a password without digits', 'correcthorsebattery', (secret) => `Login failed for Server=db;User Id=sa;Password=${secret};Encrypt=true`],
    ['a bearer', made('{a-zA-Z0-9 30}'), (secret) => `request failed with headers {"Authorization":"Bearer ${secret}","accept":"*/*"}`],
    ['a key in an address', made('{a-zA-Z0-9_- 39}'), (secret) => `GET https://api.example.com/v1/models?key=${secret}&alt=sse answered 403`],
    ['a cookie', made('{a-f0-9 32}'), (secret) => `sent Cookie: theme=dark; sid=${secret}\naccept: */*`],
    ['a signed address', made('{a-f0-9 64}'), (secret) => `https://bucket.s3.amazonaws.com/x?X-Amz-Expires=60&X-Amz-Signature=${secret} has expired`],
    ['a private key', made('{A-Za-z0-9+/ 64}'), (secret) => `bad PEM: -----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`],
    ['an answer with JSON inside JSON', made('{a-zA-Z0-9 12}1x'), (secret) => JSON.stringify({ body: JSON.stringify({ client_secret: secret }) })],
    ['an option of a command', made('{a-z0-9 12}7q'), (secret) => `Command failed: deploy --token ${secret} --region eu`],
    ['a key of no known format', made('{a-zA-Z0-9 44}'), (secret) => `the upstream refused ${secret} as a credential`],
  ])('does not carry %s into journal, request or log', async (_, secret, message) => {
    expectHidden(secret, await failing(new Error(message(secret))))
  })

  it('shows nothing of an error that is no Error but has headers', async () => {
    const secret = made('{a-zA-Z0-9 24}')
    expectHidden(secret, await failing({ status: 401, headers: { 'x-api-key': secret }, password: secret }))
  })

  it('shows nothing of an error that it returns', async () => {
    const secret = made('npm_{a-zA-Z0-9 36}')
    const act = tool({ name: 'act', run: () => new Error(`publish failed with ${secret}`) })
    expectHidden(secret, await attack({ options: { tools: [act] }, says: [calls('act'), 'done'] }))
  })

  it('shows nothing of an error inside what it returns', async () => {
    const secret = made('glpat-{a-zA-Z0-9 20}')
    const act = tool({ name: 'act', run: async () => ({ all: await Promise.allSettled([Promise.reject(new Error(`${secret} was refused`))]) }) })
    expectHidden(secret, await attack({ options: { tools: [act] }, says: [calls('act'), 'done'] }))
  })

  it('shows nothing of a step that failed', async () => {
    const secret = made('xoxb-{0-9 12}-{a-z0-9 24}')
    const send = throwing(new Error(`invalid_auth: ${secret}`))
    const act = tool({ name: 'act', durable: true, run: async (_, ctx) => ctx.step('send', send) })
    expectHidden(secret, await attack({ options: { tools: [act] }, says: [calls('act'), 'done'] }))
  })

  it('keeps the error as it is for the developer, in the result', async () => {
    const secret = made('sk-proj-{a-zA-Z0-9 40}')
    const error = new Error(`bad key ${secret}`)
    const { result, events } = await failing(error)
    expect(events).not.toContain(secret)
    expect(result?.steps[0]?.calls[0]).toMatchObject({ cause: error })
  })
})

describe('a model that fails', () => {
  const apiError = (secret: string): Error =>
    Object.assign(new Error(`Incorrect API key provided: ${secret}. You can find your key in the console.`), {
      name: 'AI_APICallError',
      url: `https://api.example.com/v1?key=${secret}`,
      statusCode: 401,
      isRetryable: false,
      requestBodyValues: { apiKey: secret },
      responseHeaders: { 'set-cookie': `session=${secret}` },
      responseBody: `{"key":"${secret}"}`,
      cause: new Error(`cause ${secret}`),
    })

  it('does not carry its key into the end of the run', async () => {
    const secret = made('sk-ant-api03-{a-zA-Z0-9_- 93}AA')
    const attacked = await attack({ says: [{ throws: apiError(secret) }] })
    expectHidden(secret, attacked)
    expect(attacked.result?.status).toBe('failed')
    expect(attacked.events).toContain('Incorrect API key provided: sk-ant-')
  })

  it('does not carry its key into attempts that are tried again', async () => {
    const secret = made('AIza{a-zA-Z0-9_- 35}')
    const throws = Object.assign(apiError(secret), { statusCode: 503, isRetryable: true })
    expectHidden(secret, await attack({ says: [{ throws }, 'done'] }))
  })

  it.each(['gsk_{a-zA-Z0-9 52}', 'csk-{a-z0-9 48}'])('does not carry a key out of an error inside its stream (%s)', async (shape) => {
    const secret = made(shape)
    const error = { type: 'error', error: { message: `bad ${secret}`, headers: { authorization: `Bearer ${secret}` } } }
    expectHidden(secret, await attack({ says: [{ text: 'well', errorAfter: { parts: 2, error } }, { throws: new Error('no more') }] }))
  })

  it('does not carry a key out of a stream that is torn', async () => {
    const secret = made('hf_{a-zA-Z 34}')
    expectHidden(
      secret,
      await attack({ says: [{ text: 'well', tornBy: new Error(`socket to https://user:${secret}@proxy closed`) }, { throws: new Error('no') }] }),
    )
  })

  it('does not carry a key out of an error with a code of Loom', async () => {
    const secret = made('{a-z0-9 20}4k')
    const throws = new LoomError('LOOM_MODEL_FAILED', `refused api_key=${secret}`, { context: { apiKey: secret, url: `https://u:${secret}@host/` } })
    expectHidden(secret, await attack({ says: [{ throws }] }))
  })

  it('does not carry a key out of what it warns of', async () => {
    const secret = made('sk-proj-{a-zA-Z0-9 40}')
    const parts = [{ type: 'stream-start', warnings: [{ type: 'other', message: `the key ${secret} is deprecated` }] }] as never
    expectHidden(secret, await attack({ says: [{ parts, text: 'done' }] }))
  })
})

describe('code of the user that fails', () => {
  const secret = made('sk_live_{a-zA-Z0-9 24}')
  const fails = throwing(new Error(`vault said 403 for ${secret}`))
  const act = tool({ name: 'act', run: () => 'acted' })

  it.each<[string, World]>([
    ['a hook before the model', { options: { hooks: [{ beforeModelCall: fails }] } }],
    ['a hook after the model', { options: { hooks: [{ afterModelReply: fails }] } }],
    ['a hook before a turn', { options: { hooks: [{ beforeIterationStart: fails }] } }],
    ['a hook before a call', { options: { tools: [act], hooks: [{ beforeToolExecution: fails }] }, says: [calls('act'), 'done'] }],
    ['a hook after a call', { options: { tools: [act], hooks: [{ afterToolExecution: fails }] }, says: [calls('act'), 'done'] }],
    ['a rule', { options: { tools: [act], permissions: { rules: [{ tool: '*', when: fails, verdict: 'allow' }] } }, says: [calls('act'), 'done'] }],
    ['a permission of a tool', { options: { tools: [tool({ name: 'act', permission: fails, run: () => 1 })] }, says: [calls('act'), 'done'] }],
    ['a function of dependencies', { options: { deps: fails } as never }],
    ['instructions', { options: { instructions: fails } as never }],
    ['a function of tools', { options: { tools: fails } as never }],
    [
      'a look whether a tool is available',
      { options: { tools: [tool({ name: 'act', available: fails, run: () => 1 })] }, says: [calls('act'), 'done'] },
    ],
    ['a price', { options: { ports: { price: fails }, limits: { cost: 5 } } as never }],
    [
      'a child',
      {
        options: { tools: [agent({ name: 'act', model: scriptedModel({ throws: new Error(`no ${secret}`) }) })] },
        says: [calls('act', { prompt: 'x' }), 'done'],
      },
    ],
  ])('does not carry a key into journal, request or log: %s', async (_, world) => {
    expectHidden(secret, await attack(world))
  })

  it('does not carry a key out of the reason of an abort', async () => {
    const controller = new AbortController()
    const stop = tool({ name: 'act', run: () => controller.abort(new Error(`shutting down ${secret}`)) })
    expectHidden(secret, await attack({ options: { tools: [stop] }, says: [calls('act'), 'done'], run: { signal: controller.signal } }))
  })

  it('does not carry a key out of a schema that throws', async () => {
    const input = { '~standard': { version: 1, vendor: 'x', validate: fails, jsonSchema: { input: () => ({ type: 'object' }) } } } as never
    expectHidden(secret, await attack({ options: { tools: [tool({ name: 'act', input, run: () => 1 })] }, says: [calls('act'), 'done'] }))
  })
})
