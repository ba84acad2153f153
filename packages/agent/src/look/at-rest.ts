/** When a thread is at rest: nothing moves it on but an answer, a signal, a time, a caller or a new input. */
import { type Frame, type Incarnation, isAtRest, isOver } from '@loom-agent/kernel'
import { resultOf } from '../run/result-of.ts'
import type { ViewSource } from '../stream/thread-view.ts'
import { isShortSleep } from '../thread/short-sleep.ts'

/** Milliseconds between two looks: a child that begins to wait leaves nothing new in its parent's journal. */
const lookAgain = 1000

/** Calls `rests` once, with the last seq of the thread at rest, or `failed`. Returns the function that ends the looking. */
export function whenAtRest(source: ViewSource, thread: string, { rests, failed }: RestListener): () => void {
  const { journal, ports } = source
  const { clock } = ports
  let incarnation: Incarnation | undefined
  let isEnded = false
  let isLooking = false
  let isStale = false
  let seen: number | undefined
  let cancel = (): void => {}
  const end = (): void => {
    if (isEnded) return
    isEnded = true
    unwatch()
    cancel()
  }
  const lookOnce = async (): Promise<void> => {
    isStale = false
    const { frame } = await source.threads.load(thread, incarnation)
    if (frame.seq > 0) incarnation = frame.incarnation
    // Nothing moves a copy on that is not whole: looked at where nothing came since the look before.
    const isStill = seen === frame.seq
    seen = frame.seq
    const isRest = (await isResting(source, frame)) || (isStill && (await journal.head(thread))?.summary.status === 'partial')
    if (!isRest || isEnded) return
    end()
    rests(frame.seq)
  }
  const look = async (): Promise<void> => {
    cancel()
    isStale = true
    if (isLooking || isEnded) return
    isLooking = true
    try {
      while (isStale && !isEnded) await lookOnce()
    } catch (error) {
      end()
      failed(error)
    }
    isLooking = false
    if (!isEnded) cancel = clock.at(clock.now() + lookAgain, () => void look())
  }
  const unwatch = journal.watch(thread, () => void look())
  void look()
  return end
}

/** Called when a thread is at rest, or when that is not known. */
interface RestListener {
  readonly rests: (seq: number) => void
  readonly failed: (error: unknown) => void
}

/** The same rule as for the result of a run (RUN-1): a run that sleeps for a moment, or whose child works, is not at rest. */
async function isResting({ threads, ports }: ViewSource, frame: Frame): Promise<boolean> {
  const { run, queue } = frame
  if (!run || isOver(run)) return queue.length === 0
  if (run.status !== 'suspended' || !isAtRest(frame)) return false
  if (isShortSleep(frame, run, ports.clock.now())) return false
  return (await resultOf(frame, run, { threads })) !== undefined
}
