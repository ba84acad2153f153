/** ORPHAN-1 at every depth: a tree of children that a stop could not reach ends when it could go on, wherever in it that is. */
import { type Agent, agent, answer, approve, memoryJournal, type Question, signal, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { checkHistory, manualClock, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf } from './journals.ts'

const hour = 3_600_000
const never = () => new Promise<never>(() => {})

/** What the lowest child waits for, and how it comes. */
const waits = {
  answer: {
    work: tool({ permission: 'ask', run: () => 'worked' }),
    come: (journal: Journal, _: string, [asked]: readonly Question[]): Promise<unknown> => answer(journal, asked?.id ?? '', approve()),
  },
  signal: {
    work: tool({ durable: true, run: async (_, ctx) => (await ctx.waitFor('paid')).status }),
    come: (journal: Journal, thread: string): Promise<unknown> => signal(journal, thread, 'paid', 1),
  },
  sleep: { work: tool({ durable: true, run: (_, ctx) => ctx.sleep(hour) }), come: async () => {} },
} as const

/** Calls one tool; a run that is asked for something else asks for a confirmation. */
const calling = (name: string) =>
  scriptedModel(({ prompt }) => {
    if (prompt.at(-1)?.role === 'tool') return 'Done.'
    return { calls: [JSON.stringify(prompt.at(-1)).includes('other') ? { tool: 'confirm' } : { tool: name, input: { prompt: 'Go.' } }] }
  })

describe.each(Object.entries(waits))('a child that was left behind and could go on, by %s', (_, { work, come }) => {
  test.each([1, 2, 3, 4])('is stopped with all above it that were left behind (depth %i)', async (depth) => {
    const journal = memoryJournal()
    const behaviour = { grace: 0 }
    const root = (own: Journal, clock = manualClock()): Agent => {
      let child = agent({ name: 'leaf', model: calling('work'), tools: { work }, behaviour })
      for (let level = 1; level < depth; level += 1) {
        child = agent({ name: `level${level}`, model: calling(child.name), tools: [child], behaviour })
      }
      const confirm = tool({ permission: 'ask', run: () => 'ok' })
      return agent({ name: 'root', model: calling(child.name), tools: { [child.name]: child, confirm }, behaviour, journal: own, ports: { clock } })
    }
    const waiting = await root(journal).run('Go.', { thread: 't' })
    expect(waiting.status).toBe('waiting')
    // The children cannot be written while the root is stopped and goes on with another run.
    const hanging: Journal = {
      ...journal,
      append: (thread, batch) => (thread === 't' ? journal.append(thread, batch) : never()),
      acquire: (thread, claim) => (thread === 't' ? journal.acquire(thread, claim) : never()),
    }
    const leaving = root(hanging)
    expect(await leaving.stop('t', 'enough')).toMatchObject({ status: 'stopped' })
    expect(await leaving.run('Do the other thing.', { thread: 't' })).toMatchObject({ status: 'waiting' })

    const children = (await journal.threads()).filter(({ summary }) => summary.parent !== undefined)
    expect(children.map(({ summary }) => summary.status)).toEqual(Array.from({ length: depth }, () => 'waiting'))
    await come(journal, children.find(({ summary }) => summary.agent === 'leaf')?.thread ?? '', waiting.questions)
    const before = (await journal.head('t'))?.seq
    const clock = manualClock()
    clock.skip(2 * hour)
    await root(journal, clock).recover()
    const left = (await journal.threads()).filter(({ summary }) => summary.parent !== undefined)
    expect(left.map(({ summary }) => summary.status)).toEqual(Array.from({ length: depth }, () => 'stopped'))
    expect((await journal.head('t'))?.seq).toBe(before)
    for (const { thread } of left) expect(checkHistory(await eventsOf(journal, thread))).toEqual([])
  })
})
