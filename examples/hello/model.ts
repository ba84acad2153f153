/** The example's model: a fixed reply, so that the example needs no key. */
import { type ScriptedModel, scriptedModel } from '@loom-agent/testing'

export const model: ScriptedModel = scriptedModel('Hello! What shall we weave today?')
