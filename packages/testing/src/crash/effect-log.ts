/** A log outside of all processes: which effects really ran, in which process, and how they ended. A crash does not erase it. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { approve, reject, respond, type SignedAnswer } from '@loom-agent/agent'
import { isContent } from '@loom-agent/agent/kit'
import { canonicalJson, type EffectClass, type Json } from '@loom-agent/kernel'
import { isThenable } from './simulated-process.ts'

/** Where an effect belongs: a call, or a step of one. */
export interface EffectPlace {
  /** The thread of the call. */
  readonly thread: string
  /** The call, by Loom's own id for it. */
  readonly call: string
  /** The key of the step. */
  readonly step?: string
}

/** One execution of a body. */
export interface Execution extends EffectPlace {
  /** The name of the tool. */
  readonly tool: string
  /** What the effect class of the tool or the step is. */
  readonly effect: EffectClass
  /** The arguments, in canonical form. */
  readonly input: string
  /** The idempotency key. */
  readonly key: string
  /** The number of the process that ran it. */
  readonly process: number
  /** How it ended; `none` when its process was lost. */
  end: 'none' | 'returned' | 'threw'
  /** What it returned or threw. */
  value: unknown
  /** How often it called the external world. */
  calls: number
}

/** One call of the external world. */
export interface WorldCall {
  /** The method and its arguments, as text. */
  readonly text: string
  /** The execution that called it. */
  readonly by: Execution | undefined
}

/** The log. */
export interface EffectLog {
  /** Every execution of a body, in order. */
  readonly executions: readonly Execution[]
  /** Every call of the external world, in order. */
  readonly worldCalls: readonly WorldCall[]
  /** Runs a body, and records how it ends. */
  perform(started: Omit<Execution, 'end' | 'value' | 'calls'>, work: () => unknown): unknown
  /** Records a call of the external world by the body that runs now. */
  call(name: string, args: readonly unknown[]): void
}

/** An empty log. */
export function createEffectLog(): EffectLog {
  const current = new AsyncLocalStorage<Execution>()
  const executions: Execution[] = []
  const worldCalls: WorldCall[] = []
  return {
    executions,
    worldCalls,
    perform(started, work) {
      const execution: Execution = { ...started, end: 'none', value: undefined, calls: 0 }
      executions.push(execution)
      return current.run(execution, () => settle(execution, work, (next) => current.run(execution, next)))
    },
    call(name, args) {
      const by = current.getStore()
      if (by) by.calls += 1
      worldCalls.push({ text: `${name}(${args.map(textOf).join(', ')})`, by })
    },
  }
}

type Within = (next: () => Promise<IteratorResult<unknown, unknown>>) => Promise<IteratorResult<unknown, unknown>>

function settle(execution: Execution, work: () => unknown, within: Within): unknown {
  const threw = (error: unknown): never => {
    execution.end = 'threw'
    execution.value = error
    throw error
  }
  const returned = (value: unknown): unknown => {
    execution.end = 'returned'
    execution.value = value
    return value
  }
  let value: unknown
  try {
    value = work()
  } catch (error) {
    return threw(error)
  }
  if (isThenable(value)) return Promise.resolve(value).then(returned, threw)
  return isGenerator(value) ? relay(value, within, { returned, threw }) : returned(value)
}

const isGenerator = (value: unknown): value is AsyncGenerator<unknown, unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value && 'next' in value

/** A generator continues whenever its consumer asks for more: each time the same body runs. */
async function* relay(
  generator: AsyncGenerator<unknown, unknown>,
  within: Within,
  { returned, threw }: { returned: (value: unknown) => unknown; threw: (error: unknown) => never },
): AsyncGenerator<unknown, unknown> {
  try {
    for (;;) {
      const { done, value } = await within(() => generator.next())
      if (done) return returned(value)
      yield value
    }
  } catch (error) {
    return threw(error)
  } finally {
    await generator.return(undefined)
  }
}

/** A value as text, in canonical form where it is JSON. */
export function textOf(value: unknown): string {
  const text = JSON.stringify(value)
  return text === undefined ? String(value) : canonicalJson(JSON.parse(text) as Json)
}

/** The name of a place. */
export function placeText({ thread, call, step }: EffectPlace): string {
  return step === undefined ? `${thread} ${call}` : `${thread} ${call}/${step}`
}

/** What is known of an effect whose process was lost: done with this value, not done at all, or unknown. */
export type Truth =
  | {
      readonly kind: 'done'
      /** What it returned. */
      readonly value: Json
    }
  | { readonly kind: 'not-done' }
  | { readonly kind: 'unknown' }

/** What really became of the effect at a place; `seesWorld` when the log has everything that bodies do outside. */
export function truthOf({ executions }: EffectLog, place: EffectPlace, seesWorld: boolean): Truth {
  const at = placeText(place)
  const tried = executions.filter((execution) => placeText(execution) === at)
  const done = tried.find(({ end }) => end === 'returned')
  if (done) return isReportable(done.value) ? { kind: 'done', value: JSON.parse(JSON.stringify(done.value)) as Json } : { kind: 'unknown' }
  return tried.every(({ calls, end }) => end === 'none' && seesWorld && calls === 0) ? { kind: 'not-done' } : { kind: 'unknown' }
}

/** Whether a human can give the value as the result without any difference to the model. */
function isReportable(value: unknown): boolean {
  if (value === undefined || value === null || value instanceof Error) return false
  if (typeof value === 'string') return value.trim() !== ''
  return !isContent(value)
}

/** The answer to a question about an effect in doubt, by what really became of it; `resolved` holds the places whose outcome is known. */
export function answerByTruth(truth: Truth, place: EffectPlace, resolved: Set<string>): SignedAnswer {
  if (truth.kind === 'unknown') {
    resolved.delete(placeText(place))
    return reject('the outcome is unknown')
  }
  resolved.add(placeText(place))
  return truth.kind === 'done' ? respond(truth.value) : approve()
}
