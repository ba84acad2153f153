/** A model that calls one tool. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

/** Calls a tool, then answers: decided by the prompt, so that it goes on in any process. The input is one that an agent as a tool takes too. */
export function callsOnce(tool: string, input: object = { prompt: 'go' }): ScriptedModel {
  return scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'Done.' : { calls: [{ tool, input }] }))
}
