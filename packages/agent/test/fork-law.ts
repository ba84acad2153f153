/** The law of fork plans: what the plan of a fork says is what happens, in the fork and in its children. */
import { approve, type Edit, type ForkPlan, frameOf, type PlannedCall, type RunHandle } from '@loom-agent/agent'
import { type EventOf, type ForkEffects, items, type LoomEvent } from '@loom-agent/kernel'
import { checkHistory } from '@loom-agent/testing'
import { effectOf, type ForkWorld } from './fork-world.ts'
import { eventsOf } from './journals.ts'

/** A fork to make: where, with which edit, under which effects. */
export interface ForkCase {
  readonly seq: number
  readonly edit: Edit['kind'] | 'none'
  readonly effects: ForkEffects
}

const edits = ['none', 'input', 'result', 'deny', 'instructions', 'model', 'remove-turn'] as const
const policies = ['ask', 'recorded', 'stub', 'live'] as const

/** All forks of a thread of so many events. */
export function allCases(length: number): readonly ForkCase[] {
  const seqs = Array.from({ length }, (_, index) => index + 1)
  return seqs.flatMap((seq) => edits.flatMap((edit) => policies.map((effects) => ({ seq, edit, effects }))))
}

/** The edit of a kind at a moment: of the last call or turn that is there; undefined where nothing can be edited. */
export function editAt(world: ForkWorld, events: readonly LoomEvent[], { seq, edit }: ForkCase): Edit | 'none' | undefined {
  const before = events.slice(0, seq)
  const last = <T>(of: (event: LoomEvent) => T | undefined): T | undefined => before.map(of).findLast((found) => found !== undefined)
  const call = (types: readonly string[]) => last((event) => (types.includes(event.type) && 'call' in event.data ? event.data.call : undefined))
  switch (edit) {
    case 'none':
      return 'none'
    case 'input':
      return { kind: 'input', input: 'Something else.' }
    case 'instructions':
      return { kind: 'instructions', text: 'Be rude.' }
    case 'model':
      return { kind: 'model', model: world.other }
    case 'result': {
      const edited = call(['tool.finished', 'tool.denied'])
      return edited === undefined ? undefined : { kind: 'result', call: edited, result: 'something else' }
    }
    case 'deny': {
      const edited = call(['tool.started', 'tool.finished', 'tool.denied'])
      return edited === undefined ? undefined : { kind: 'deny', call: edited }
    }
    case 'remove-turn': {
      const turn = last(({ type, data }) => (type === 'turn.entered' ? data.turn : undefined))
      return turn === undefined ? undefined : { kind: 'remove-turn', turn }
    }
  }
}

/** A fork that was run to its end, and what is known of it. */
export interface Lived {
  readonly plan: ForkPlan
  readonly thread: string
  readonly cut: number
  /** The fork's own events. */
  readonly own: readonly LoomEvent[]
  /** Calls that are proposed before the cut and not settled by the parent or an edit. */
  readonly open: readonly string[]
  readonly executed: ReadonlySet<string>
  /** Faults of children, of the history, and of the edits. */
  readonly faults: readonly string[]
  /** Whether the parent ended the run that the fork went on with, in the same way. */
  readonly isComparable: boolean
  /** How many turns later the calls of the parent are made in the fork. */
  readonly shift: number
}

/** Makes a fork, goes on with it until it ends, and answers what it asks. */
export async function live(world: ForkWorld, events: readonly LoomEvent[], { seq, effects }: ForkCase, edit: Edit | 'none'): Promise<Lived> {
  const { clerk, executed, model, other, journal } = world
  const before = [executed.length, model.requests.length, other.requests.length] as const
  const options = { thread: `fork of ${seq} ${effects} ${edit === 'none' ? edit : edit.kind}`, effects, limits: { tokens: 1_000_000 } }
  const given = edit === 'none' ? options : { ...options, edit }
  const planned = await clerk.planFork(`t@${seq}`, given)
  const fork = await clerk.fork(`t@${seq}`, given)
  const faults: string[] = JSON.stringify(planned) === JSON.stringify(fork.plan) ? [] : ['The plan of the fork is another one than the plan before.']
  const cut = Number(fork.from.slice(2))
  const { run } = await frameOf(journal, `${fork.thread}@${(await journal.head(fork.thread))?.seq}`)
  const open = run ? [...items(run.calls)].filter(({ state }) => state !== 'settled').map(({ id }) => id) : []
  const goesOn = run !== undefined && run.status !== 'finished' && run.status !== 'stopped'
  if (goesOn) {
    // A run that was about to fail in the parent fails in the fork, and is resumed as it was there.
    const first = await approveAll(fork.resume())
    const status = first === 'failed' ? await approveAll(clerk.resume(fork.thread)) : first
    if (status !== 'done') faults.push(`The fork ended as ${status}.`)
  }
  const own = (await eventsOf(clerk, fork.thread)).slice(cut)
  faults.push(...checkHistory(await eventsOf(clerk, fork.thread)).map(({ rule, message }) => `${rule}: ${message}`))
  faults.push(...(await faultsOfChildren(world, fork.thread, effects)))
  faults.push(...faultsOfEdit(edit, { asked: model.requests.slice(before[1]), other: other.requests.slice(before[2]) }))
  const entered = executed.slice(before[0]).flatMap(({ thread, call }) => (thread === fork.thread ? [call] : []))
  // The body of a call of an agent is Loom's own.
  const proposed = (await eventsOf(clerk, fork.thread)).flatMap((event) => (event.type === 'model.replied' ? partsOf(event) : []))
  const agents = new Set(proposed.flatMap(([call, tool]) => (tool === 'courier' ? [call] : [])))
  const ofAgents = own.flatMap(({ type, data }) => (type === 'tool.started' && agents.has(data.call) ? [data.call] : []))
  const isComparable =
    edit === 'none' && goesOn && events.some(({ type, run: of }, index) => index >= cut && type === 'run.finished' && of === run.id)
  return {
    plan: fork.plan,
    thread: fork.thread,
    cut,
    own,
    open,
    executed: new Set([...entered, ...ofAgents]),
    faults,
    isComparable,
    shift: shiftOf(events, cut, edit),
  }
}

/** The calls of a reply, with their tools. */
function partsOf({ turn, data: { parts } }: EventOf<'model.replied'>): readonly (readonly [call: string, tool: string])[] {
  return parts.flatMap((part) => (part.type === 'call' ? [part] : [])).map(({ name }, index) => [`${turn}.${index}`, name])
}

/** Another input starts another run, which does not go on with a turn that was entered and has no reply yet. */
function shiftOf(events: readonly LoomEvent[], cut: number, edit: Edit | 'none'): number {
  const last = events.slice(0, cut).findLast(({ type }) => type === 'turn.entered' || type === 'model.replied' || type === 'run.started')
  return edit !== 'none' && edit.kind === 'input' && last?.type === 'turn.entered' ? 1 : 0
}

/** Answers everything that a fork and its children ask, until it ends. */
async function approveAll(run: RunHandle): Promise<string> {
  for (let rounds = 0; rounds < 20; rounds += 1) {
    const result = await run.result()
    if (result.status !== 'waiting') return result.status
    for (const { id } of result.questions) await run.answer(id, approve())
  }
  return 'waiting for ever'
}

/** Requests that were made after a fork: to the agent's own model, and to the one of an edit. */
interface Requests {
  readonly asked: ForkWorld['model']['requests']
  readonly other: ForkWorld['model']['requests']
}

function faultsOfEdit(edit: Edit | 'none', { asked, other }: Requests): readonly string[] {
  if (edit === 'none') return []
  if (edit.kind === 'model' && asked.length > 0) return ['The model of the agent replied instead of the other one.']
  const isRude = ({ prompt }: Requests['asked'][number]): boolean => prompt[0]?.content === 'Be rude.'
  return edit.kind === 'instructions' && ![...asked, ...other].every(isRude) ? ['The model was sent other instructions.'] : []
}

/** In the children of a fork, too, nothing changes the world but what its effects allow. */
async function faultsOfChildren({ journal, executed }: ForkWorld, thread: string, effects: ForkEffects): Promise<readonly string[]> {
  const faults: string[] = []
  for (const { thread: child } of await journal.threads({ parent: thread })) {
    const events = await journal.read(child, {})
    faults.push(...checkHistory(events).map(({ rule, message }) => `child: ${rule}: ${message}`))
    const asked = new Set(events.flatMap(({ type, data }) => (type === 'question.asked' ? [data.call] : [])))
    const mails = executed.filter((one) => one.thread === child && one.tool === 'mail')
    const isStubbed = effects === 'stub'
    if (isStubbed && mails.length > 0) faults.push('A child sent mail, and effects are left out.')
    if (effects === 'live' && mails.length !== 1) faults.push(`A child sent ${mails.length} mails, and effects are live.`)
    if (effects !== 'live' && !isStubbed) for (const { call } of mails) if (!asked.has(call)) faults.push('A child sent mail, and nobody was asked.')
  }
  return faults
}

/** What became of the calls of a fork, from its own events and from the bodies that were entered. */
export function observe({ own, executed }: Lived): ReadonlyMap<string, PlannedCall['fate']> {
  const fates = new Map<string, PlannedCall['fate']>()
  const asked = new Set<string>()
  const fromRecord = new Set(own.flatMap(({ type, data }) => (type === 'question.answered' && data.recorded !== undefined ? [data.id] : [])))
  const edited = new Set(
    own.flatMap(({ type, data }) => (type === 'thread.forked' ? ((data.edits ?? []) as readonly { call?: string }[]).map(({ call }) => call) : [])),
  )
  const firstDriver = own.findIndex(({ type }) => type === 'driver.acquired')
  for (const { type, data } of own.slice(Math.max(0, firstDriver))) {
    if (type === 'question.asked' && data.call !== undefined && !fromRecord.has(data.id)) {
      const isBefore = data.kind === 'approval' || data.id.startsWith('hook:beforeToolExecution@')
      if (isBefore) asked.add(data.call)
    }
    if ((type !== 'tool.finished' && type !== 'tool.denied') || edited.has(data.call)) continue
    fates.set(data.call, asked.has(data.call) ? 'asked' : executed.has(data.call) ? 'runs' : endOf({ type, data } as Ended))
  }
  return fates
}

type Ended = Pick<Extract<LoomEvent, { type: 'tool.finished' | 'tool.denied' }>, 'type' | 'data'>

/** How a call ended that nobody was asked about and whose body was not entered. */
function endOf({ type, data }: Ended): PlannedCall['fate'] {
  if (type === 'tool.denied') return 'denied'
  const { meta, errorType } = data as { readonly meta?: { readonly [key: string]: unknown }; readonly errorType?: string }
  if (meta?.['recorded'] !== undefined) return 'recorded'
  if (meta?.['stubbed'] === true) return 'stubbed'
  return errorType === 'skipped' || meta?.['answered'] === true ? 'skipped' : 'refused'
}

const isChanging = (effect: string): boolean => effect !== 'pure' && effect !== 'read'

/** The id of a call so many turns later. */
const moved = (call: string, turns: number): string => call.replace(/^\d+/, (turn) => String(Number(turn) + turns))

/** Where a plan and what happened differ. */
export function judge(lived: Lived): readonly string[] {
  const { plan, open, cut, own, faults, shift } = lived
  const found = [...faults]
  const fates = new Map([...observe(lived)].map(([call, fate]) => [moved(call, -shift), fate]))
  const planned = new Map(plan.calls.map(({ call, fate }) => [call, fate]))
  if (planned.size !== plan.calls.length) found.push('A call is planned twice.')
  for (const call of new Set([...fates.keys(), ...planned.keys()]))
    if (fates.get(call) !== planned.get(call))
      found.push(`${call} was ${fates.get(call) ?? 'not made'}, and ${planned.get(call) ?? 'nothing'} was planned.`)
  for (const { call, tool, effect } of plan.calls)
    if ((effectOf[tool] ?? 'unsafe') !== effect) found.push(`${call} is planned as ${effect}, and ${tool} is ${effectOf[tool]}.`)
  found.push(
    ...differences(
      'open',
      plan.reopened.filter((id) => /^\d+\.\d+$/.test(id)),
      open,
    ),
  )
  const changed = [...fates].filter(([call, fate]) => fate === 'runs' && mayChange(lived, call)).map(([call]) => call)
  found.push(
    ...differences(
      'unsafe',
      plan.unsafe.map(({ call }) => call),
      changed,
    ),
  )
  if (plan.reused.events !== cut) found.push(`${plan.reused.events} events are planned to be reused, and it was cut at ${cut}.`)
  if (plan.from !== `t@${cut}`) found.push(`It is planned from ${plan.from}.`)
  if (!isExact(lived)) return found
  const spent = spentIn(own)
  for (const unit of ['turns', 'tokens', 'cost'] as const)
    if (plan.estimate[unit] !== spent[unit]) found.push(`${plan.estimate[unit]} ${unit} are planned, and ${spent[unit]} were spent.`)
  return found
}

/** Whether a fork spends what its parent spent: it repeats a run that its parent ended, with all its children, and not from a failure on. */
export function isExact({ own, plan, isComparable }: Lived): boolean {
  const isWhole = plan.calls.every(({ tool, fate }) => (tool !== 'courier' && tool !== 'relay') || fate === 'runs')
  return isComparable && isWhole && own.some(({ type }) => type === 'model.replied')
}

/** Whether a call that ran unasked changed the world: by its class, or by a child where effects are live. */
function mayChange({ plan, own, shift }: Lived, call: string): boolean {
  const tool = plan.calls.find((one) => one.call === call)?.tool ?? ''
  return (
    isChanging(effectOf[tool] ?? 'unsafe') ||
    (plan.effects === 'live' && own.some(({ type, data }) => type === 'child.started' && data.call === moved(call, shift)))
  )
}

function differences(what: string, planned: readonly string[], seen: readonly string[]): readonly string[] {
  const [one, other] = [[...planned].toSorted().join(' '), [...seen].toSorted().join(' ')]
  return one === other ? [] : [`The ${what} calls are planned as (${one}), and they were (${other}).`]
}

function spentIn(events: readonly LoomEvent[]): { readonly turns: number; readonly tokens: number; readonly cost: number } {
  let [turns, tokens, cost] = [0, 0, 0]
  for (const { type, data } of events) {
    if (type === 'turn.entered') turns += 1
    if (type !== 'model.replied' && type !== 'child.finished') continue
    tokens += (data.usage?.input ?? 0) + (data.usage?.output ?? 0)
    cost += data.cost ?? 0
  }
  return { turns, tokens, cost }
}
