/** The example's model: it says what it is told to say, so that the example needs no key. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

export const model: ScriptedModel = scriptedModel('Hello! What shall we weave today?')
