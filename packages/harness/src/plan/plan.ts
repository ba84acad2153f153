/**
 * Plans: what a run will do, as plain data that a generator can make up and shrink.
 *
 * The plan is the input of the run. Whichever process continues the run, the model reads the plan from its prompt and replies the same.
 */
import type { EffectClass } from '@loom-agent/kernel'
import { type EffectPlace, placeText } from '@loom-agent/testing/crash'

/** All kinds of calls. */
export const callKinds = ['pure', 'read', 'idempotent', 'reconcilable', 'unsafe', 'ask', 'durable', 'child', 'fails', 'unknown', 'misused'] as const

/** What a call of a plan does. A `pair` runs two children that both ask, and a `stall` never returns; not every agent has these tools. */
export type CallKind = (typeof callKinds)[number] | 'pair' | 'stall'

/** A call of a plan. */
export interface PlannedCall {
  readonly kind: CallKind
  /** How long it takes, before its effect and after it. */
  readonly ticks: number
  /** Characters that its result has in addition. */
  readonly size?: number
  /** For a durable call: how often it asks, and how many milliseconds it sleeps. */
  readonly asks?: number
  readonly sleep?: number
  /** For a child: its own turns; default: one call that asks. */
  readonly turns?: Turns
}

/** The calls of each turn; a last turn without calls says what they returned. */
export type Turns = readonly (readonly PlannedCall[])[]

/** The whole plan of a run. */
export interface Plan {
  readonly turns: Turns
  /** Characters that the input has in addition. */
  readonly padding?: number
}

/** The input that carries a plan. */
export function planInput({ turns, padding = 0 }: Plan): string {
  return `plan ${JSON.stringify(turns)}${padding > 0 ? `\n${'long '.repeat(padding / 5)}` : ''}`
}

/** The turns that an input carries; none when it carries no plan. */
export function turnsIn(input: string): Turns {
  const [line = ''] = input.split('\n')
  return line.startsWith('plan ') ? (JSON.parse(line.slice('plan '.length)) as Turns) : []
}

/** An effect of a planned call, or of a step of it. */
export interface PlannedEffect extends EffectPlace {
  readonly kind: CallKind
  readonly effect: EffectClass
  readonly key: string
}

/** What an effect is called in the world. */
export function effectName({ kind, ...place }: Omit<PlannedEffect, 'effect' | 'key'>): string {
  return `${kind} ${placeText(place)}`
}

/** What a call returns, whichever process runs it and how often. */
export function resultOf(kind: CallKind, call: string, size = 0): string {
  return `${kind} ${call} is done${size > 0 ? ` ${'x'.repeat(size)}` : ''}`
}

/** What the model says in the end, from the results in its prompt. */
export function closing(results: readonly string[]): string {
  return `Done: ${results.map((result) => result.slice(0, 24)).join('; ')}.`
}

const rootKinds: readonly CallKind[] = ['pure', 'read', 'idempotent', 'idempotent', 'unsafe', 'unsafe', 'reconcilable', 'ask', 'durable', 'child']
const childKinds: readonly CallKind[] = ['pure', 'idempotent', 'unsafe', 'reconcilable']

/** A plan of calls that all succeed; a heavy one makes batches of many pages. */
export function randomPlan(random: () => number, isHeavy = false): Plan {
  const upTo = (most: number): number => Math.floor(random() * (most + 1))
  const turnsOf = (kinds: readonly CallKind[], least: number): Turns =>
    Array.from({ length: least + upTo(1) }, () =>
      Array.from({ length: 1 + upTo(2) }, (): PlannedCall => {
        const kind = kinds[upTo(kinds.length - 1)] as CallKind
        const call = { kind, ticks: upTo(1) }
        if (kind === 'child') return { ...call, turns: turnsOf(childKinds, 1) }
        if (kind === 'durable') return { ...call, sleep: 2 }
        // A check knows the call and not its input.
        return isHeavy && kind !== 'reconcilable' ? { ...call, size: upTo(60_000) } : call
      }),
    )
  return { turns: turnsOf(rootKinds, 3), ...(isHeavy && { padding: 100_000 }) }
}

const treeKinds: readonly CallKind[] = ['child', 'child', 'ask', 'durable', 'unsafe', 'idempotent', 'reconcilable']
const leafKinds: readonly CallKind[] = ['ask', 'durable', 'unsafe', 'idempotent', 'reconcilable', 'pure']

/** A plan of calls that all succeed, with so many levels of children, that wait for people on every level and have results of any size. */
export function randomTree(random: () => number, levels: number): Plan {
  const upTo = (most: number): number => Math.floor(random() * (most + 1))
  const turnsAt = (level: number): Turns =>
    Array.from({ length: 1 + upTo(1) }, () =>
      Array.from({ length: 1 + upTo(2) }, (): PlannedCall => {
        const kinds = level < levels ? treeKinds : leafKinds
        const kind = kinds[upTo(kinds.length - 1)] as CallKind
        if (kind === 'child') return { kind, ticks: 0, turns: turnsAt(level + 1) }
        // A check knows the call and not its input.
        return random() < 0.3 && kind !== 'reconcilable' && kind !== 'durable' ? { kind, ticks: 0, size: upTo(60_000) } : { kind, ticks: 0 }
      }),
    )
  return { turns: turnsAt(0), ...(random() < 0.2 && { padding: 100_000 }) }
}
