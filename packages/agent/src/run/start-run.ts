/** The handle of a run: how it begins, and what can be done with it from here. */
import { type Draft, isOver, LoomError } from '@loom-agent/kernel'
import type { RunEvent, RunHandle } from '../agent-type.ts'
import { textMessage } from '../types/input.ts'
import { beginning, type LaunchRequest, resumption } from './run-input.ts'
import type { DriveOptions, Runtime } from '../thread/thread-driver.ts'
import { attach, fail, giveAnswer, move, notice, type Pursuit, pursue, speak } from './run-follower.ts'
import type { Resident } from '../thread/thread-cache.ts'
import { createSettlement } from './settlement.ts'
import { textsOf } from './texts.ts'
import { createViewer } from './viewer.ts'
import { visit } from '../thread/append-input.ts'

/** Starts or resumes a run; answers its handle at once. */
export function launch(runtime: Runtime, request: LaunchRequest): RunHandle<unknown> {
  const pursuit = createPursuit(runtime, request)
  const { settlement } = pursuit
  const { thread } = request
  const begun = begin(pursuit).catch((error: unknown) => fail(pursuit, error))
  const whileActive = (draft: Draft) => speak(pursuit, thread, (frame) => (frame.run && !isOver(frame.run) ? [draft] : []))
  return {
    thread,
    events: ({ from, nested = false } = {}) => view(pursuit, { begun, from, nested }),
    text: () => textsOf(view(pursuit, { begun, from: undefined, nested: false })),
    result: () => settlement.result(),
    answer: async (questionId, answer) => {
      await begun
      await move(pursuit, () => giveAnswer(pursuit, questionId, answer), { force: true })
    },
    async steer(input, { priority, by } = {}) {
      const data = { message: textMessage(input), ...(priority !== undefined && { priority: rankOf(priority) }), ...(by !== undefined && { by }) }
      await begun
      await speak(pursuit, thread, () => [{ type: 'message.steered', data }])
    },
    async pause({ by } = {}) {
      await begun
      await whileActive({ type: 'run.pause-requested', data: by === undefined ? {} : { by } })
    },
    async stop(reason = 'Stopped by the caller.', { by } = {}) {
      await begun
      await move(pursuit, () => whileActive({ type: 'run.stop-requested', data: { reason, ...(by !== undefined && { by }) } }), {})
    },
  }
}

/** A priority as it enters an event: JSON has no infinity, and what is no number ranks nowhere. */
function rankOf(priority: number): number {
  if (typeof priority !== 'number' || Number.isNaN(priority))
    throw new LoomError('LOOM_OPTION_INVALID', `steer: priority is ${String(priority)}. Give a number.`)
  return Math.min(Math.max(priority, Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER) + 0
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
    alarm: undefined,
    close: () => {},
  }
}

async function begin(pursuit: Pursuit): Promise<void> {
  const { runtime, request } = pursuit
  const { world } = runtime
  const { thread } = request
  const { resident, letGo } = request.fresh ? world.residents.holdFresh(thread) : await world.residents.hold(thread)
  try {
    await beginIn(pursuit, resident)
  } finally {
    letGo()
  }
}

async function beginIn(pursuit: Pursuit, resident: Resident): Promise<void> {
  const { runtime, request } = pursuit
  const { world } = runtime
  const { thread, options } = request
  pursuit.from = resident.frame.seq + 1
  const wake = await announce(pursuit, resident)
  const { deps, model, tools } = options
  if (deps !== undefined || model !== undefined || tools !== undefined) {
    const given = { ...(deps !== undefined && { deps }), ...(model !== undefined && { model }), ...(tools !== undefined && { tools }) }
    world.overrides.set(`${thread}/${pursuit.run}`, given)
  }
  attach(pursuit)
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
  let detached = false
  let unsubscribe = (): void => {}
  const viewer = createViewer(journal, request.thread, () => {
    detached = true
    unsubscribe()
    viewers.delete(viewer)
  })
  viewers.add(viewer)
  void begun.then(() => {
    viewer.start(from ?? pursuit.from)
    if (!detached) unsubscribe = hub.subscribe(request.thread, { viewer, nested })
    viewer.hint(pursuit.seen)
    if (settlement.isSettled()) viewer.end(pursuit.seen)
  })
  return viewer
}
