/** Stops of threads that nobody drove, and how they are judged: nothing that was lost is run for them. */
import type { Execution, Finding } from '@loom-agent/testing/crash'

/** A stop of a thread that nobody drove: these calls had lost their performer, and this worker must not run them. */
export interface LoneStop {
  readonly thread: string
  readonly process: number
  readonly calls: ReadonlySet<string>
  /** How many executions there were before. */
  readonly after: number
}

/** No call that had lost its performer was run by the worker that was asked to stop its run. */
export function judgeLoneStops(stops: readonly LoneStop[], executions: readonly Execution[]): readonly Finding[] {
  return stops.flatMap(({ thread, process, calls, after }): readonly Finding[] => {
    const run = executions.slice(after).find((one) => one.thread === thread && one.process === process && calls.has(one.call))
    return run ? [{ kind: 'duplicate', at: thread, message: `${run.tool} ${run.call} was lost, and ran again for a stop` }] : []
  })
}
