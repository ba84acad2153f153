/** Flame graphs for speedscope: of time, of tokens and of money. */
import type { Columns, Span } from '../span/columns.ts'
import { type Track, tracksOf } from './nested.ts'

/** A file that speedscope opens. */
export interface SpeedscopeFile {
  readonly $schema: 'https://www.speedscope.app/file-format-schema.json'
  readonly name: string
  readonly exporter: string
  readonly activeProfileIndex: number
  readonly shared: { readonly frames: readonly { readonly name: string }[] }
  readonly profiles: readonly SpeedscopeProfile[]
}

/** One flame graph: opens and closes of frames, which balance like brackets. */
export interface SpeedscopeProfile {
  readonly type: 'evented'
  readonly name: string
  readonly unit: 'microseconds' | 'none'
  readonly startValue: number
  readonly endValue: number
  readonly events: readonly { readonly type: 'O' | 'C'; readonly frame: number; readonly at: number }[]
}

/** What a frame is called. */
const frameName = ({ kind, name }: Span): string => (kind === 'turn' || kind === 'context' ? kind : `${kind} ${name}`)

/** The spans of a thread for speedscope: a flame graph of time for each track, and one each of tokens and of cost. */
export function speedscopeOf(columns: Columns, given: { readonly name: string; readonly version?: string }): SpeedscopeFile {
  const frames: { name: string }[] = []
  const places = new Map<string, number>()
  const frameOf = (span: Span): number => {
    const name = frameName(span)
    const place = places.get(name) ?? frames.push({ name }) - 1
    places.set(name, place)
    return place
  }
  const tracks = tracksOf(columns)
  const amounts = [
    amountProfile('tokens', tracks[0], { frameOf, amount: ({ input, output }) => input + output }),
    amountProfile('cost in micro-units', tracks[0], { frameOf, amount: ({ cost = 0 }) => cost }),
  ]
  return {
    $schema: 'https://www.speedscope.app/file-format-schema.json',
    name: given.name,
    exporter: `loom ${given.version ?? ''}`.trim(),
    activeProfileIndex: 0,
    shared: { frames },
    profiles: [...tracks.map((track) => timeProfile(track, frameOf)), ...amounts.filter(({ endValue }) => endValue > 0)],
  }
}

function timeProfile({ lane, spans }: Track, frameOf: (span: Span) => number): SpeedscopeProfile {
  const events: SpeedscopeProfile['events'][number][] = []
  const open: { frame: number; to: number }[] = []
  const closeUntil = (time: number): void => {
    for (let top = open.at(-1); top && top.to <= time; top = open.at(-1)) {
      events.push({ type: 'C', frame: top.frame, at: top.to })
      open.pop()
    }
  }
  for (const { span, from, to } of spans) {
    closeUntil(from)
    const frame = frameOf(span)
    events.push({ type: 'O', frame, at: from })
    open.push({ frame, to })
  }
  closeUntil(Number.POSITIVE_INFINITY)
  const name = lane === 0 ? 'thread' : `calls, lane ${lane}`
  return { type: 'evented', name, unit: 'microseconds', startValue: events[0]?.at ?? 0, endValue: events.at(-1)?.at ?? 0, events }
}

/** Instead of time, frames are as wide as what was used within them. */
function amountProfile(
  name: string,
  track: Track | undefined,
  { frameOf, amount }: { frameOf: (span: Span) => number; amount: (span: Span) => number },
): SpeedscopeProfile {
  const events: SpeedscopeProfile['events'][number][] = []
  const open: { frame: number; index: number }[] = []
  let at = 0
  for (const { span } of track?.spans ?? []) {
    for (let top = open.at(-1); top && top.index !== span.parent; top = open.at(-1)) {
      events.push({ type: 'C', frame: top.frame, at })
      open.pop()
    }
    const frame = frameOf(span)
    events.push({ type: 'O', frame, at })
    open.push({ frame, index: span.index })
    at += amount(span)
  }
  for (const { frame } of open.reverse()) events.push({ type: 'C', frame, at })
  return { type: 'evented', name, unit: 'none', startValue: 0, endValue: at, events }
}
