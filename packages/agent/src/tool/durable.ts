/**
 * A durable body: entered again from its first line after an answer, a child's end, a wake-up or a crash.
 *
 * D1. Each of step, ask, run and sleep has a key (kind, name, occurrence); a recorded key gives its record and does nothing.
 * D2. A step that is not pure or read has its intent durable before it runs.
 * D3. When only waits are outstanding the entry is dead: nothing it might still do has an effect.
 * D4. A recorded key that an entry no longer reaches is a divergence, and divergence is told, never guessed over.
 */
import { type Answer, type Call, type Draft, type EffectClass, items, type Json, LoomError, type StepRecord } from '@loom-agent/kernel'
import type { AskOptions } from '../human/answer.ts'
import { messageOf, toJson } from '../platform/normalize.ts'
import { jsonSchemaOf } from './schema.ts'

/** What a session needs of the driver it runs under. */
export interface SessionDesk {
  append(drafts: readonly Draft[], how: 'happened' | 'intended'): Promise<boolean>
  call(): Call | undefined
  asked(): number
  now(): number
  hash(text: string): string
  /** Calls back when the platform has nothing more urgent to do. */
  soon(ring: () => void): void
}

/** How a child's run is gone on with; resolves with its record, never while the child waits. */
export type AttendChild = (key: string, start: { readonly begun: boolean }) => Promise<StepRecord>

/** One entry of a durable body. */
export interface Session {
  step(name: string, run: (step: { key: string; signal: AbortSignal }) => unknown, options?: { effect?: EffectClass }): Promise<unknown>
  ask(prompt: string, options?: AskOptions): Promise<Answer>
  child(name: string, attend: AttendChild): Promise<Json | undefined>
  sleep(ms: number): Promise<void>
  /** Resolves when only waits are outstanding. */
  readonly suspended: Promise<void>
  /** Recorded keys that this entry has not reached. */
  unreached(): readonly string[]
  /** Keys that this entry has reached. */
  reached(): ReadonlySet<string>
  /** Makes the entry dead: whatever it still awaits never settles. */
  kill(): void
}

/** How a session is set up. `rehearsal` enters a body only to see whether it takes the same way again. */
export interface SessionOptions {
  readonly call: Call
  readonly effect: EffectClass
  readonly signal: AbortSignal
  readonly desk: SessionDesk
  readonly rehearsal?: ReadonlySet<string>
}

const never = new Promise<never>(() => {})

/** Begins an entry. */
export function createSession(options: SessionOptions): Session {
  const { call, desk, signal, rehearsal } = options
  const records = new Map<string, StepRecord>([...items(call.done)].map((record) => [record.key, record]))
  const counts = new Map<string, number>()
  const reached = new Set<string>()
  let dead = false
  let working = 0
  let waits = 0
  let suspend: () => void
  const suspended = new Promise<void>((resolve) => {
    suspend = resolve
  })

  /** Bodies go on in microtasks after what they awaited; a macrotask later the entry stands still. */
  const settleDown = (): void => {
    if (waits === 0) return
    desk.soon(() => {
      if (working === 0 && waits > 0 && !dead) suspend()
    })
  }
  const work = async <T>(run: () => Promise<T>): Promise<T> => {
    working += 1
    try {
      const value = await run()
      return dead ? await never : value
    } finally {
      working -= 1
      settleDown()
    }
  }
  const wait = (): Promise<never> => {
    waits += 1
    settleDown()
    return never
  }

  const keyOf = (kind: string, name: string): string => {
    const counter = `${kind}:${name}`
    const occurrence = (counts.get(counter) ?? 0) + 1
    counts.set(counter, occurrence)
    const key = `${counter}:${occurrence}`
    if (rehearsal && !rehearsal.has(key)) {
      const reason = `Entered again, the body reached ${key}, which it had not reached before. Put what changes between entries into steps.`
      throw new LoomError('LOOM_STEP_DIVERGED', reason, { context: { call: call.id, key } })
    }
    reached.add(key)
    return key
  }
  const openStep = (key: string) => (desk.call() ?? call).open.find((step) => step.key === key)
  const recorded = (key: string): StepRecord | undefined => records.get(key)

  const session: Session = {
    async step(name, run, { effect = options.effect } = {}) {
      if (dead) return never
      const key = keyOf('step', name)
      const record = recorded(key)
      if (record) return recordedValue(record)
      if (rehearsal || openStep(key)?.question !== undefined) return wait()
      return work(async () => {
        const intent: Draft = { type: 'tool.step-started', data: { call: call.id, key, effect } }
        const isFree = effect === 'pure' || effect === 'read'
        if (!isFree && !(await desk.append([intent], 'intended'))) return never
        const finished = await perform(() => run({ key: desk.hash(`${call.id}/${key}`), signal }))
        const draft: Draft = { type: 'tool.step-finished', data: { call: call.id, key, ...finished } }
        if (!(await desk.append([draft], 'happened'))) return never
        return recordedValue({ key, ...finished })
      })
    },

    async ask(prompt, { name = '', show, schema, expires, approvers } = {}) {
      if (dead) return never
      const key = keyOf('ask', name)
      const record = recorded(key)
      if (record) return record.value as Answer
      if (!rehearsal && !openStep(key)) {
        const id = `${call.id}/${key}#${desk.asked() + 1}`
        const extra = {
          ...(show !== undefined && { show }),
          ...(schema && { schema: jsonSchemaOf(schema, `the question ${key}`) }),
          ...(expires !== undefined && { expires: desk.now() + expires }),
          ...(approvers !== undefined && { approvers }),
        }
        await work(() =>
          desk.append([{ type: 'question.asked', data: { id, kind: 'choice', prompt, call: call.id, key, ...extra } }], 'happened'),
        )
      }
      return wait()
    },

    async sleep(ms) {
      if (dead) return never
      const key = keyOf('sleep', '')
      if (recorded(key)) return
      if (!rehearsal && !openStep(key)) {
        await work(() =>
          desk.append([{ type: 'tool.step-started', data: { call: call.id, key, effect: 'pure', until: desk.now() + ms } }], 'happened'),
        )
      }
      return wait()
    },

    async child(name, attend) {
      if (dead) return never
      const key = keyOf('run', name)
      const record = recorded(key)
      if (record) return recordedValue(record)
      if (rehearsal) return wait()
      const begun = openStep(key) !== undefined
      return waitable(() => attend(key, { begun }))
    },

    suspended,
    unreached: () => [...records.keys()].filter((key) => !reached.has(key)),
    reached: () => reached,
    kill: () => {
      dead = true
    },
  }

  /** A child is work while it runs and a wait once it waits: the attendant says so by never settling after `parked`. */
  const waitable = (attend: () => Promise<StepRecord>): Promise<Json | undefined> => {
    const attending = work(attend)
    return attending.then((record) => (record === parked ? wait() : recordedValue(record)))
  }
  return session
}

/** What an attendant answers when the child waits for somebody. */
export const parked: StepRecord = { key: '' }

async function perform(run: () => unknown): Promise<Omit<StepRecord, 'key'>> {
  try {
    return { value: toJson(await run()) }
  } catch (error) {
    return { error: { code: 'LOOM_STEP_FAILED', message: messageOf(error), recoverable: true } }
  }
}

function recordedValue(record: StepRecord): Json | undefined {
  if (record.error) throw new LoomError('LOOM_STEP_FAILED', record.error.message, { context: { key: record.key } })
  return record.value
}
