/**
 * What a run will do, decided by its input alone: whichever process goes on, the model says the same and the transcript is the same.
 */
import { randomOf } from '../power-failure.ts'

/** The tools of the runs that are killed: one for each way an effect can be treated. */
export type ToolName = 'add' | 'look' | 'put' | 'send' | 'book' | 'pay' | 'trip' | 'aide'

/** A call of the plan. */
export interface PlannedCall {
  readonly tool: ToolName
  readonly input: { readonly what: string; readonly size: number } | { readonly prompt: string }
}

/** The turns of a run; each but the last has calls, and the last says what they gave. */
export interface Plan {
  readonly input: string
  readonly turns: readonly (readonly PlannedCall[])[]
}

/** The steps of the durable tool, in order. */
export const tripSteps = ['reserve', 'note', 'confirm'] as const

/** A step of the durable tool. */
export type TripStep = (typeof tripSteps)[number]

const rootTools: readonly ToolName[] = ['add', 'look', 'put', 'put', 'send', 'send', 'book', 'pay', 'trip', 'aide']
const aideTools: readonly ToolName[] = ['add', 'put', 'send', 'book']

/** How a plan is asked for: a heavy one makes batches of many pages. */
export interface PlanRequest {
  readonly seed: number
  readonly isHeavy?: boolean
  readonly isChild?: boolean
  /** Only these calls, each in a turn of its own. */
  readonly only?: readonly ToolName[]
}

/** The input that asks for a plan. */
export function inputOf({ seed, isHeavy = false, isChild = false, only = [] }: PlanRequest): string {
  const line = `plan ${seed} ${isHeavy ? 'heavy' : 'light'} ${isChild ? 'child' : 'root'} ${only.join(',')}`
  return isHeavy ? `${line}\n${'long '.repeat(20_000)}` : line
}

/** The plan that an input asks for. */
export function planOf(input: string): Plan {
  const [, seed = '0', weight, kind, names = ''] = /^plan (\d+) (heavy|light) (child|root) ?(.*)/.exec(input) ?? []
  const random = randomOf(Number(seed))
  const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
  const only = names === '' ? [] : (names.split(',') as readonly ToolName[])
  const size = weight === 'heavy' ? 60_000 : 0
  const call = (tool: ToolName, what: string): PlannedCall => {
    if (tool === 'aide') return { tool, input: { prompt: inputOf({ seed: Math.floor(random() * 1e6), isChild: true }) } }
    // Who checks whether a call happened knows the call and not its input.
    return { tool, input: { what, size: tool === 'book' ? 0 : Math.floor(random() * size) } }
  }
  if (only.length > 0) return { input, turns: only.map((tool, turn) => [call(tool, `${turn + 1}.0`)]) }
  const isChild = kind === 'child'
  const turns = Array.from({ length: (isChild ? 1 : 3) + Math.floor(random() * 2) }, (_turn, turn) =>
    Array.from({ length: 1 + Math.floor(random() * 3) }, (_call, index) => call(pick(isChild ? aideTools : rootTools), `${turn + 1}.${index}`)),
  )
  return { input, turns }
}

/** What a call gives, whoever runs it and how often. */
export function outcomeOf({ tool, input }: PlannedCall): string {
  if ('prompt' in input) return answerOf(planOf(input.prompt))
  const { what, size } = input
  const said = tool === 'trip' ? [...tripSteps.map((step) => stepValue(step, what)), `yes to ${what}`].join(', ') : `${tool} ${what}`
  return size === 0 ? said : `${said} ${'x'.repeat(size)}`
}

/** What a step of the durable tool gives. */
export function stepValue(step: string, what: string): string {
  return `${step} ${what}`
}

/** What the model says in the end, from the results it was shown. */
export function closing(results: readonly string[]): string {
  return `Done: ${results.map((result) => result.slice(0, 24)).join('; ')}.`
}

/** What the run answers in the end. */
export function answerOf(plan: Plan): string {
  return closing(plan.turns.flat().map(outcomeOf))
}
