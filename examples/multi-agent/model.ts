/** The example's models: a writer that asks a researcher, and the researcher. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

export const research: ScriptedModel = scriptedModel('The power loom was patented in 1785.')

export const model: ScriptedModel = scriptedModel([
  { calls: [{ tool: 'researcher', input: { prompt: 'When was the power loom patented?' } }] },
  ({ prompt }) => `Dear reader: ${JSON.stringify(prompt.at(-1)).includes('1785') ? 'looms have had power since 1785.' : 'nobody knows.'}`,
])
