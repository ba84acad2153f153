/** Trace events, which Perfetto and the browser's own tools draw. */
import type { Columns } from '../span/columns.ts'
import { tracksOf } from './nested.ts'

/** A file of trace events. */
export interface ChromeTrace {
  readonly displayTimeUnit: 'ms'
  readonly otherData: { readonly [name: string]: string }
  readonly traceEvents: readonly TraceEvent[]
}

/** A slice (`X`), a counter (`C`) or the name of a track (`M`). Times are microseconds. */
export interface TraceEvent {
  readonly ph: 'X' | 'C' | 'M'
  readonly name: string
  readonly pid: number
  readonly tid: number
  readonly ts?: number
  readonly dur?: number
  readonly cat?: string
  readonly args: { readonly [name: string]: string | number }
}

/** The spans of threads as trace events: each thread is a process, each of its tracks a thread of it. */
export function chromeTraceOf(threads: readonly { readonly name: string; readonly columns: Columns }[]): ChromeTrace {
  const base = threads.reduce((first, { columns }) => Math.min(first, columns.base), threads[0]?.columns.base ?? 0)
  const traceEvents = threads.flatMap(({ name, columns }, place): TraceEvent[] => {
    const pid = place + 1
    const offset = (columns.base - base) * 1000
    const events: TraceEvent[] = [{ ph: 'M', name: 'process_name', pid, tid: 0, args: { name } }]
    let cost = 0
    for (const { lane, spans } of tracksOf(columns)) {
      events.push({ ph: 'M', name: 'thread_name', pid, tid: lane, args: { name: lane === 0 ? 'thread' : `calls, lane ${lane}` } })
      for (const { span, from, to } of spans) {
        const { kind, status, input, output, link } = span
        const args = { seq: span.from, status, ...(link !== undefined && { id: link }), ...(input + output > 0 && { input, output }) }
        events.push({ ph: 'X', name: span.name || kind, cat: kind, pid, tid: lane, ts: offset + from, dur: to - from, args })
        if (kind !== 'model') continue
        cost += span.cost ?? 0
        events.push({ ph: 'C', name: 'tokens', pid, tid: 0, ts: offset + to, args: { input, output } })
        events.push({ ph: 'C', name: 'cost', pid, tid: 0, ts: offset + to, args: { microUnits: cost } })
      }
    }
    return events
  })
  return { displayTimeUnit: 'ms', otherData: { exporter: 'loom' }, traceEvents }
}
