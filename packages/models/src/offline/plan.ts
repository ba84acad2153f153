/** From what was said to what is to be done. A plan is made whole or not at all: nothing is begun that is not understood to its end. */
import { type Choice, choose } from './choosing.ts'
import { type Clause, clausesOf } from './clauses.ts'
import { errandOf } from './errands.ts'
import type { Value } from './filling.ts'
import { supply } from './filling-text.ts'
import type { LanguagePack } from './language/pack.ts'
import { recipeFor } from './recipes.ts'
import type { ToolCard } from './tool-card.ts'

/** What an earlier stage has found, as it is or as a summary. */
export interface Ref {
  readonly stage: number
  readonly as: 'text' | 'summary' | 'number'
  /** Words that go before it. */
  readonly before?: string
  /** What goes on after it. */
  readonly after?: string
}

/** An argument: a value, or what an earlier stage will have found. */
export type Argument = Value | Ref

/** A call to make. */
export interface PlannedCall {
  readonly tool: string
  readonly input: Readonly<Record<string, Argument>>
  /** Its action only looks; it may be tried again with another name. */
  readonly looks: boolean
}

/** What is done at once, and how it is told. */
export type Stage =
  | {
      readonly kind: 'calls'
      readonly calls: readonly PlannedCall[]
      readonly show: 'result' | 'summary' | 'wrote' | 'nothing'
      readonly about: string
    }
  | { readonly kind: 'say'; readonly text: string; readonly value?: number }

/** Why there is no plan. */
export type Problem =
  | { readonly kind: 'cannot'; readonly raw: string; readonly partly: boolean }
  | { readonly kind: 'negated' | 'identity' | 'greeting'; readonly raw: string }
  | { readonly kind: 'needs'; readonly raw: string; readonly tool: string; readonly fields: readonly string[]; readonly words: boolean }
  | { readonly kind: 'unsure'; readonly raw: string; readonly tools: readonly string[] }

/** A plan, or what is in the way of one. */
export type Plan = { readonly stages: readonly Stage[]; readonly problem?: Problem }

/** What planning looks at. */
export interface PlanScene {
  readonly cards: readonly ToolCard[]
  readonly pack: LanguagePack
  /** The user's answer to a question for missing fields. */
  readonly answer?: string | undefined
  /** Stages of earlier messages. */
  readonly former?: readonly Stage[]
}

/** Whether an argument is found only later. */
export const isRef = (argument: Argument): argument is Ref => typeof argument === 'object' && 'stage' in argument

/** Plans what a text asks for. */
export function planFor(text: string, scene: PlanScene): Plan {
  const former = scene.former ?? []
  const stages: Stage[] = [...former]
  const all = clausesOf(text, scene.pack)
  // "Hello, read a.txt" is a request.
  const clauses = all.some(({ kind }) => kind !== 'greeting') ? all.filter(({ kind }) => kind !== 'greeting') : all
  const partly = clauses.length > 1
  for (const clause of clauses) {
    if (clause.kind === 'show-again' && stages.length > 0) continue
    const kind = problemKind(clause)
    // "Search for how bread is made" asks for a search, however the rest sounds.
    const isErrand = (kind === 'cannot' || kind === 'identity') && errandOf(clause, scene) !== undefined
    if (kind && !isErrand) return { stages: former, problem: { kind, raw: partly ? clause.raw : text.trim(), partly } }
    const step = stepFor(clause, stages, scene)
    if ('problem' in step) return { stages: former, problem: step.problem.kind === 'cannot' ? { ...step.problem, partly } : step.problem }
    stages.splice(0, stages.length, ...step.stages)
  }
  return stages.length > former.length ? { stages } : { stages: former, problem: { kind: 'cannot', raw: text.trim(), partly: false } }
}

function problemKind({ kind }: Clause): 'cannot' | 'negated' | 'identity' | 'greeting' | undefined {
  if (kind === 'request' || kind === 'show-again') return undefined
  return kind === 'negated' || kind === 'identity' || kind === 'greeting' ? kind : 'cannot'
}

/** The stages with those of one more clause. */
export type Step = { readonly stages: readonly Stage[] } | { readonly problem: Problem }

function stepFor(clause: Clause, stages: readonly Stage[], scene: PlanScene): Step {
  const errand = errandOf(clause, scene)
  // What another agent is told to do is not done here.
  const cooked = errand?.card.actions.has('delegate') ? undefined : recipeFor({ clause, stages, scene })
  if (cooked) return cooked
  if (errand) return callStep(errand, { clause, stages, scene })
  const chosen = choose(clause, scene.cards, scene.pack)
  if (chosen.kind === 'none') return { problem: { kind: 'cannot', raw: clause.raw, partly: false } }
  if (chosen.kind === 'several') return { problem: { kind: 'unsure', raw: clause.raw, tools: chosen.tools } }
  return callStep(chosen.choice, { clause, stages, scene })
}

function callStep({ card, filled }: Choice, { clause, stages, scene }: { clause: Clause; stages: readonly Stage[]; scene: PlanScene }): Step {
  const complete = filled.missing.length > 0 && scene.answer !== undefined ? supply(filled, scene.answer, { card, pack: scene.pack }) : filled
  if (complete.missing.length > 0) {
    const fields = complete.missing.map(({ name, description }) => (description === '' ? name : `${name} (${description.replace(/[.。]$/, '')})`))
    return { problem: { kind: 'needs', raw: clause.raw, tool: card.name, fields, words: false } }
  }
  const call: PlannedCall = { tool: card.name, input: withFormer(complete.values, { card, stages, scene }), looks: card.looks }
  const { spread } = complete
  const calls = spread ? spread.values.map((value) => ({ ...call, input: { ...call.input, [spread.slot]: value } })) : [call]
  return { stages: [...stages, { kind: 'calls', calls, show: 'result', about: aboutOf(call) }] }
}

/** What a call is about, for people. */
export function aboutOf({ input, tool }: PlannedCall): string {
  const [text] = Object.values(input).filter((value) => typeof value === 'string')
  return text ?? tool
}

/** A task for somebody else that speaks of "it" takes along what it is. */
function withFormer(
  values: Readonly<Record<string, Value>>,
  { card, stages, scene }: { card: ToolCard; stages: readonly Stage[]; scene: PlanScene },
): Readonly<Record<string, Argument>> {
  const stage = stages.findLastIndex(({ kind }) => kind === 'calls')
  if (stage < 0 || !card.actions.has('delegate')) return values
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const refers = typeof value === 'string' && scene.pack.content.speaksOfFormer.test(value)
      return [name, refers ? { stage, as: 'text' as const, before: `${value}\n\n` } : value]
    }),
  )
}
