/** The handle of a run: how it begins, and what can be done with it from here. */
import { type Draft, type Frame, isOver, LoomError } from '@loom-agent/kernel'
import type { RunEvent, RunHandle } from '../agent-type.ts'
import { textMessage } from '../input.ts'
import { beginning, type LaunchRequest, resumption } from './begin.ts'
import type { DriveOptions, Runtime } from './drive.ts'
import { fail, giveAnswer, notice, occupied, type Pursuit, pursue, speak } from './pursuit.ts'
import type { Resident } from './resident.ts'
import { createSettlement } from './settlement.ts'
import { textsOf } from './texts.ts'
import { createViewer } from './viewer.ts'
import { visit } from './visit.ts'
import { listen } from './world.ts'

/** Starts or resumes a run; answers its handle at once. */
export function launch(runtime: Runtime, request: LaunchRequest): RunHandle<unknown> {
  const pursuit = createPursuit(runtime, request)
  const { settlement } = pursuit
  const { thread } = request
  const begun = begin(pursuit).catch((error: unknown) => fail(pursuit, error))
  /** Does something that moves a run on which may have been at rest. */
  const move = async (work: () => Promise<void>, wake: DriveOptions): Promise<void> => {
    await begun
    await occupied(pursuit, work)
    settlement.reopen()
    void pursue(pursuit, wake)
  }
  const whileActive = (draft: Draft) => speak(pursuit, thread, (frame) => (frame.run && !isOver(frame.run) ? [draft] : []))
  return {
    thread,
    events: ({ from, nested = false } = {}) => view(pursuit, { begun, from, nested }),
    text: () => textsOf(view(pursuit, { begun, from: undefined, nested: false })),
    result: () => settlement.result(),
    answer: (questionId, answer) => move(() => giveAnswer(pursuit, questionId, answer), { force: true }),
    async steer(input, { priority, by } = {}) {
      const data = { message: textMessage(input), ...(priority !== undefined && { priority }), ...(by !== undefined && { by }) }
      await begun
      await speak(pursuit, thread, () => [{ type: 'message.steered', data }])
    },
    async pause({ by } = {}) {
      await begun
      await whileActive({ type: 'run.pause-requested', data: by === undefined ? {} : { by } })
    },
    stop: (reason = 'Stopped by the caller.', { by } = {}) =>
      move(() => whileActive({ type: 'run.stop-requested', data: { reason, ...(by !== undefined && { by }) } }), {}),
  }
}

function createPursuit(runtime: Runtime, request: LaunchRequest): Pursuit {
  return {
    runtime,
    request,
    settlement: createSettlement(),
    viewers: new Set(),
    asked: new Set(),
    run: undefined,
    from: 1,
    seen: 0,
    busy: 0,
    following: false,
    close: () => {},
  }
}

async function begin(pursuit: Pursuit): Promise<void> {
  const { runtime, request } = pursuit
  const { world } = runtime
  const { thread, options } = request
  const resident = request.fresh ? world.residents.fresh(thread) : await world.residents.load(thread)
  pursuit.from = resident.frame.seq + 1
  const wake = await announce(pursuit, resident)
  const { deps, model, tools } = options
  if (deps !== undefined || model !== undefined || tools !== undefined) {
    const given = { ...(deps !== undefined && { deps }), ...(model !== undefined && { model }), ...(tools !== undefined && { tools }) }
    world.overrides.set(`${thread}/${pursuit.run}`, given)
  }
  const unlisten = listen(world, thread, (frame) => notice(pursuit, frame))
  const onAbort = (): void => void stopByEvent(pursuit)
  options.signal?.addEventListener('abort', onAbort, { once: true })
  pursuit.close = () => {
    unlisten()
    options.signal?.removeEventListener('abort', onAbort)
  }
  pursuit.seen = resident.frame.seq
  if (wake) void pursue(pursuit, wake)
  else notice(pursuit, resident.frame)
}

/** Says what the start or the resumption has to say; answers how to drive. */
async function announce(pursuit: Pursuit, resident: Resident): Promise<DriveOptions | undefined> {
  const { runtime, request } = pursuit
  const { journal, ports } = runtime.world
  let wake: DriveOptions | undefined = {}
  await visit({ journal, clock: ports.clock, ids: ports.ids }, resident, (frame) => {
    if (request.messages) {
      const { run, drafts } = beginning(runtime, request, frame)
      pursuit.run = run
      if (drafts.length === 0) wake = { force: true }
      return drafts
    }
    const { run, drafts, drive } = resumption(runtime, request, frame)
    pursuit.run = run
    wake = drive
    return drafts
  })
  return wake
}

async function stopByEvent(pursuit: Pursuit): Promise<void> {
  const isOurs = (frame: Frame): boolean => frame.run !== undefined && frame.run.id === pursuit.run && !isOver(frame.run)
  const stop: Draft = { type: 'run.stop-requested', data: { reason: 'The signal was aborted.' } }
  try {
    await occupied(pursuit, () => speak(pursuit, pursuit.request.thread, (frame) => (isOurs(frame) ? [stop] : [])))
    pursuit.settlement.reopen()
    await pursue(pursuit, {})
  } catch (error) {
    fail(pursuit, error)
  }
}

interface ViewRequest {
  readonly begun: Promise<void>
  readonly from: number | undefined
  readonly nested: boolean
}

function view(pursuit: Pursuit, { begun, from, nested }: ViewRequest): AsyncIterableIterator<RunEvent> {
  const { runtime, request, viewers, settlement } = pursuit
  const { journal, hub } = runtime.world
  if (from !== undefined && !(Number.isInteger(from) && from > 0)) {
    throw new LoomError('LOOM_OPTION_INVALID', `events: from is ${from}. Give a seq; they are counted from 1.`)
  }
  const viewer = createViewer(journal, request.thread, () => {
    unsubscribe()
    viewers.delete(viewer)
  })
  const unsubscribe = hub.subscribe(request.thread, { viewer, nested })
  viewers.add(viewer)
  void begun.then(() => {
    viewer.start(from ?? pursuit.from)
    viewer.hint(pursuit.seen)
    if (settlement.isSettled()) viewer.end(pursuit.seen)
  })
  return viewer
}
