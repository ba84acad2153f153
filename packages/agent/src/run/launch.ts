/** A run under way: its handle, from the first word to the result. */
import { type Draft, type Frame, isOver, LoomError, type Run } from '@loom-agent/kernel'
import type { RunEvent, RunHandle } from '../agent-type.ts'
import type { SignedAnswer } from '../human/answer.ts'
import { answerDrafts, checkResponse } from '../human/give-answer.ts'
import { parseQuestionId, questionsOf } from '../human/question.ts'
import { textMessage } from '../input.ts'
import { beginning, type LaunchRequest, resumption } from './begin.ts'
import { type DriveOptions, drive, type Runtime } from './drive.ts'
import type { Resident } from './resident.ts'
import type { Result } from './result.ts'
import { resultOf } from './result-of.ts'
import { createSettlement, type Settlement } from './settlement.ts'
import { textsOf } from './texts.ts'
import { createViewer, type Viewer } from './viewer.ts'
import { visit } from './visit.ts'
import { follow, isAtRest, listen } from './world.ts'

export type { LaunchRequest }

/** A sleep shorter than this is slept here; a longer one makes the run `waiting`. */
const linger = 60_000

interface Launched {
  readonly runtime: Runtime
  readonly request: LaunchRequest
  readonly settlement: Settlement
  readonly viewers: Set<Viewer>
  readonly asked: Set<string>
  run: string | undefined
  from: number
  resolving: number
  close: () => void
}

/** Starts or resumes a run; answers its handle at once. */
export function launch(runtime: Runtime, request: LaunchRequest): RunHandle<unknown> {
  const launched: Launched = {
    runtime,
    request,
    settlement: createSettlement(),
    viewers: new Set(),
    asked: new Set(),
    run: undefined,
    from: 1,
    resolving: 0,
    close: () => {},
  }
  const begun = begin(launched).catch((error: unknown) => fail(launched, error))
  const { thread } = request
  const say = async (drafts: (frame: Frame) => readonly Draft[], wake: DriveOptions | undefined): Promise<void> => {
    await begun
    await speak(launched, thread, drafts)
    if (wake) void pursue(launched, wake)
  }
  const active =
    (draft: Draft) =>
    (frame: Frame): readonly Draft[] =>
      frame.run && !isOver(frame.run) ? [draft] : []
  return {
    thread,
    events: ({ from, nested = false } = {}) => events(launched, { begun, from, nested }),
    text: () => textsOf(events(launched, { begun, from: undefined, nested: false })),
    result: () => launched.settlement.result(),
    answer: async (questionId, answer) => {
      await begun
      await giveAnswer(launched, questionId, answer)
      void pursue(launched, { force: true })
    },
    steer: (input, { priority, by } = {}) => {
      const data = { message: textMessage(input), ...(priority !== undefined && { priority }), ...(by !== undefined && { by }) }
      return say(() => [{ type: 'message.steered', data }], undefined)
    },
    pause: ({ by } = {}) => say(active({ type: 'run.pause-requested', data: by === undefined ? {} : { by } }), undefined),
    stop: (reason = 'Stopped by the caller.', { by } = {}) =>
      say(active({ type: 'run.stop-requested', data: { reason, ...(by !== undefined && { by }) } }), {}),
  }
}

async function begin(launched: Launched): Promise<void> {
  const { runtime, request } = launched
  const { world } = runtime
  const { thread, options } = request
  const resident = request.fresh ? world.residents.fresh(thread) : await world.residents.load(thread)
  launched.from = resident.frame.seq + 1
  const wake = await announce(launched, resident)
  const key = `${thread}/${launched.run}`
  const { deps, model, tools } = options
  if (deps !== undefined || model !== undefined || tools !== undefined) {
    world.overrides.set(key, {
      ...(deps !== undefined && { deps }),
      ...(model !== undefined && { model }),
      ...(tools !== undefined && { tools }),
    })
  }
  const unlisten = listen(world, thread, (frame) => notice(launched, frame))
  const onAbort = (): void => void stopFor(launched)
  options.signal?.addEventListener('abort', onAbort, { once: true })
  launched.close = () => {
    unlisten()
    options.signal?.removeEventListener('abort', onAbort)
  }
  for (const viewer of launched.viewers) viewer.start(launched.from)
  if (wake) void pursue(launched, wake)
  else notice(launched, resident.frame)
}

/** Says what the start or the resumption has to say; answers how to drive. */
async function announce(launched: Launched, resident: Resident): Promise<DriveOptions | undefined> {
  const { runtime, request } = launched
  const { world } = runtime
  const visitor = { journal: world.journal, clock: world.ports.clock, ids: world.ports.ids }
  let wake: DriveOptions | undefined = {}
  await visit(visitor, resident, (frame) => {
    if (request.messages) {
      const { run, drafts } = beginning(runtime, request, frame)
      launched.run = run
      if (drafts.length === 0) wake = { force: true }
      return drafts
    }
    const { run, drafts, drive: how } = resumption(runtime, request, frame)
    launched.run = run
    wake = how
    return drafts
  })
  return wake
}

const stopFor = async (launched: Launched): Promise<void> => {
  const reason = 'The signal was aborted.'
  try {
    await speak(launched, launched.request.thread, (frame) =>
      frame.run && frame.run.id === launched.run && !isOver(frame.run) ? [{ type: 'run.stop-requested', data: { reason } }] : [],
    )
    await pursue(launched, {})
  } catch (error) {
    fail(launched, error)
  }
}

async function speak({ runtime }: Launched, thread: string, say: (frame: Frame) => readonly Draft[]): Promise<void> {
  const { world } = runtime
  const resident = await world.residents.load(thread)
  await visit({ journal: world.journal, clock: world.ports.clock, ids: world.ports.ids }, resident, say)
}

async function giveAnswer(launched: Launched, questionId: string, answer: SignedAnswer): Promise<void> {
  const { thread, local } = parseQuestionId(questionId)
  const { frame } = await launched.runtime.world.residents.load(thread)
  await checkResponse(frame, local, answer)
  await speak(launched, thread, (current) => answerDrafts(current, local, answer))
  launched.settlement.reopen()
}

/** Drives the thread, or follows whoever does, until the run is at rest. */
async function pursue(launched: Launched, options: DriveOptions): Promise<void> {
  const { runtime, request, settlement } = launched
  try {
    const driven = await drive(runtime, request.thread, options)
    if (driven.kind === 'rests') return notice(launched, driven.frame)
    notice(launched, driven.frame)
    if (settlement.isSettled()) return
    await follow(runtime.world, driven.frame, {
      frame: (frame, events) => {
        for (const event of events) for (const viewer of launched.viewers) viewer.push(event)
        notice(launched, frame)
      },
      until: () => settlement.isSettled(),
      stopped: settlement.settled(),
    })
  } catch (error) {
    fail(launched, error)
  }
}

/** Looks at a frame: are there questions for us, and is the run at rest? */
function notice(launched: Launched, frame: Frame): void {
  if (launched.settlement.isSettled()) return
  consult(launched, frame)
  const { run } = frame
  if (launched.run === undefined || !run || !isAtRest(frame, launched.run) || launched.resolving > 0) return
  if (run.status === 'suspended' && sleepsShortly(launched, run)) return
  void settle(launched, frame, run)
}

async function settle(launched: Launched, frame: Frame, run: Run): Promise<void> {
  const { runtime, settlement, viewers } = launched
  if (!settlement.take()) return
  try {
    const result = (await resultOf(frame, run, runtime.world.residents)) as Result<unknown>
    if (isOver(run)) {
      launched.close()
      runtime.world.overrides.delete(`${frame.thread}/${run.id}`)
    }
    settlement.give(result)
    for (const viewer of viewers) viewer.end(frame.seq)
  } catch (error) {
    fail(launched, error)
  }
}

/** A run that only sleeps for a moment is not at rest for whoever waits for it. */
function sleepsShortly(launched: Launched, { until }: Run): boolean {
  const { clock } = launched.runtime.world.ports
  if (until === undefined || until - clock.now() > linger) return false
  clock.at(until, () => void pursue(launched, { force: true }))
  return true
}

/** Hands new questions to whoever answers in process. */
function consult(launched: Launched, frame: Frame): void {
  const { runtime, request, asked } = launched
  const resolver = request.options.onQuestion ?? runtime.onQuestion
  if (!resolver) return
  for (const question of questionsOf(frame)) {
    if (asked.has(question.id)) continue
    asked.add(question.id)
    launched.resolving += 1
    void (async () => {
      try {
        const answer = await resolver(question)
        if (answer) await giveAnswer(launched, question.id, answer)
        launched.resolving -= 1
        await pursue(launched, answer ? { force: true } : {})
      } catch (error) {
        launched.resolving -= 1
        fail(launched, error)
      }
    })()
  }
}

function fail(launched: Launched, error: unknown): void {
  launched.close()
  launched.settlement.fail(error)
  for (const viewer of launched.viewers) viewer.fail(error)
}

interface EventsRequest {
  readonly begun: Promise<void>
  readonly from: number | undefined
  readonly nested: boolean
}

function events(launched: Launched, { begun, from, nested }: EventsRequest): AsyncIterableIterator<RunEvent> {
  const { runtime, request, viewers, settlement } = launched
  const { world } = runtime
  if (from !== undefined && !(Number.isInteger(from) && from > 0))
    throw new LoomError('LOOM_OPTION_INVALID', `events: from is ${from}. Seqs are counted from 1.`)
  const viewer = createViewer(world.journal, request.thread, () => {
    unsubscribe()
    viewers.delete(viewer)
  })
  const unsubscribe = world.hub.subscribe(request.thread, { viewer, nested })
  viewers.add(viewer)
  void begun.then(async () => {
    const head = await world.journal.head(request.thread)
    viewer.start(from ?? launched.from)
    viewer.hint(head?.seq ?? 0)
    if (settlement.isSettled()) viewer.end(head?.seq ?? 0)
  })
  return viewer
}
