/**
 * The page of events lets a stranger read a thread: a reader that was written from the page alone agrees with Loom's frames after every event, over the
 * scenarios of the crash matrix, random lives, forks, and histories of older versions.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { crashScenarios, simulate } from '@loom-agent/harness/crash'
import { emptyFrame, eventVersions, evolve, type Frame, items, type Journal, type LoomEvent, place, readEvents } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { type CrashStorage, memoryStorage, runTrial } from '@loom-agent/testing/crash'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyHistory, opening } from '../../packages/kernel/test/any-events.ts'
import { eventTypes } from '../golden/event-types.ts'
import { eventsByThread, readGolden } from '../golden/golden-history.ts'
import type { Projection } from './projection.ts'
import { CallWithoutResult, createProjector } from './projector.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/events.md'), 'utf8')
const rows = page.split('\n## Events\n')[1]?.split('\n### ')[0] ?? ''
/** The row of each event: its version, and what the page says about its data. */
const documented = new Map(
  [...rows.matchAll(/^\| `([^`]+)` \| (\d+) \| [^|]+ \| (.+) \|$/gm)].map(([, type = '', v = '0', data = '']) => [type, { v: Number(v), data }]),
)
const versions = new Map([...documented].map(([type, { v }]) => [type, v]))
/** Fields of events that were met and have no place in their row. */
const unnamed = new Set<string>()
const lives = Number(process.env['LOOM_PROJECTOR_LIVES'] ?? 60)

/** What the page is about, of a frame of Loom. */
function seenBy(frame: Frame): unknown {
  const { run } = frame
  return {
    history: [...items(frame.history)].map(({ seq, turn, origin, message }) => ({ seq, turn, origin, message })),
    turn: frame.turn,
    run: run && {
      id: run.id,
      status: run.status,
      usage: [run.usage.input, run.usage.output, run.usage.cacheRead ?? 0, run.usage.cacheWrite ?? 0, run.usage.reasoning ?? 0],
      cost: run.cost,
      unpriced: run.unpriced,
      lost: run.lost,
    },
    queue: frame.queue.map(({ seq, run: id }) => [seq, id]),
    questions: Object.values(frame.questions).map(({ id, votes }) => [id, votes]),
    waiting: frame.steering,
    unsettled: run ? [...items(run.calls)].filter(({ state }) => state !== 'settled').map(({ id }) => id) : [],
  }
}

/** The same of a projection. */
function seenByReader({ history, turn, run, queue, questions, waiting, calls }: Projection): unknown {
  const of = (field: string): number => run?.usage[field] ?? 0
  return {
    history,
    turn,
    run: run && {
      id: run.id,
      status: run.status,
      usage: [of('input'), of('output'), of('cacheRead'), of('cacheWrite'), of('reasoning')],
      cost: run.cost,
      unpriced: run.unpriced,
      lost: run.lost,
    },
    queue: queue.map(({ seq, run: id }) => [seq, id]),
    questions: [...questions].map(([id, { votes }]) => [id, votes]),
    waiting,
    unsettled: calls.filter(({ outcome }) => !outcome).map(({ id }) => id),
  }
}

/** Reads a thread with the reader of the page and with Loom, and compares them after every event; returns how many there are. */
function compare(thread: string, events: Iterable<LoomEvent>, known: ReadonlyMap<string, number> = versions): number {
  const reader = createProjector(known)
  let frame = emptyFrame(thread)
  let compared = 0
  for (const event of events) {
    frame = evolve(frame, event)
    reader.apply(event)
    noteFields(event)
    expect(seenByReader(reader.projection), `${thread}@${event.seq}, after ${event.type}`).toEqual(seenBy(frame))
    compared += 1
  }
  return compared
}

/** The same for events that Loom may not have stored: up to the first that it does not store. */
function compareOrLeave(events: readonly LoomEvent[], known?: ReadonlyMap<string, number>): void {
  try {
    compare('t', events, known)
  } catch (error) {
    if (!(error instanceof CallWithoutResult)) throw error
  }
}

function noteFields({ type, data }: LoomEvent): void {
  const row = documented.get(type)?.data ?? ''
  for (const field of Object.keys(data)) if (!row.includes(`\`${field}\``) && !row.includes(`\`${field}?\``)) unnamed.add(`${type}: ${field}`)
}

async function compareAll(journal: Journal): Promise<number> {
  let compared = 0
  for (const { thread } of await journal.threads()) {
    const events: LoomEvent[] = []
    for await (const event of readEvents(journal, thread)) events.push(event)
    compared += compare(thread, events)
  }
  return compared
}

/** A storage whose journal can be read when all processes are gone. */
function keptStorage(): { readonly journal: Journal; readonly storage: CrashStorage } {
  const storage = memoryStorage()
  return { journal: storage.open() as Journal, storage }
}

const folder = join(import.meta.dirname, '../golden/histories')
const histories = readdirSync(folder).filter((file) => file.endsWith('.jsonl'))
const threadsIn = (file: string): ReadonlyMap<string, readonly LoomEvent[]> =>
  eventsByThread(readGolden(readFileSync(join(folder, file), 'utf8')).batches)

describe('the documented events page lets a stranger write a projector that agrees at every seq', () => {
  test('it names the version of every event', () => {
    const written = eventTypes.map((type) => [type, eventVersions[type] ?? 1])
    expect(Object.fromEntries(versions)).toEqual(Object.fromEntries(written))
  })

  test.each(crashScenarios.map((scenario) => [scenario.name, scenario] as const))(
    'over the scenario: %s, uninterrupted and with crashes',
    async (_, scenario) => {
      const calm = keptStorage()
      const { passed } = await runTrial(scenario, { storage: calm.storage })
      let compared = await compareAll(calm.journal)
      for (const share of [0.25, 0.5, 0.75]) {
        const { journal, storage } = keptStorage()
        await runTrial(scenario, { storage, crashes: [Math.ceil(passed.length * share)] })
        compared += await compareAll(journal)
      }
      expect(compared).toBeGreaterThan(20)
    },
  )

  test(`over ${lives} random lives, with hooks, deaths, stops, pauses, parallel calls and children`, { timeout: 300_000 }, async () => {
    let compared = 0
    for (let seed = 1; seed <= lives; seed += 1) {
      const journals: Journal[] = []
      const journal = (): CrashStorage => {
        const kept = keptStorage()
        journals.push(kept.journal)
        return kept.storage
      }
      await simulate({ seed, journal })
      for (const kept of journals) compared += await compareAll(kept)
    }
    expect(compared).toBeGreaterThan(lives * 20)
  })

  test.each(histories)('over the stored history %s', (file) => {
    for (const [thread, events] of threadsIn(file)) expect(compare(thread, events)).toBeGreaterThan(0)
  })

  test('over histories in which nothing makes sense but the types', { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(anyHistory, (events) => compareOrLeave(events)),
      { numRuns: 1000 },
    )
  })

  /** A request that had reserved something of a budget, and failed without a count. */
  const lost = place({ thread: 't', seq: 1, time: 5 }, [
    ...opening,
    { type: 'model.requested', data: { attempt: 2, reserved: { tokens: 7 } } },
    { type: 'model.failed', data: { attempt: 2, error: { code: 'LOOM_MODEL_FAILED', message: 'It failed.', recoverable: true } } },
  ])
  const threads = [lost, ...fc.sample(anyHistory, { numRuns: 300, seed: 7 }), ...histories.flatMap((file) => [...threadsIn(file).values()])]
  const counting = [
    ...['run.queued', 'run.started', 'run.suspended', 'run.resumed', 'run.finished', 'run.failed', 'run.stopped', 'turn.entered', 'message.steered'],
    ...['retrieval.finished', 'model.requested', 'model.replied', 'model.failed', 'tool.denied', 'tool.finished', 'child.finished', 'hook.applied'],
    ...['question.asked', 'question.answered', 'question.expired', 'limit.raised', 'thread.forked'],
  ]
  test.each(counting)('a reader that does not know %s disagrees somewhere', (type) => {
    const without = new Map([...versions].filter(([known]) => known !== type))
    const agrees = threads.every((events) => {
      try {
        compareOrLeave(events, without)
        return true
      } catch {
        return false
      }
    })
    expect(agrees).toBe(false)
  })

  test('over the forks of a thread at every moment, resumed and not', async () => {
    const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
    const mail = tool({ name: 'mail', run: () => 'sent' })
    const reply = ({ prompt }: { prompt: readonly { role: string }[] }) =>
      prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool: 'look' }, { tool: 'mail' }] }
    const journal = memoryJournal()
    const worker = agent({ name: 'worker', model: scriptedModel(reply), tools: [look, mail], journal })
    for (const input of ['One.', 'Two.']) await worker.run(input, { thread: 't' })
    const { seq = 0 } = (await journal.head('t')) ?? {}
    for (let cut = 2; cut <= seq; cut += 1) {
      await worker.fork(`t@${cut}`, { thread: `rests-${cut}` })
      const fork = await worker.fork(`t@${cut}`, { thread: `goes-${cut}`, effects: 'live', limits: { tokens: 100_000 } })
      await fork.resume().result()
      await worker.fork(`t@${cut}`, { thread: `other-${cut}`, edit: { kind: 'input', input: 'Three.' } })
    }
    for (const call of ['1.0', '1.1']) {
      await worker.fork(`t@${seq}`, { edit: { kind: 'result', call, result: 'other' } })
      await worker.fork(`t@${seq}`, { edit: { kind: 'deny', call } })
    }
    expect(await compareAll(journal)).toBeGreaterThan(seq * seq)
  })

  test('it names every field of the events that were read', () => {
    expect([...unnamed].toSorted()).toEqual([])
  })
})
