/**
 * The calls that a run has admitted so far, as rules see them, and the order in which calls are admitted. Loaded with how calls are judged.
 *
 * ADMIT-1. The rules of an agent see the calls that were admitted in its run and in the runs of its children, theirs, and so on: those that were started,
 *     whatever came of them, with the arguments as the schema made them. A fork has those of the past that it shares, also of the children that had
 *     ended there. They are read from frames, and nothing is copied for a rule that does not look.
 * ADMIT-2. Where a verdict may change, calls are admitted one at a time in the whole tree: each is judged again when all before it are started or
 *     refused, and only a stricter verdict counts.
 */
import {
  at,
  canonicalJson,
  type Frame,
  type Head,
  items,
  type Journal,
  type Json,
  type Outbox,
  readEvents,
  type ToolOutcome,
  type ToolStart,
} from '@loom-agent/kernel'
import type { CompiledPolicy } from '../permission/compile-policy.ts'
import type { AdmittedCall } from '../permission/policy.ts'
import { toJson } from '../platform/normalize.ts'
import type { Toolbox } from '../tool/toolbox.ts'
import { parseMoment } from '../types/moment.ts'

/** How the children of a thread are found where no driver of this process has started them. */
export interface ThreadReading {
  load(thread: string): Promise<{ readonly frame: Frame }>
  /** A page of the children of a thread. */
  childrenOf(thread: string, after: string | undefined): Promise<readonly Pick<Head, 'thread'>[]>
  /** The children that had ended in the past that a fork shares: they are the children of another thread. */
  sharedChildrenOf(fork: Frame): Promise<readonly string[]>
}

/** The calls of a run, for one driver of its thread. */
export interface RunCalls {
  /** Those of the thread whose call started this one. */
  readonly parent: RunCalls | undefined
  /** What the next admission in the tree waits for. */
  readonly admissions: { last: Promise<void> | undefined }
  /** The children, by thread. */
  readonly children: Map<string, ChildCalls>
  /** The calls of the run and of its children. */
  admitted(): Iterable<AdmittedCall>
  /** What the start of a call records for rules that look at it later: the arguments as the schema made them, where that differs. */
  judged(value: unknown, input: Json): Pick<ToolStart, 'judged'>
  /** Resolves when the children of earlier drivers are known; undefined when they are. */
  ready(): Promise<unknown> | undefined
  /** The driver has its outbox: from now on the frame is read there. */
  attach(outbox: Pick<Outbox, 'frame'>): void
  /** The driver ends: what the parent needs to know of this thread stays with it. */
  close(): void
}

/** A child of a run: the turn whose call started it, and what it has admitted. While it is driven that is read where its driver has it. */
interface ChildCalls {
  readonly turn: number
  readonly calls: RunCalls | readonly AdmittedCall[]
}

/** What decides whether rules may look at the calls of a run, and how they are found. */
interface Looking {
  readonly policies: readonly (CompiledPolicy | undefined)[]
  readonly definition: { readonly toolbox: Toolbox | undefined }
  readonly runtime: { readonly journal: Journal; readonly threads: Pick<ThreadReading, 'load'> }
  readonly runCalls?: RunCalls | undefined
}

/** The calls of the run of a thread, whose driver begins with this frame, where the agent or one above it has rules that may look. */
export function runCallsOf({ policies, definition, runtime, runCalls: parent }: Looking, start: Frame): RunCalls | undefined {
  if (!parent && !mayAskCode(policies, definition.toolbox)) return undefined
  const { journal, threads } = runtime
  const childrenOf: ThreadReading['childrenOf'] = (thread, after) => journal.threads({ parent: thread, after })
  const sharedChildrenOf: ThreadReading['sharedChildrenOf'] = (fork) => sharedChildrenIn(journal, fork)
  return createRunCalls({ load: (thread) => threads.load(thread), childrenOf, sharedChildrenOf }, start, parent)
}

async function sharedChildrenIn(journal: Journal, { fork, thread, incarnation }: Frame): Promise<readonly string[]> {
  const cut = fork && parseMoment(fork.from)
  const ended = new Set<string>()
  if (!cut) return []
  for await (const { seq, type, data } of readEvents(journal, thread, { incarnation })) {
    if (seq > cut.seq) break
    if (type === 'child.finished') ended.add(data.child)
  }
  return [...ended]
}

/** Whether code may be asked for a verdict: a rule with a `when`, or a tool that judges by a function. Tools that are not known yet may have one. */
function mayAskCode(policies: Looking['policies'], toolbox: Toolbox | undefined): boolean {
  if (!toolbox || policies.some((policy) => policy?.isConditional)) return true
  return [...toolbox.tools.values()].some(({ definition }) => typeof definition.permission === 'function')
}

function createRunCalls(reading: ThreadReading, start: Frame, parent: RunCalls | undefined): RunCalls {
  const children: RunCalls['children'] = new Map()
  const turn = turnOf(start.parent?.call)
  let current = (): Frame => start
  let isLoaded = !isUnderWay(start)
  let loading: Promise<void> | undefined
  const load = async (): Promise<void> => {
    for (const [child, calls] of await childrenIn(reading, start)) if (!children.has(child)) children.set(child, calls)
    isLoaded = true
  }
  const runCalls: RunCalls = {
    parent,
    admissions: parent?.admissions ?? { last: undefined },
    children,
    *admitted() {
      const frame = current()
      const firstTurn = frame.run?.firstTurn ?? Number.POSITIVE_INFINITY
      yield* admittedIn(frame, firstTurn)
      for (const child of children.values()) if (child.turn >= firstTurn) yield* isDriven(child.calls) ? child.calls.admitted() : child.calls
    },
    judged(value, input) {
      const judged = toJson(value)
      return canonicalJson(judged) === canonicalJson(input) ? {} : { judged }
    },
    ready() {
      if (!isLoaded) loading ??= load()
      const below = [...children.values()].map(({ calls }) => (isDriven(calls) ? calls.ready() : undefined))
      const waits = [isLoaded ? undefined : loading, ...below].filter((wait) => wait !== undefined)
      return waits.length > 0 ? Promise.all(waits) : undefined
    },
    attach(outbox) {
      current = () => outbox.frame
      parent?.children.set(start.thread, { turn, calls: runCalls })
    },
    close() {
      if (parent?.children.get(start.thread)?.calls === runCalls) parent.children.set(start.thread, { turn, calls: [...runCalls.admitted()] })
    },
  }
  return runCalls
}

const isDriven = (calls: ChildCalls['calls']): calls is RunCalls => 'admitted' in calls

/** The turn of a call, by its id. */
const turnOf = (call = '0.0'): number => Number.parseInt(call, 10)

/** Whether a run may have done something before this driver. */
const isUnderWay = ({ run, turn }: Frame): boolean => run !== undefined && turn >= run.firstTurn

/** The calls of a frame that were started, from a turn on. */
function* admittedIn(frame: Frame, firstTurn: number): Generator<AdmittedCall, void> {
  const { thread, history, run } = frame
  for (const { message, calls } of items(history, firstOf(frame, firstTurn))) {
    if (message.role !== 'tool' || !calls) continue
    for (const [index, { call: id, name: tool }] of message.results.entries()) {
      const { start, input, outcome } = calls[index] ?? {}
      if (start && turnOf(id) >= firstTurn) yield { thread, id, tool, input: inputOf(start, input), status: statusOf(outcome) }
    }
  }
  for (const { id, part, start, input, outcome } of run ? items(run.calls) : []) {
    if (start) yield { thread, id, tool: part.name, input: inputOf(start, input), status: statusOf(outcome) }
  }
}

const inputOf = ({ judged }: ToolStart, input: AdmittedCall['input'] = null): AdmittedCall['input'] => (judged === undefined ? input : judged)
const statusOf = (outcome: ToolOutcome | undefined): AdmittedCall['status'] => outcome?.status ?? 'running'

/** Where the entries of a turn begin in the history, which is in the order of turns. */
function firstOf({ history }: Frame, turn: number): number {
  let [from, to] = [0, history.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((at(history, middle)?.turn ?? 0) < turn) from = middle + 1
    else to = middle
  }
  return from
}

/** What the children of a thread have admitted, and theirs. */
async function childrenIn(reading: ThreadReading, of: Frame): Promise<ReadonlyMap<string, ChildCalls>> {
  const { thread, parent, fork } = of
  const found = new Map<string, ChildCalls>()
  const add = async (child: string): Promise<void> => {
    const { frame } = await reading.load(child)
    // Records that were imported may name each other as parents.
    if ((frame.parent?.depth ?? 0) <= (parent?.depth ?? 0)) return
    const below = [...(await childrenIn(reading, frame)).values()].flatMap(({ calls }) => (isDriven(calls) ? [] : calls))
    found.set(child, { turn: turnOf(frame.parent?.call), calls: [...admittedIn(frame, 0), ...below] })
  }
  for (const child of fork ? await reading.sharedChildrenOf(of) : []) await add(child)
  for (let after: string | undefined; ; ) {
    const page = await reading.childrenOf(thread, after)
    for (const { thread: child } of page) await add(child)
    after = page.at(-1)?.thread
    if (after === undefined) return found
  }
}
