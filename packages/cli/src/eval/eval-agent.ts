/**
 * The built-in agent whose thread an eval is: it calls `evaluate` once for every batch of cases, by a fixed rule and no language model.
 *
 * EVAL-1. A case is a child of the eval, and its verdict a step: what was paid or judged once is read from the journal when the eval goes on elsewhere.
 * EVAL-2. The cases of a batch are a step as well, and the input of the run has a digest of all cases: an eval goes on with what it was started with, or says that it cannot.
 * EVAL-3. A verdict holds no time and no id of a process, so that an eval that was killed comes to the same table as one that was not.
 */
import { type Agent, createAgentFactory, everything, jsonSchema, tool } from '@loom-agent/agent'
import type { Journal, Limits } from '@loom-agent/kernel'
import { createModels, defineModel } from '@loom-agent/models'
import type { Evaluation } from './evaluation.ts'
import { isModelScorer } from './model-scorer.ts'
import type { ResolvedCase } from './resolve-cases.ts'
import { type EvalTask, verdictOn } from './verdict.ts'

/** Cases of one call, with all their candidates: the body of a call reads all its records again whenever a child ends. */
const mostOfBatch = 100

/** The name of the agent in journals. */
export const evalAgentName = 'eval'

/** What its model is called in journals. */
const modelName = 'loom/eval'

/** An evaluation with its cases as they are asked. */
export interface PlannedEval {
  readonly evaluation: Evaluation
  readonly cases: readonly ResolvedCase[]
  readonly journal: Journal
}

/** Makes the agent of an eval. */
export function evalAgent({ evaluation, cases, journal }: PlannedEval): Agent {
  const names = Object.keys(evaluation.candidates)
  const size = Math.max(1, Math.floor(mostOfBatch / names.length))
  const batches = Math.ceil(cases.length / size)
  const model = defineModel({
    id: modelName,
    generate: ({ messages }) => {
      const done = messages.filter(({ role }) => role === 'assistant').length
      const usage = { input: 0, output: 0 }
      if (done < batches) return { calls: [{ tool: 'evaluate', input: { batch: done + 1 } }], usage }
      return { text: `${cases.length} cases were judged, with ${names.join(', ')}.`, usage }
    },
  })
  const evaluate = tool({
    name: 'evaluate',
    description: 'Judges a batch of cases.',
    durable: true,
    effect: 'read',
    input: jsonSchema<{ batch: number }>({ type: 'object', properties: { batch: { type: 'integer', minimum: 1 } }, required: ['batch'] }),
    schedule: { timeout: 24 * 60 * 60 * 1000 },
    run: async ({ batch }, ctx) => {
      const here = (await ctx.step<unknown>('cases', () => cases.slice((batch - 1) * size, batch * size))) as readonly ResolvedCase[]
      const tasks: readonly EvalTask[] = here.flatMap((one) => names.map((candidate) => ({ case: one, candidate })))
      let next = 0
      const work = async (): Promise<void> => {
        for (let task = tasks[next++]; task; task = tasks[next++]) await verdictOn(ctx, task, evaluation)
      }
      await Promise.all(Array.from({ length: Math.min(evaluation.parallel ?? 4, tasks.length) }, work))
      return `${tasks.length} answers of batch ${batch} were judged.`
    },
  })
  const models = createModels()
  return createAgentFactory(models)({
    name: evalAgentName,
    description: 'Judges the answers of agents.',
    model,
    tools: { evaluate },
    context: everything,
    journal,
    limits: limitsOf(evaluation, { cases: cases.length, turns: batches + 2 }),
    // Prices of all children are looked up here.
    ports: { price: (id, usage) => (id === modelName ? 0 : (evaluation.price?.(id, usage) ?? models.price(id, usage))) },
  })
}

/** Bounds that grow with the number of cases; what the evaluation itself says comes first. */
function limitsOf({ candidates, scorers, limits }: Evaluation, { cases, turns }: { readonly cases: number; readonly turns: number }): Limits {
  const judges = Object.values(scorers).filter(isModelScorer).length
  const answers = cases * Object.keys(candidates).length * (1 + judges)
  return { turns, children: 1_000 + answers * 100, calls: 10_000 + answers * 1_000, loop: false, onReached: 'stop', ...limits }
}
