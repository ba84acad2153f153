/** Journals and drivers that each break one promise: the judges of crashes must report every one. */
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import type { Batch, Journal, LoomEvent } from '@loom-agent/kernel'
import { steadyModel } from '@loom-agent/testing'
import { type CrashScenario, type CrashStorage, type CrashStorageFactory, externalWorld, type FindingKind } from '@loom-agent/testing/crash'
import { crashScenarios } from '../../src/matrix/scenarios/scenarios.ts'

/** A storage that breaks a promise, and the kinds of findings that count as noticing it. */
export interface BrokenStorage {
  readonly name: string
  readonly kinds: readonly FindingKind[]
  readonly storage: CrashStorageFactory
}

type Append = Journal['append']

/** A storage whose journal is spoiled. */
const spoiled = (name: string, kinds: readonly FindingKind[], spoil: (journal: Journal) => Partial<Journal>): BrokenStorage => ({
  name,
  kinds,
  storage: () => {
    const journal = memoryJournal()
    const broken = { ...journal, ...spoil(journal) }
    return { open: () => broken, abandon: () => {} }
  },
})

/** A storage that changes batches on their way in. */
const altering = (name: string, kinds: readonly FindingKind[], alter: (events: Batch['events']) => Batch['events']): BrokenStorage =>
  spoiled(name, kinds, ({ append }) => ({
    append: async (thread, batch) => {
      const events = alter(batch.events)
      return append(thread, { ...batch, events })
    },
  }))

/** A storage that acknowledges a batch before it is stored: a process that dies then loses what was acknowledged. */
function hasty(): CrashStorage {
  const journal = memoryJournal()
  const open = (): Journal => {
    let unstored: Promise<unknown> = Promise.resolve()
    let gone = false
    const wait = async <T>(work: () => Promise<T>): Promise<T> => {
      await unstored
      return work()
    }
    const append: Append = async (thread, batch) => {
      await unstored
      const seq = (await journal.head(thread))?.seq ?? 0
      if (batch.expected !== seq) return journal.append(thread, batch)
      unstored = aWhile().then(() => (gone ? undefined : journal.append(thread, batch)))
      return { kind: 'appended', seq: seq + batch.events.length }
    }
    const handle: Journal = {
      ...journal,
      append,
      read: (thread, range) => wait(() => journal.read(thread, range)),
      head: (thread) => wait(() => journal.head(thread)),
      threads: (query) => wait(() => journal.threads(query)),
    }
    losses.set(handle, () => {
      gone = true
    })
    return handle
  }
  return { open, abandon: (handle) => losses.get(handle)?.() }
}
const losses = new WeakMap<Journal, () => void>()

/** Longer than a process needs to be gone. */
async function aWhile(): Promise<void> {
  for (let round = 0; round < 12; round += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** A storage that forgets the last batch of every thread when a process is gone. */
function forgetful(): CrashStorage {
  let journal = memoryJournal()
  let batches: { readonly thread: string; readonly batch: Batch }[] = []
  let claims: { readonly thread: string; readonly worker: string }[] = []
  const open = (): Journal => {
    const kept = journal
    return {
      ...kept,
      async acquire(thread, claim) {
        const result = await kept.acquire(thread, claim)
        if (result.kind === 'acquired') claims.push({ thread, worker: claim.worker })
        return result
      },
      async append(thread, batch) {
        const result = await kept.append(thread, batch)
        if (result.kind === 'appended') batches.push({ thread, batch })
        return result
      },
    }
  }
  const abandon = async (): Promise<void> => {
    const last = batches.pop()
    if (!last) return
    const [old, taken] = [batches, claims]
    journal = memoryJournal()
    claims = []
    for (const { thread, worker } of taken) {
      const seen = (await journal.head(thread))?.epoch ?? claims.filter((claim) => claim.thread === thread).length
      claims.push({ thread, worker })
      await journal.acquire(thread, { worker, incarnation: 'life', seen, force: true })
    }
    batches = old
    for (const { thread, batch } of old) await journal.append(thread, { ...batch, epoch: undefined })
  }
  return { open, abandon }
}

const isOf =
  (type: LoomEvent['type']) =>
  (event: Batch['events'][number]): boolean =>
    event.type === type

/** Storages that the enumerator must report. */
export const brokenForMatrix: readonly BrokenStorage[] = [
  { name: 'acknowledges before it stores', kinds: ['lost'], storage: hasty },
  { name: 'forgets the last batch when a process is gone', kinds: ['lost'], storage: forgetful },
  altering('stores only the first event of a batch', ['lost'], (events) => events.slice(0, 1)),
  altering('leaves out intents', ['lost'], (events) => (events.length > 1 ? events.filter((event) => event.type !== 'tool.started') : events)),
  altering('calls every effect a read', ['duplicate'], (events) =>
    events.map((event) => (event.type === 'tool.started' ? { ...event, data: { ...event.data, effect: 'read' } } : event)),
  ),
  altering('forgets which calls are in doubt', ['lost'], (events) => {
    const kept = events.filter((event) => event.type !== 'tool.in-doubt' && !(isOf('question.asked')(event) && events.some(isOf('tool.in-doubt'))))
    return kept.length > 0 ? kept : events
  }),
  altering('stores every answer as a rejection', ['changed'], (events) =>
    events.map((event) => (event.type === 'question.answered' ? { ...event, data: { ...event.data, answer: { kind: 'reject' } } } : event)),
  ),
  spoiled('stores every batch twice', ['history'], ({ append }) => ({
    append: async (thread, batch) => {
      const result = await append(thread, batch)
      if (result.kind === 'appended') await append(thread, { ...batch, id: `${batch.id} again`, expected: result.seq })
      return result
    },
  })),
  spoiled('gives every driver the same epoch', ['journal'], ({ acquire }) => ({
    acquire: async (thread, claim) => {
      const result = await acquire(thread, claim)
      return result.kind === 'acquired' ? { ...result, epoch: 1 } : result
    },
  })),
  spoiled('shows events in another order', ['lost', 'history'], ({ read }) => ({
    read: async (thread, range) => {
      const page = await read(thread, range)
      return page.map((event, index) => ({
        ...(page[index % 2 === 0 && page[index + 1] ? index + 1 : index % 2 === 1 ? index - 1 : index] as LoomEvent),
        seq: event.seq,
      }))
    },
  })),
]

/** Storages that the simulation must report. */
export const brokenForSimulation: readonly BrokenStorage[] = [
  spoiled('fences no driver', ['journal'], ({ append }) => ({ append: (thread, { epoch: _epoch, ...batch }) => append(thread, batch) })),
  spoiled('knows no batch ids', ['journal', 'history'], ({ append }) => {
    let made = 0
    return {
      append: (thread, batch) => {
        made += 1
        return append(thread, { ...batch, id: `${batch.id} ${made}` })
      },
    }
  }),
  spoiled('fences before it recognises a batch', ['stuck', 'transcript', 'history', 'duplicate', 'ending'], ({ append, head }) => ({
    append: async (thread, batch) => {
      const { epoch = 0, seq = 0 } = (await head(thread)) ?? {}
      if (batch.epoch !== undefined && batch.epoch !== epoch) return { kind: 'fenced', epoch }
      return batch.expected < seq ? { kind: 'appended', seq } : append(thread, batch)
    },
  })),
  altering('stores another answer than it was given', ['winner'], (events) =>
    events.map((event) =>
      event.type === 'question.answered' ? { ...event, data: { ...event.data, answer: { kind: 'reject', reason: 'because' } } } : event,
    ),
  ),
  spoiled('stores what conflicts', ['history', 'journal'], ({ append }) => ({
    append: async (thread, batch) => {
      const result = await append(thread, batch)
      return result.kind === 'conflict' ? append(thread, { ...batch, expected: result.seq }) : result
    },
  })),
  spoiled('lists every thread as done', ['journal', 'stuck'], ({ append }) => ({
    append: (thread, batch) => append(thread, { ...batch, summary: { ...batch.summary, status: 'done' } }),
  })),
  spoiled('leaves out the last event of a page', ['stuck', 'lost', 'failed'], ({ read }) => ({
    read: async (thread, range) => (await read(thread, range)).slice(0, -1),
  })),
]

/** The scenario of this name. */
export function scenarioNamed(name: string): CrashScenario {
  const found = crashScenarios.find((scenario) => scenario.name === name)
  if (!found) throw new Error(`There is no scenario ${name}.`)
  return found
}

/** A program that answers every question by itself, and so runs again what may have happened. */
export const rash: CrashScenario = {
  name: 'a program that approves whatever it is asked',
  world: externalWorld,
  agent: ({ journal, world }) =>
    agent({
      model: steadyModel([{ calls: [{ tool: 'pay' }] }, 'Done.']),
      tools: [tool({ name: 'pay', run: () => world.act('pay') })],
      onQuestion: () => approve(),
      journal,
    }),
  play: (user) => user.input('Go.'),
}
