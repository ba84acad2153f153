/** agent() of the umbrella: models may be ids, and without one the environment names it. */
import { type AgentFactory, createAgentFactory } from '@loom-agent/agent'
import type { Models } from '@loom-agent/models'

let loading: Promise<Models> | undefined
let loaded: Models | undefined

/** Models are loaded when the first agent needs one by its id: importing does no work. */
async function models(): Promise<Models> {
  loading ??= import('@loom-agent/models').then(({ createModels }) => createModels())
  loaded = await loading
  return loaded
}

/**
 * Makes an agent. Its model is an AI SDK object, or an id such as `anthropic/claude-sonnet-5-5`; without one, `LOOM_PROVIDER` and `LOOM_MODEL` or the one
 * key that is set decide. A run for which nothing names a model fails with `LOOM_MODEL_MISSING`, which lists what was found. `offline` names a model that
 * needs nothing: fixed rules, no language model.
 *
 * @example
 * const math = agent({ name: 'math', instructions: 'Be exact.', model: 'openai/gpt-5.4', tools: { add } })
 * console.log(done(await math.run('2+2?')).text)
 */
export const agent: AgentFactory = createAgentFactory({
  resolveModel: async (id) => (await models()).resolveModel(id),
  price: (id, usage) => loaded?.price(id, usage),
  loadPrices: () => (loaded ? undefined : models().then(() => {})),
  describeModel: (id) => (loaded ? loaded.describeModel(id) : models().then(({ describeModel }) => describeModel(id))),
})
