/** Where a replay leaves the record: the step, both values, and what to do. */
import type { Json, LoomEvent } from '@loom-agent/kernel'
import { adviceFor } from './advice.ts'

const meant = 'If the change is meant, run the test with LOOM_ACCEPT=1 and review the fixture.'
const refused =
  'It was not accepted: the run takes another path with the recorded replies. If the change is meant, record the run again with writeRegression.'

/** What a divergence is made of. */
export interface DivergenceOptions {
  /** Where: `turn 2, call 2.0, tool.started.input.sum`. */
  readonly step: string
  readonly recorded: unknown
  readonly replayed: unknown
  readonly advice: string
  /** What to do when the change is meant. */
  readonly whenMeant?: string
}

/** The agent does not do any more what it did when the fixture was recorded. */
export class RunDivergence extends Error {
  /** Always `RunDivergence`. */
  override readonly name: string = 'RunDivergence'
  /** Where: `turn 2, call 2.0, tool.started.input.sum`. */
  readonly step: string
  /** What the fixture has there. */
  readonly recorded: unknown
  /** What the replay has there. */
  readonly replayed: unknown
  /** What to look at. */
  readonly advice: string
  constructor({ step, recorded, replayed, advice, whenMeant = meant }: DivergenceOptions) {
    super(`The run is not the same any more: ${differenceText({ step, recorded, replayed, advice })} ${whenMeant}`)
    this.step = step
    this.recorded = recorded
    this.replayed = replayed
    this.advice = advice
  }
}

/** The step, both values and what to look at. */
export function differenceText({ step, recorded, replayed, advice }: DivergenceOptions): string {
  const [before, now] = shownBoth(textOf(recorded), textOf(replayed))
  return `${step}\n  recorded: ${before}\n  now:      ${now}\n${advice}`
}

/** A divergence of a test that accepts changes. */
export function notAcceptable({ step, recorded, replayed, advice }: RunDivergence): RunDivergence {
  return new RunDivergence({ step, recorded, replayed, advice, whenMeant: refused })
}

/** Characters of a value that a message shows, and how many of them come before the first difference. */
const [longest, lead] = [1000, 100]

/** A value as a message shows it. */
export const textOf = (value: unknown): string => (value === undefined ? 'nothing' : (JSON.stringify(value) ?? String(value)))

/** Both texts; of long ones the part where they differ first. */
export function shownBoth(recorded: string, replayed: string): readonly string[] {
  const texts = [recorded, replayed]
  if (texts.every(({ length }) => length <= longest)) return texts
  let same = 0
  while (same < recorded.length && recorded[same] === replayed[same]) same += 1
  const start = Math.max(0, same - lead)
  return texts.map((text) => {
    const end = Math.min(text.length, start + longest)
    const place = `(from character ${start + 1} of ${text.length})`
    return `${start > 0 ? '...' : ''}${text.slice(start, end)}${end < text.length ? '...' : ''} ${place}`
  })
}

/** Where something is, in words that people use. */
export interface Place {
  /** Whose child the thread is; empty for the thread itself. */
  readonly of: string
  readonly event: LoomEvent
  readonly track: string
}

const ofRuns: ReadonlySet<LoomEvent['type']> = new Set(['run.started', 'run.queued', 'thread.started'])

/** The name of a step; `path` leads into the event. */
export function stepOf({ of, event, track }: Place, path: string): string {
  const { run, turn, type } = event
  const isOfRun = turn === undefined || ofRuns.has(type)
  const where = isOfRun ? (run === undefined ? [] : [`run ${run}`]) : [`turn ${turn}`]
  const call = track === 'run' ? [] : [`call ${track}`]
  return [...(of === '' ? [] : [of]), ...where, ...call, path === '' ? type : `${type}.${path}`].join(', ')
}

/** The recorded event and what came instead, which differ at a path. */
export function differs(
  place: Place,
  found: { readonly path: string; readonly recorded: Json | undefined; readonly replayed: Json | undefined },
  advice: string = adviceFor(place.event.type, found.path),
): RunDivergence {
  const { path, recorded, replayed } = found
  return new RunDivergence({ step: stepOf(place, path), recorded, replayed, advice })
}
