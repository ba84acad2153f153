/** A book outside of all processes: what was really done, by whom, and how it ended. What a dead process did stays written. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { canonicalJson, type EffectClass, type Json } from '@loom-agent/kernel'
import { isThenable } from './mortal-process.ts'

/** Where an effect has its place: a call, or a step of one. */
export interface EffectPlace {
  readonly thread: string
  readonly call: string
  /** The key of the step. */
  readonly step?: string
}

/** One time that a body was run. */
export interface Execution extends EffectPlace {
  readonly tool: string
  readonly effect: EffectClass
  /** The arguments, in canonical form. */
  readonly input: string
  /** The key that outsiders can recognise it by. */
  readonly key: string
  /** The number of the process that ran it. */
  readonly process: number
  end: 'none' | 'returned' | 'threw'
  value: unknown
  /** How often it reached the outside. */
  reached: number
}

/** One time that somebody reached the outside. */
export interface Reach {
  readonly what: string
  readonly by: Execution | undefined
}

/** The book. */
export interface EffectBook {
  readonly executions: readonly Execution[]
  readonly reaches: readonly Reach[]
  /** Runs a body, and takes down how it ends. */
  perform(begun: Omit<Execution, 'end' | 'value' | 'reached'>, work: () => unknown): unknown
  /** Takes down that the outside was reached, by whatever runs now. */
  reach(name: string, args: readonly unknown[]): void
}

/** A book with nothing in it. */
export function createEffectBook(): EffectBook {
  const current = new AsyncLocalStorage<Execution>()
  const executions: Execution[] = []
  const reaches: Reach[] = []
  return {
    executions,
    reaches,
    perform(begun, work) {
      const execution: Execution = { ...begun, end: 'none', value: undefined, reached: 0 }
      executions.push(execution)
      return current.run(execution, () => settle(execution, work, (next) => current.run(execution, next)))
    },
    reach(name, args) {
      const by = current.getStore()
      if (by) by.reached += 1
      reaches.push({ what: `${name}(${args.map(textOf).join(', ')})`, by })
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

/** A generator goes on whenever somebody asks for more: each time it is the same body that runs. */
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

/** What names a place. */
export function placeText({ thread, call, step }: EffectPlace): string {
  return step === undefined ? `${thread} ${call}` : `${thread} ${call}/${step}`
}

/** What is known of an effect whose performer was lost: done with this value, not done at all, or nobody can say. */
export type Truth = { readonly kind: 'done'; readonly value: Json } | { readonly kind: 'not-done' } | { readonly kind: 'unknown' }

/** What really became of the effect at a place; `seesOutside` when everything that bodies do outside is in the book. */
export function truthOf({ executions }: EffectBook, place: EffectPlace, seesOutside: boolean): Truth {
  const at = placeText(place)
  const tried = executions.filter((execution) => placeText(execution) === at)
  const done = tried.find(({ end }) => end === 'returned')
  if (done) return isTellable(done.value) ? { kind: 'done', value: JSON.parse(JSON.stringify(done.value)) as Json } : { kind: 'unknown' }
  return tried.every(({ reached, end }) => end === 'none' && seesOutside && reached === 0) ? { kind: 'not-done' } : { kind: 'unknown' }
}

/** Whether a human could give the value as the result, and nobody would see a difference. */
function isTellable(value: unknown): boolean {
  if (value === undefined || value === null || value instanceof Error) return false
  if (typeof value === 'string') return value.trim() !== ''
  return typeof value !== 'object' || !('kind' in value) || value.kind !== 'content'
}
