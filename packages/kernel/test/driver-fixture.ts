/** Everything to drive a thread with `tt`: a journal whose appends are recorded and can be made to fail, a manual clock, and a performer with a handler for each effect. */
import { memoryJournal } from '@loom-agent/agent'
import { storedFrame } from '@loom-agent/agent/kit'
import { type Batch, type Draft, type Effect, type Frame, type Journal, type LoomEvent, type Outbox, type Performer, tt } from '@loom-agent/kernel'
import { facts, type ManualClock, manualClock } from '@loom-agent/testing'

type Progress = ReturnType<Performer['perform']>
/** Performs an effect. */
export type EffectHandler = (outbox: Outbox, effect: Effect) => Progress

/** What a test may replace. */
export interface FixtureOptions {
  readonly handlers?: { readonly [K in Effect['kind']]?: EffectHandler }
  readonly journal?: (journal: Journal) => Partial<Journal>
  readonly idle?: () => Promise<void>
  readonly start?: readonly Draft[]
}

/** What a test looks at. */
export interface DriverFixture {
  readonly journal: Journal
  readonly clock: ManualClock
  readonly performed: readonly Effect['kind'][]
  readonly aborts: readonly string[]
  readonly committed: readonly string[][]
  readonly batches: readonly Batch[]
  watchers(): number
  outbox(): Outbox
  drive(more?: { refold?: (frame: Frame) => Promise<Frame> }): Promise<Frame>
  /** Appends as a contributor. */
  contribute(...events: readonly Draft[]): Promise<void>
  types(): Promise<string[]>
}

const { assembled, requested, replied } = facts

/** The handlers that a test does not replace: contexts are assembled, models answer. */
const defaultHandlers: { readonly [K in Effect['kind']]?: EffectHandler } = {
  assemble(outbox) {
    outbox.put([assembled()], 'intended')
    return 'begun'
  },
  'call-model'(outbox) {
    outbox.put([requested()], 'intended')
    outbox.put([replied('Hello.')], 'happened')
    return 'begun'
  },
}

/** A thread whose run has just been started, and everything to drive it. */
export async function setUpDriver(options: FixtureOptions = {}): Promise<DriverFixture> {
  const inner = memoryJournal()
  const clock = manualClock()
  const [started, run] = facts.started()
  const first = options.start ?? [started as Draft, run as Draft]
  await inner.append('t', { id: 'start', incarnation: 't', expected: 0, time: 0, events: first, summary: { status: 'running' } })
  const seen = { performed: [] as Effect['kind'][], aborts: [] as string[], committed: [] as string[][], batches: [] as Batch[] }
  let watchers = 0
  let current: Outbox | undefined
  let contributions = 0
  const counted: Journal = {
    ...inner,
    append(thread, batch) {
      seen.batches.push(batch)
      return inner.append(thread, batch)
    },
    watch(thread, hint) {
      watchers += 1
      const unwatch = inner.watch(thread, hint)
      return () => {
        watchers -= 1
        unwatch()
      }
    },
  }
  const journal: Journal = { ...counted, ...options.journal?.(counted) }
  const performer = (outbox: Outbox): Performer => {
    current = outbox
    return {
      perform(effect) {
        seen.performed.push(effect.kind)
        return (options.handlers?.[effect.kind] ?? defaultHandlers[effect.kind])?.(outbox, effect) ?? 'settled'
      },
      abort: (reason) => void seen.aborts.push(reason),
      idle: options.idle ?? (async () => {}),
    }
  }
  return {
    journal: inner,
    clock,
    ...seen,
    watchers: () => watchers,
    outbox: () => current as Outbox,
    async drive(more = {}) {
      const frame = await storedFrame(inner, 't')
      const { epoch } = await inner.acquire('t', { worker: 'w', incarnation: 't', seen: frame.epoch, force: true })
      const opening: Draft[] = [{ type: 'driver.acquired', data: { epoch, worker: 'w' } }]
      const committed = (events: readonly LoomEvent[]): void => void seen.committed.push(events.map(({ type }) => type))
      return tt(frame, { journal, clock, performer, epoch, opening, committed, ...more })
    },
    async contribute(...events) {
      const { seq, run: active, turn } = await storedFrame(inner, 't')
      contributions += 1
      const batch = {
        id: `c${contributions}`,
        incarnation: 't',
        expected: seq,
        time: 0,
        run: active?.id,
        turn,
        events,
        summary: { status: 'running' as const },
      }
      if ((await inner.append('t', batch)).kind !== 'appended') throw new Error('The contributor was too slow.')
    },
    types: async () => (await inner.read('t')).map(({ type }) => type),
  }
}

/** Lets everything that is ready happen. */
export const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
