/** The example's model: it calls the tool, then reports the result. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

export const model: ScriptedModel = scriptedModel([
  { calls: [{ tool: 'add', input: { a: 2, b: 2 } }] },
  ({ prompt }) => {
    const last = prompt.at(-1)
    const result = last?.role === 'tool' && last.content[0]?.type === 'tool-result' ? last.content[0].output : undefined
    return `The tool says ${result?.type === 'json' ? JSON.stringify(result.value) : 'nothing'}.`
  },
])
