/** What a model was sent and how its runs ended, in a form that two trials can be compared in. */
import { fold, items, type Json, type LoomEvent } from '@loom-agent/kernel'
import { placeText } from './effect-log.ts'

/** One message of a thread's history. */
export interface TranscriptLine {
  readonly origin: string
  readonly text: string
  /** For a message of results: each by its call. */
  readonly results?: ReadonlyMap<string, string>
}

/** A thread as it was in the end. */
export interface Transcript {
  /** The thread. */
  readonly thread: string
  /** Where the thread comes from: the same in every trial. */
  readonly path: string
  /** The messages of its history, in order. */
  readonly lines: readonly TranscriptLine[]
  /** How each run ended. */
  readonly endings: readonly string[]
  /** Calls and steps that were in doubt, and calls whose outcome is unknown. */
  readonly doubts: ReadonlySet<string>
  /** Calls that were open when a stop came: their result depends on the moment. */
  readonly overtaken: ReadonlySet<string>
}

/** The transcript of a thread. Ids of providers are replaced by the order in which they appear. */
export function transcriptOf({ thread, path, events }: { thread: string; path: string; events: readonly LoomEvent[] }): Transcript {
  const aliases = new Map<string, string>()
  const alias = (id: string): string => {
    const known = aliases.get(id) ?? `#${aliases.size + 1}`
    aliases.set(id, known)
    return known
  }
  // What a stop keeps of a reply is what was streamed by then: it depends on the moment, and is lost with the process that had called the model.
  const stops = new Set(events.flatMap(({ type, seq }) => (type === 'run.stopped' ? [seq] : [])))
  const history = [...items(fold(thread, events).history)].filter(({ origin, seq }) => origin !== 'reply' || !stops.has(seq))
  const lines = history.map(({ origin, message }): TranscriptLine => {
    if (message.role !== 'tool') {
      const parts = message.parts.map((part) => (part.type === 'call' ? { ...part, id: alias(part.id), serial: undefined } : part))
      return { origin, text: JSON.stringify([message.role, parts]) }
    }
    const results = new Map(message.results.map(({ call, name, output }) => [call, JSON.stringify([name, output])]))
    return { origin, text: message.results.map(({ call, id }) => `${call} ${alias(id)}`).join(', '), results }
  })
  return { thread, path, lines, endings: endingsOf(events), ...doubtsOf(thread, events) }
}

/** The last end of each run, in the order of the runs. */
function endingsOf(events: readonly LoomEvent[]): readonly string[] {
  const ends = new Map<string, string>()
  for (const event of events) {
    const run = event.run ?? ''
    if (event.type === 'run.started') ends.set(run, `${run} has no end`)
    if (event.type === 'run.finished') ends.set(run, `${run} finished ${JSON.stringify(event.data.output ?? null)}`)
    if (event.type === 'run.failed') ends.set(run, `${run} failed ${event.data.error.code}`)
    if (event.type === 'run.stopped') ends.set(run, `${run} stopped ${event.data.kind}`)
  }
  return [...ends.values()]
}

function doubtsOf(thread: string, events: readonly LoomEvent[]): Pick<Transcript, 'doubts' | 'overtaken'> {
  const doubts = new Set<string>()
  const overtaken = new Set<string>()
  let stopped = false
  for (const { type, data } of events) {
    if (type === 'run.started') stopped = false
    if (type === 'run.stop-requested') stopped = true
    if (type === 'tool.in-doubt') doubts.add(placeText({ thread, call: data.call, ...(data.key !== undefined && { step: data.key }) }))
    if (type !== 'tool.finished') continue
    if (data.errorType === 'outcome-unknown') doubts.add(placeText({ thread, call: data.call }))
    if (stopped) overtaken.add(placeText({ thread, call: data.call }))
  }
  return { doubts, overtaken }
}

/** The first place where two transcripts differ. */
export interface TranscriptDifference {
  readonly kind: 'transcript' | 'ending'
  readonly message: string
  /** Whether a call with an unresolved outcome came before: what follows may be different. */
  readonly excused: boolean
}

/** The first difference to the transcript of the uninterrupted run; `unresolved` are the calls whose outcome is unknown. */
export function differenceOf(expected: Transcript, actual: Transcript, unresolved: ReadonlySet<string>): TranscriptDifference | undefined {
  let excused = false
  for (let index = 0; index < Math.max(expected.lines.length, actual.lines.length); index += 1) {
    const [before, now] = [expected.lines[index], actual.lines[index]]
    const open = [...(now?.results?.keys() ?? [])].filter((call) => unresolved.has(call))
    if (!isSameLine(before, now, open)) {
      return { kind: 'transcript', excused, message: `line ${index + 1} is ${shown(now)}, and it was ${shown(before)} in the uninterrupted run` }
    }
    excused ||= open.some((call) => before?.results?.get(call) !== now?.results?.get(call))
  }
  if (JSON.stringify(expected.endings) === JSON.stringify(actual.endings)) return undefined
  return { kind: 'ending', excused, message: `it ended with ${actual.endings.join('; ') || 'nothing'}, and not with ${expected.endings.join('; ')}` }
}

function isSameLine(expected: TranscriptLine | undefined, actual: TranscriptLine | undefined, open: readonly string[]): boolean {
  if (!expected || !actual || expected.origin !== actual.origin || expected.text !== actual.text) return false
  if (!expected.results || !actual.results) return expected.results === actual.results
  for (const [call, result] of expected.results) if (actual.results.get(call) !== result && !open.includes(call)) return false
  return true
}

function shown(line: TranscriptLine | undefined): string {
  if (!line) return 'missing'
  const results: Json = Object.fromEntries(line.results ?? [])
  const text = line.results ? JSON.stringify(results) : line.text
  return `${line.origin} ${text.length > 300 ? `${text.slice(0, 300)}...` : text}`
}
