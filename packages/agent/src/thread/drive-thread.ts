/**
 * Driving a thread: acquire it, drive it for one epoch, and look whether anything was appended meanwhile.
 *
 * RESUME-1. A caller's resume is not dropped because another driver has the thread: that one may still wait for a hook, or for its release. The resume
 *     waits for it, and ends without effect only when another one has resumed the run, or the run has moved on.
 */
import { type Frame, fold, isAtRest, place, summarize } from '@loom-agent/kernel'
import { loadRedaction } from '../platform/redaction.ts'
import { openChildren } from '../question/open-children.ts'
import { sleepUntil } from '../resilience/sleep.ts'
import { requireOwn } from './adoption.ts'
import type { AgentInstance } from './agent-instance.ts'
import { beginDriving, drainingError } from './drain.ts'
import { acquireLease } from './lease.ts'
import { needsResuming } from './needs-resuming.ts'
import type { Driving } from './runtime.ts'
import { type CachedThread, foldNews } from './thread-cache.ts'

/** Why a thread is driven although nothing in it calls for a driver. */
export interface DriveOptions {
  /** Something happened outside the thread: a child was answered, a time has come. */
  readonly force?: boolean
  /** Goes on with a run that was paused or had failed; the cause is recorded. */
  readonly resume?: string
}

/** How driving ended: the thread is at rest, or another driver holds it. */
export type Driven = 'rests' | 'held'

/** How often, and after how many milliseconds, a thread at rest is claimed again from a driver that is about to release it; and a resumed one after that. */
const patience = { tries: 50, ms: 20, later: 500 }

let epochs: typeof import('./drive-epoch.ts') | undefined

/** Loads how an epoch is driven. Loaded before the first one, the rules of the redaction beside it: a process that only looks at threads drives none. */
export async function loadEpochs(): Promise<void> {
  const [loaded] = await Promise.all([import('./drive-epoch.ts'), loadRedaction()])
  epochs = loaded
}

/** Drives a thread until it rests, epoch by epoch. The cached thread is up to date afterwards. */
export async function driveThread(instance: AgentInstance, cached: CachedThread, options: DriveOptions): Promise<Driven> {
  const driving = beginDriving(instance.runtime.drain)
  try {
    if (cached.frame.restoring && !(await filesAreBack(instance, cached))) return 'held'
    return await driveEpochs(instance, cached, { ...options, driving })
  } finally {
    driving.end()
  }
}

async function driveEpochs(instance: AgentInstance, cached: CachedThread, options: DriveOptions & { readonly driving: Driving }): Promise<Driven> {
  const { journal, ports, drain } = instance.runtime
  const { clock } = ports
  const { driving } = options
  let tries = 0
  let { resume } = options
  const run = cached.frame.run?.id
  let force = options.force === true && (await mayMove(instance, cached.frame))
  while (force || resume !== undefined || !isAtRest(cached.frame)) {
    if (!epochs) {
      await loadEpochs()
      continue
    }
    requireOwn(instance, cached.frame)
    // That a run is to be resumed is known to this process alone.
    if (drain.isDraining) throw drainingError(cached.frame.thread, resume === undefined ? 'stored' : 'not stored')
    const lease = await acquireLease(instance.runtime, cached.frame)
    if (!lease) {
      // The holder may be about to release the thread without having seen what this process wants done.
      if (resume === undefined && (!force || tries >= patience.tries)) return 'held'
      tries += 1
      await sleepUntil(clock.now() + (tries > patience.tries ? patience.later : patience.ms), { clock })
      await foldNews(journal, cached)
      force &&= await mayMove(instance, cached.frame)
      if (cached.frame.run?.id !== run || !needsResuming(cached.frame)) resume = undefined
      continue
    }
    if (!(await epochs.driveEpoch(instance, cached, { lease, resume, driving }))) return 'held'
    force = false
    resume = undefined
  }
  return 'rests'
}

/** Puts the files of a fork back before anything else is done on it. False where another driver does it and has not ended in time. */
async function filesAreBack(instance: AgentInstance, cached: CachedThread): Promise<boolean> {
  const { restoreFiles } = await import('./restore-files.ts')
  const { clock } = instance.runtime.ports
  for (let tries = 0; cached.frame.restoring && (await restoreFiles(instance, cached)) === 'held'; tries += 1) {
    if (tries >= patience.tries) return false
    await sleepUntil(clock.now() + patience.ms, { clock })
    await foldNews(instance.runtime.journal, cached)
  }
  return true
}

/**
 * Whether a thread at rest has something to do for a new driver: its time has come, or a child calls for it. Of any other thread a look would leave the
 * driver's acquisition and nothing more.
 */
async function mayMove(instance: AgentInstance, frame: Frame): Promise<boolean> {
  const { thread, seq, epoch } = frame
  const now = instance.runtime.ports.clock.now()
  if ((summarize(frame).wakeAt ?? Number.POSITIVE_INFINITY) <= now) return true
  if (openChildren(frame).length === 0) return false
  const acquired = place({ thread, seq: seq + 1, time: now }, [{ type: 'driver.acquired', data: { epoch: epoch + 1, worker: '' } }])
  if (isAtRest(fold(thread, acquired, frame))) return false
  return (await import('./child-work.ts')).childrenCall(instance, frame)
}
