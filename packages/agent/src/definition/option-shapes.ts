/** What the options of agents and runs must be. */
import { expectedStrategy } from '../context/strategy.ts'
import { guardsShape } from '../guard/guard.ts'
import { settingsShape } from '../model/model.ts'
import { type Expected, expected, type Shape } from '../platform/expected.ts'
import { portsShape } from '../platform/ports.ts'
import { behaviourShape } from '../types/behaviour.ts'
import { inputTaintShape } from '../types/input-taint.ts'
import { limitsShape } from '../types/limits.ts'
import { isSchema } from '../types/schema.ts'
import { aWorkspace } from '../types/workspace.ts'
import type { AgentOptions, RecordOptions, RunOptions } from './agent-options.ts'

const tools: Expected = {
  words: 'a record or a list of tools, agents and functions',
  fits: (value) => Array.isArray(value) || expected.object.fits(value),
}

const schema: Expected = { words: 'a Standard Schema (zod, valibot, ...) or jsonSchema(...)', fits: isSchema }

const recordShape: Shape & Record<keyof RecordOptions, Expected> = { deltas: expected.flag }

/** What the options of an agent must be. Models, journals, policies, tools and layers are looked into where they are compiled. */
export const agentShape: Shape & Record<keyof AgentOptions, Expected> = {
  name: expected.name,
  description: expected.text,
  instructions: expected.either(expected.text, expected.function),
  layers: expected.object,
  model: expected.anything,
  settings: expected.options(settingsShape),
  tools: expected.either(tools, expected.function),
  output: schema,
  deps: expected.anything,
  permissions: expected.anything,
  guards: guardsShape,
  hooks: expected.list(expected.object, 'a list of hooks: objects with any of the nine methods'),
  limits: expected.options(limitsShape),
  context: expectedStrategy,
  window: expected.whole(1),
  journal: expected.anything,
  behaviour: expected.options(behaviourShape),
  onQuestion: expected.function,
  observers: expected.list(expected.function, 'a list of functions'),
  record: expected.options(recordShape),
  workspace: aWorkspace,
  ports: expected.options(portsShape),
}

/** What the options of a resumption must be. */
export const resumeShape: Shape = {
  deps: expected.anything,
  model: expected.anything,
  tools,
  settings: expected.options(settingsShape),
  limits: expected.options(limitsShape),
  signal: expected.signal,
  metadata: expected.object,
  onQuestion: expected.function,
  adopt: expected.flag,
}

/** What the options of a run must be. */
export const runShape: Shape & Record<keyof RunOptions, Expected> = {
  ...(resumeShape as Record<keyof RunOptions, Expected>),
  thread: expected.anything,
  id: expected.anything,
  permissions: expected.anything,
  pin: expected.flag,
  taint: inputTaintShape,
  whenBusy: expected.oneOf('queue', 'steer', 'reject'),
}
