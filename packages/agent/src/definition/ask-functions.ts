/** What functions supply to a run: its dependencies, then its instructions and its tools. Loaded on use. */
import type { Frame } from '@loom-agent/kernel'
import type { ModelObject } from '../model/model.ts'
import { callNamed } from '../platform/call-named.ts'
import { expected } from '../platform/expected.ts'
import { checkOptions } from '../platform/options.ts'
import { listReadMore } from '../tool/read-more-listing.ts'
import type { ToolSet } from '../tool/tool-set.ts'
import { compileTools, type Toolbox } from '../tool/toolbox.ts'
import type { Situation } from './agent-options.ts'
import type { Definition } from './definition.ts'

/** What is known without asking, and what is promised. */
interface Known<Supplied> {
  /** Checks the dependencies. */
  readonly supply: (own: unknown) => Supplied
  readonly ownDeps: unknown
  readonly toolbox: Toolbox | Promise<Toolbox> | undefined
  readonly model: ModelObject | Promise<ModelObject>
  readonly metadata: Situation['metadata']
}

/** What the functions returned, and the model. */
interface Asked {
  readonly instructions: string
  readonly toolbox: Toolbox
  readonly model: ModelObject
}

/** Asks the functions of an agent, one after the other. */
export async function askFunctions<Supplied extends { readonly deps: unknown }>(
  { name, options, readMore }: Definition,
  frame: Frame,
  known: Known<Supplied>,
): Promise<Supplied & Asked> {
  const { supply, ownDeps, toolbox, model, metadata } = known
  const { thread } = frame
  const { deps, instructions = '', tools } = options
  const supplied = supply(typeof deps === 'function' ? await callNamed('deps', () => deps({ thread, metadata })) : ownDeps)
  const situation = { thread, metadata, frame, deps: supplied.deps as never }
  const system = typeof instructions === 'function' ? await callNamed('instructions', () => instructions(situation)) : instructions
  checkOptions(`agent ${name}`, { instructions: system }, { instructions: expected.required(expected.text) })
  const box =
    toolbox ??
    listReadMore(compileTools(typeof tools === 'function' ? ((await callNamed('tools', () => tools(situation))) as ToolSet<never>) : tools), readMore)
  return {
    ...supplied,
    instructions: system,
    toolbox: await box,
    model: await model,
  }
}
