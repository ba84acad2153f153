/** The runner: takes the calls of a turn through the pipeline, side by side where they may, each to its one result. */
import { type Call, type CallTools, callOf, type Desk, type Draft, isOver, type JsonObject, type Run, type ToolOutcome } from '@loom-agent/kernel'
import { standIn } from './stand-in.ts'
import { messageOf } from '../platform/normalize.ts'
import { passBefore } from './call-hooks.ts'
import { type CallJob, refuse } from './call-job.ts'
import { type Prepared, prepare } from './pipeline.ts'
import { runCall } from './run-call.ts'
import { type CallHand, type CallHands, type RunnerScene, sceneFor } from './call-work.ts'

/** Sees to the calls that must be authorized or executed; what is in hand stays as it is. */
export function seeToCalls(scene: RunnerScene, desk: Desk, { authorize, execute }: CallTools): 'begun' | 'busy' | 'settled' {
  const { hands } = scene
  let begun = false
  const take = (id: string): void => {
    const call = hands.has(id) ? undefined : callOf(desk.frame.run as Run, id)
    if (call) begun = begin(scene, desk, call) || begun
  }
  for (const id of authorize) take(id)
  for (const id of execute) {
    if (!authorize.includes(id)) take(id)
    const hand = hands.get(id)
    if (hand?.stage !== 'ready' || !hand.job) continue
    launch(scene, desk, { hand, job: hand.job })
    begun = true
  }
  if (begun) return 'begun'
  return [...authorize, ...execute].some((id) => hands.has(id) && hands.get(id)?.stage !== 'ready') ? 'busy' : 'settled'
}

/** Gives up all calls in hand. Those that run have their grace; those that have not begun are let go of at once, whoever is still asked about them. */
export function abortCalls(hands: CallHands, reason: string): void {
  for (const [id, hand] of [...hands]) {
    hand.controller.abort(reason)
    if (hand.stage === 'queued') hand.cancel?.()
    if (hand.stage === 'preparing' || hand.stage === 'ready') hands.delete(id)
  }
}

/** Whether a call is on its way through a stage. */
export function isBusy(hands: CallHands): boolean {
  for (const { stage } of hands.values()) if (stage !== 'ready') return true
  return false
}

/** Stages 1 to 4. True when they are done, false when they go on elsewhere. */
function begin(scene: RunnerScene, desk: Desk, call: Call): boolean {
  const { definition, hands } = scene
  const instead = desk.frame.fork && !call.start ? standInFor(scene, desk, call) : undefined
  if (instead) {
    desk.put([{ type: 'tool.finished', data: { call: call.id, ...instead } }], 'intended')
    return true
  }
  const hand: CallHand = { stage: 'preparing', job: undefined, times: {}, controller: new AbortController(), cancel: undefined }
  const { signal } = hand.controller
  hands.set(call.id, hand)
  // The point before a call is passed once something about the call is durable.
  const hooked = definition.hooks.beforeToolExecution !== undefined && !call.start && (!call.answer || call.answer.kind === 'hook')
  const preparing = hooked ? passBefore(scene, desk, { call, signal }) : prepare(call, sceneFor(scene, desk, signal))
  if (!(preparing instanceof Promise)) {
    prepared(scene, desk, { id: call.id, ...preparing })
    return true
  }
  void preparing
    .catch((error: unknown): Prepared => ({ staged: refuse(call, 'hook', messageOf(error)), times: {} }))
    .then((outcome) => {
      prepared(scene, desk, { id: call.id, ...outcome })
      scene.settled()
    })
  return false
}

/** What a call of a fork gets instead of being run; a call that is not even known gets its error like any other. */
function standInFor({ context, recorded }: RunnerScene, { frame }: Desk, call: Call): ToolOutcome | undefined {
  return standIn(frame, recorded, { call, effect: context.toolbox.tools.get(call.part.name)?.effect })
}

function prepared({ hands }: RunnerScene, desk: Desk, { id, staged, times }: Prepared & { readonly id: string }): void {
  const hand = hands.get(id)
  if (!hand) return
  if (staged.kind === 'done') {
    hands.delete(id)
    // The run may have ended meanwhile: then the call has its result already.
    const { run } = desk.frame
    const isOpen = run && run.stop === undefined && callOf(run, id)?.state !== 'settled' && !isOver(run)
    return isOpen ? desk.put(withTimes(staged.drafts, times), 'intended') : undefined
  }
  hand.job = staged.job
  hand.times = times
  hand.stage = 'ready'
}

const withTimes = (drafts: readonly Draft[], stages: JsonObject): readonly Draft[] =>
  Object.keys(stages).length === 0
    ? drafts
    : drafts.map((draft) => (draft.type === 'tool.finished' ? { ...draft, data: { ...draft.data, stages } } : draft))

/** Stages 5 and 6, when the scheduler lets the call in. */
function launch(scene: RunnerScene, desk: Desk, { hand, job }: { hand: CallHand; job: CallJob }): void {
  const { schedule } = job.tool.definition
  const lock = typeof schedule?.lock === 'function' ? job.lock : schedule?.lock
  hand.stage = 'queued'
  const place = scene.scheduler.enter({ priority: schedule?.priority ?? 0, lock }, (leave) => {
    hand.stage = 'running'
    const left = (): void => {
      leave()
      drop(scene, job.call.id)
    }
    void runCall({ scene, desk, job, hand, left }).finally(left)
  })
  hand.cancel = () => {
    place.cancel()
    drop(scene, job.call.id)
  }
}

function drop({ hands, settled }: RunnerScene, id: string): void {
  if (hands.delete(id)) settled()
}
