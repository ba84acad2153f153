/**
 * Hooks that are at work while a contributor writes: whatever the driver is about to append then, every patch is in its place and none is lost.
 */
import { agent, type Hook, memoryJournal, respond, steer, stop, tool } from '@loom-agent/agent'
import { type Batch, type Journal, readEvents } from '@loom-agent/kernel'
import { checkHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { idle } from '../../../test/support/event-loop.ts'

interface Case {
  /** What is written. */
  readonly contribute: (journal: Journal) => Promise<unknown>
  /** Before which append of the driver. */
  readonly before: number
  /** How many microtasks after that append the hooks return that were called before. */
  readonly late: number
  /** The tools that the model calls. */
  readonly tools: readonly string[]
}

/** A journal whose driver finds, at one of its appends, that a contributor was faster. */
interface Contested {
  readonly journal: Journal
  /** Resolves at once, or some time after the append during which it was called. */
  settled(): Promise<void>
  /** How many appends there were. */
  appends(): number
}

async function microtasks(count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await undefined
}

function contested({ contribute, before, late }: Case): Contested {
  const journal = memoryJournal()
  const { promise, resolve } = Promise.withResolvers<void>()
  let appends = 0
  let isUnderWay = false
  const append = async (thread: string, batch: Batch) => {
    appends += batch.epoch === undefined ? 0 : 1
    if (batch.epoch === undefined || appends !== before) return journal.append(thread, batch)
    isUnderWay = true
    await contribute(journal)
    await idle(2)
    const result = await journal.append(thread, batch)
    isUnderWay = false
    void microtasks(late).then(resolve)
    return result
  }
  const settled = async (): Promise<void> => {
    await idle(1)
    if (isUnderWay) await promise
  }
  return { journal: { ...journal, append }, settled, appends: () => appends }
}

/** A hook at all nine points that takes a while. It redacts replies, inputs and results. */
function redacting(wait: () => Promise<void>): Hook {
  const redacted = (text: string): string => text.replaceAll('secret', 'redacted')
  const settings = async () => {
    await wait()
    return { settings: { seed: 1 } }
  }
  return {
    beforeIterationStart: settings,
    beforeContextAssembly: settings,
    afterContextAssembly: settings,
    beforeModelCall: settings,
    async afterModelReply(_, { parts }) {
      await wait()
      return { parts: parts.map((part) => (part.type === 'text' ? { ...part, text: redacted(part.text) } : part)) }
    },
    async beforeToolExecution(_, { input }) {
      await wait()
      return { input: JSON.parse(redacted(JSON.stringify(input))) }
    },
    async afterToolExecution(_, { output }) {
      await wait()
      return { output: JSON.parse(redacted(JSON.stringify(output))) }
    },
    beforeRecursion: settings,
    afterIterationEnd: settings,
  }
}

/** What a contributor writes. */
const message: Case['contribute'] = (journal) => steer(journal, 't', 'By the way.')
const halt: Case['contribute'] = (journal) => stop(journal, 't', 'Enough.')

const say = z.object({ text: z.string() })

/** One life of the thread `t`; returns what is wrong about it, and how many appends its driver made. */
async function live(one: Case): Promise<{ found: readonly string[]; appends: number }> {
  const found: string[] = []
  const run = ({ text }: { text: string }): string => {
    if (text.includes('secret')) found.push(`A tool was given ${text}.`)
    return 'the secret'
  }
  const look = tool({ name: 'look', input: say, effect: 'read', run })
  const send = tool({ name: 'send', input: say, effect: 'unsafe', run })
  const ask = tool({ name: 'ask', input: say, permission: 'ask', run })
  const calls = one.tools.map((name) => ({ tool: name, input: { text: 'secret' } }))
  const model = scriptedModel(({ prompt }) => (prompt.some(({ role }) => role === 'tool') ? 'Done.' : { text: 'a secret', calls }))
  const { journal, settled, appends } = contested(one)
  const clerk = agent({ model, tools: [look, send, ask], hooks: [redacting(settled)], journal, behaviour: { grace: 10_000 }, limits: { turns: 5 } })
  await clerk.run('go', { thread: 't', onQuestion: () => respond('a secret') })
  // What a stopped run leaves is shown to the model of the next.
  await clerk.run('And now?', { thread: 't' })
  const events = []
  for await (const event of readEvents(journal, 't')) events.push(event)
  for (const { rule, message } of checkHistory(events)) found.push(`${rule}: ${message}`)
  for (const { prompt } of model.requests) {
    for (const { role, content } of prompt) {
      // The arguments of a call are shown as the model wrote them, and so is a reply that a stop was faster than its hooks.
      const shown = JSON.stringify(role === 'assistant' ? content.filter(({ type }) => type === 'text' && one.contribute !== halt) : content)
      if (shown.includes('secret')) found.push(`The model was shown ${shown}.`)
    }
  }
  return { found, appends: appends() }
}

describe.each([
  ['a message', message],
  ['a stop', halt],
] as const)('%s that a contributor writes before an append of the driver', (_, contribute) => {
  test.each([
    ['calls of several kinds', ['look', 'missing', 'send', 'ask']],
    ['a call that a human answers', ['ask']],
  ])(
    'while the hooks of %s are at work: every patch is in its place, and what hooks redact is never seen (POINT-1, POINT-2)',
    async (_name, tools) => {
      let appends = 1
      const wrong: object[] = []
      for (let before = 1; before <= appends; before += 1) {
        for (const late of [0, 5]) {
          const { found, appends: made } = await live({ contribute, before, late, tools })
          appends = Math.max(appends, made)
          if (found.length > 0) wrong.push({ before, late, found })
        }
      }
      expect(wrong).toEqual([])
      expect(appends).toBeGreaterThan(10)
    },
  )
})
