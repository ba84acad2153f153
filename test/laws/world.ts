/** Random worlds: agents, tools, answers, stops, steering, hooks and deaths, all made from a plan that fast-check can shrink. */
import type { LanguageModelV4 } from '@ai-sdk/provider'
import { type Agent, type AgentOptions, memoryJournal, type Question, respond, type SignedAnswer } from '@loom-agent/agent'
import { type AnswerKind, callKinds, effectName, type PlanHooks, type PlanWorld, planAgent, planAnswer, type Turns } from '@loom-agent/harness/crash'
import type { Journal } from '@loom-agent/kernel'
import { type Death, type MortalJournal, mortalJournal, type ScriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { mortalClock } from './mortal-clock.ts'

/** What happens in a world. */
export interface Plan {
  readonly turns: Turns
  readonly hooks: PlanHooks
  readonly answers: readonly AnswerKind[]
  readonly steerAt: number | undefined
  readonly stopAt: number | undefined
  readonly deaths: readonly Death[]
}

/** Plans of any kind. */
export const plans: fc.Arbitrary<Plan> = fc.record({
  turns: fc.array(fc.array(fc.record({ kind: fc.constantFrom(...callKinds), ticks: fc.nat(2) }), { minLength: 1, maxLength: 3 }), { maxLength: 3 }),
  answers: fc.array(fc.constantFrom('approve', 'approve', 'reject', 'respond', 'edit'), { minLength: 1, maxLength: 4 }),
  hooks: fc.constantFrom('none', 'look', 'change', 'slow'),
  steerAt: fc.option(fc.nat(12), { nil: undefined }),
  stopAt: fc.option(fc.nat(12), { nil: undefined }),
  deaths: fc.array(fc.record({ append: fc.integer({ min: 1, max: 8 }), when: fc.constantFrom('before', 'after') }), { maxLength: 3 }),
})

/** A world: one journal, the effects that happened in it, and every process that lived in it. */
export interface World {
  readonly plan: Plan
  readonly journal: Journal
  /** How often each effect happened, by tool and call. */
  readonly effects: Map<string, number>
  readonly models: ScriptedModel[]
  /** What the agents get as their model. */
  readonly wrapModel: (model: ScriptedModel) => LanguageModelV4
  readonly asked: Map<string, SignedAnswer>
}

export function createWorld(plan: Plan, wrapModel: World['wrapModel'] = (model) => model): World {
  return { plan, wrapModel, journal: memoryJournal(), effects: new Map(), models: [], asked: new Map() }
}

/** A process: an agent of its own on the world's journal. Its effects happen unless it is dead. */
export function createProcess(world: World, death?: Death, options: Partial<AgentOptions> = {}): { agent: Agent; mortal: MortalJournal } {
  const { effects, models, plan, wrapModel } = world
  const mortal = mortalJournal(world.journal, death)
  const reached: PlanWorld = {
    perform(effect) {
      const name = effectName(effect)
      if (!mortal.isDead()) effects.set(name, (effects.get(name) ?? 0) + 1)
    },
    has: (effect) => effects.has(effectName(effect)),
    async tick(ticks) {
      for (let n = 0; n < ticks; n += 1) await new Promise((resolve) => setImmediate(resolve))
      if (mortal.isDead()) await new Promise(() => {})
    },
  }
  const model = (made: ScriptedModel): LanguageModelV4 => {
    models.push(made)
    return wrapModel(made)
  }
  const ports = { clock: mortalClock(mortal.died), ...options.ports }
  return { agent: planAgent({ world: reached, journal: mortal.journal, hooks: plan.hooks, model, options: { ...options, ports } }), mortal }
}

/** The world's way to answer: by the question's place, so that a question asked again is answered alike. In doubt, it reports the outcome. */
export function answerTo(world: World, question: Question): SignedAnswer {
  const known = world.asked.get(question.id)
  if (known) return known
  const kind = world.plan.answers[world.asked.size % world.plan.answers.length] ?? 'approve'
  const answer = question.kind === 'in-doubt' ? respond('reported by a human') : planAnswer(kind, question)
  world.asked.set(question.id, answer)
  return answer
}
