import { globSync, readdirSync, readFileSync } from 'node:fs'
import { type Agent, agent, type Hook, reject, skip, type Tool, tool } from '@loom-agent/agent'
import { errorCodes, type JsonObject, LoomError, type LoomErrorCode } from '@loom-agent/kernel'
import { mortalJournal, scriptedModel } from '@loom-agent/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { failureOf } from '../src/platform/failure-of.ts'
import { loadRedaction } from '../src/platform/redaction.ts'
import { retry } from '../src/resilience/retry.ts'
import { eventsOf } from './journals.ts'

// A driver loads it before it drives: until then nothing foreign is shown.
beforeAll(async () => void (await loadRedaction()))

const page = readFileSync(new URL('../../../docs/reference/errors.md', import.meta.url), 'utf8')
const codes = Object.keys(errorCodes) as LoomErrorCode[]
/** What the page says under the heading of a code. */
const sectionOf = (code: string): string => page.split(`\n### ${code}\n`)[1]?.split('\n#')[0] ?? ''

describe('the reference of errors', () => {
  test.each(codes)('names for %s what may be done, its cause and its remedy', (code) => {
    const section = sectionOf(code)
    expect(section).toContain(`- Retry: \`${errorCodes[code]}\`\n`)
    expect(section).toMatch(/\n- Cause: \S.{20,}\n- Remedy: \S.{20,}\n/)
  })

  test('names no code that does not exist, and none twice', () => {
    const headings = [...page.matchAll(/^### (\S+)$/gm)].map(([, heading]) => heading)
    expect(headings.toSorted()).toEqual(codes.toSorted())
    const mentioned = [...page.matchAll(/LOOM_[A-Z_]+/g)].map(([code]) => code)
    const variables = new Set(['LOOM_MODEL', 'LOOM_PROVIDER'])
    expect(mentioned.filter((code) => !(code in errorCodes) && !variables.has(code))).toEqual([])
  })
})

describe('the sources', () => {
  /** Where codes are listed or translated, not used. */
  const lists = ['kernel/src/errors.ts', 'agent/src/compat/errors.ts']
  const packages = new URL('../../', import.meta.url)
  /** Most of the testing kit names codes to make up events with them; recorded tests throw their own. */
  const isMadeUp = /^(harness|testing)\/(?!src\/regression\/)/
  const files = globSync('*/src/**/*.ts', { cwd: packages }).filter(
    (file) => !/\.test\.ts$/.test(file) && !isMadeUp.test(file) && !lists.includes(file),
  )
  const code = files.map((file) => readFileSync(new URL(file, packages), 'utf8').replaceAll(/\/\*\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')).join('\n')

  test('use every code, or the reference says that it is reserved', () => {
    expect(files.length).toBeGreaterThan(200)
    const unused = codes.filter((each) => !new RegExp(`['"\`]${each}['"\`]`).test(code))
    expect(codes.filter((each) => sectionOf(each).includes('- Cause: Reserved: '))).toEqual(unused)
  })
})

/** The kinds that the original Python project names, with what it says of them. */
const kinds: readonly { kind: string; code: LoomErrorCode; recoverable: boolean; context: JsonObject }[] = [
  { kind: 'a tool that failed', code: 'LOOM_TOOL_FAILED', recoverable: true, context: { tool: 'search' } },
  { kind: 'a tool that does not exist', code: 'LOOM_TOOL_NOT_FOUND', recoverable: true, context: { tool: 'search' } },
  { kind: 'a tool that is not available', code: 'LOOM_TOOL_UNAVAILABLE', recoverable: true, context: { tool: 'search' } },
  { kind: 'arguments that do not fit', code: 'LOOM_TOOL_INPUT_INVALID', recoverable: true, context: { tool: 'search', errors: ['a: required'] } },
  { kind: 'a tool that takes too long', code: 'LOOM_TOOL_TIMEOUT', recoverable: true, context: { tool: 'search', timeout: 120_000 } },
  { kind: 'a call that is not permitted', code: 'LOOM_PERMISSION_DENIED', recoverable: false, context: { tool: 'search', reason: 'read only' } },
  { kind: 'a model that failed', code: 'LOOM_MODEL_FAILED', recoverable: true, context: { status: 500 } },
  { kind: 'a rate limit', code: 'LOOM_MODEL_RATE_LIMITED', recoverable: true, context: { retryAfterMs: 1000 } },
  { kind: 'a context that is too long', code: 'LOOM_MODEL_CONTEXT_LENGTH', recoverable: true, context: { tokens: 250_000, max: 200_000 } },
  { kind: 'a memory that failed', code: 'LOOM_MEMORY_FAILED', recoverable: true, context: { reason: 'disk full' } },
  { kind: 'a compression that failed', code: 'LOOM_COMPRESSION_FAILED', recoverable: true, context: { reason: 'no summary' } },
  { kind: 'an abort', code: 'LOOM_ABORTED', recoverable: false, context: { reason: 'by the user' } },
  { kind: 'an open circuit', code: 'LOOM_CIRCUIT_OPEN', recoverable: true, context: { retryAfterMs: 1000 } },
]

describe('errors', () => {
  test.each(kinds)('$kind is $code, with context and cause, and is retried only if that may help', async ({ code, recoverable, context }) => {
    const cause = new Error('underneath')
    const error = new LoomError(code, 'It failed. Do something about it.', { cause, context })
    expect(failureOf(error)).toEqual({ code, message: error.message, recoverable, context })
    expect(error.cause).toBe(cause)
    let attempts = 0
    const failing = () => {
      attempts += 1
      throw error
    }
    await expect(retry(failing, { delay: 0, retryAfter: () => 0 })).rejects.toBe(error)
    expect(attempts).toBe(recoverable ? 3 : 1)
  })
})

/** A call that fails in one way, and what the model reads of it. */
interface ErrorCase {
  readonly tools?: readonly Tool[]
  readonly hooks?: readonly Hook[]
  readonly call?: { tool: string; input?: unknown }
  readonly act?: (worker: Agent) => Promise<unknown>
  readonly says: RegExp
}

const run = (worker: Agent) => worker.run('go', { thread: 't' })
const forever = (effect: 'read' | 'idempotent' | 'unsafe', timeout: number) =>
  tool({
    name: 'work',
    effect,
    schedule: { timeout },
    run: (_, { signal }) => new Promise((_resolve, fail) => signal.addEventListener('abort', () => fail(new Error('aborted')))),
  })
const fine = tool({ name: 'work', effect: 'pure', run: () => 'fine' })

const errorCases: { readonly [errorType: string]: ErrorCase } = {
  'not-found': { tools: [fine], call: { tool: 'wrok' }, says: /no tool called "wrok"\. Did you mean work\?/ },
  unavailable: { tools: [tool({ name: 'work', available: false, run: () => 1 })], says: /not available now\. Do without it, or try later\./ },
  validation: {
    tools: [tool({ name: 'work', input: z.object({ a: z.number() }), run: () => 1 })],
    says: /do not fit: a: .*\. Check names and types, and call it again\./,
  },
  permission: { tools: [tool({ name: 'work', permission: 'deny', run: () => 1 })], says: /not permitted.*Do without it\./ },
  rejected: {
    tools: [tool({ name: 'work', permission: 'ask', run: () => 1 })],
    act: async (worker) => {
      const started = worker.start('go', { thread: 't' })
      await started.answer((await started.result()).questions[0]?.id ?? '', reject('Ask me tomorrow.'))
      return started.result()
    },
    says: /Ask me tomorrow\./,
  },
  limit: {
    tools: [fine],
    act: (worker) => worker.run('go', { thread: 't', limits: { calls: 0 } }),
    says: /may make 0 calls .* Answer with what you have\./,
  },
  skipped: { tools: [fine], hooks: [{ beforeToolExecution: () => skip('not on Sundays') }], says: /Skipped: not on Sundays/ },
  timeout: { tools: [forever('read', 5)], says: /did not end within 5 ms\. Split the task, or try again with less\./ },
  failed: {
    tools: [tool({ name: 'work', run: () => Promise.reject(new Error('boom')) })],
    says: /work failed: boom\. Check the arguments or try another way\./,
  },
  cancelled: {
    tools: [forever('read', 10_000)],
    act: async (worker) => {
      const started = worker.start('go', { thread: 't' })
      for await (const event of started.events()) if (event.type === 'tool-start') await started.stop('enough')
      return started.result()
    },
    says: /Cancelled: enough/,
  },
  'outcome-unknown': { tools: [forever('unsafe', 5)], says: /The outcome is unknown: verify it before you call this again\./ },
  incompatible: {
    tools: [forever('idempotent', 10_000)],
    act: async (worker) => {
      const dying = mortalJournal(worker.journal)
      const started = worker.with({ journal: dying.journal, behaviour: { unattended: 'deny' } }).start('go', { thread: 't' })
      for await (const event of started.events()) {
        if (event.type !== 'tool-start') continue
        dying.kill()
        break
      }
      return worker
        .with({ tools: [], journal: mortalJournal(worker.journal).journal })
        .resume('t')
        .result()
    },
    says: /The tool work does not exist any more\. It was started: verify what it did before you call this again\./,
  },
  hook: {
    tools: [fine],
    hooks: [{ afterToolExecution: () => Promise.reject(new Error('boom')) }],
    says: /result is withheld, because a hook failed after it: boom\. Do not/,
  },
}

describe('what models see of a failed call', () => {
  test.each(Object.entries(errorCases))('%s: what happened, and what to do', async (errorType, { tools = [], hooks = [], call, act = run, says }) => {
    const model = scriptedModel([{ calls: [call ?? { tool: 'work' }] }, 'So be it.'])
    const worker = agent({ model, tools, hooks, behaviour: { grace: 1 } })
    await act(worker)
    const outcomes = (await eventsOf(worker, 't')).flatMap(({ type, data }): object[] => {
      if (type === 'hook.applied') return [data.patch['outcome'] as JsonObject]
      return type === 'tool.finished' || type === 'tool.denied' ? [data] : []
    })
    expect(outcomes.at(-1)).toMatchObject({ errorType })
    // A run that was stopped does not ask its model again.
    const shown = errorType === 'cancelled' || errorType === 'limit' ? outcomes : model.requests[1]?.prompt.at(-1)?.content
    expect(JSON.stringify(shown).replaceAll('\\"', '"')).toMatch(says)
  })

  test('is listed in the reference, kind for kind', () => {
    const table = page.split('## What models see')[1] ?? ''
    const listed = [...table.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, errorType]) => errorType)
    expect(listed.toSorted()).toEqual(Object.keys(errorCases).toSorted())
  })

  test('is of no other kind: every kind in the sources has its case here', () => {
    const sources = ['../src', '../../kernel/src'].flatMap((folder) => {
      const root = new URL(`${folder}/`, import.meta.url)
      const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      return files.map((file) => readFileSync(new URL(file, root), 'utf8'))
    })
    const kind = /(?:errorType: |refuse\([\w.]+, |failure\(\s*)'([a-z-]+)'/g
    const found = new Set(sources.flatMap((source) => [...source.matchAll(kind)].map(([, errorType]) => errorType)))
    expect(found.size).toBeGreaterThan(8)
    expect([...found].filter((errorType) => !(errorType && errorType in errorCases))).toEqual([])
  })
})
