/** The example's model: a story, word by word. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

export const model: ScriptedModel = scriptedModel('Once upon a time a thread was cut, and nobody noticed: the journal knew where it had been.')
