/** Stage 1: find the tool. */
import type { Call } from '@loom-agent/kernel'
import { jsonText, messageOf, toSentence } from '../platform/normalize.ts'
import { nearest } from '../platform/options.ts'
import { type CallScene, incompatible, refuse, type Staged } from './call-job.ts'
import type { ErasedDefinition } from '../tool/define.ts'

const shown = (name: string): string => (name.length > 80 ? `${name.slice(0, 80)}...` : name)

/** Finds the tool of a call and whether it is available. A call that somebody answered or that had begun is never quietly turned into an error. */
export function discover(call: Call, scene: CallScene): Staged {
  const { name } = call.part
  const tool = scene.toolbox.tools.get(name)
  if (!tool) {
    if (call.start || call.answer) return incompatible(call, scene, `The tool ${shown(name)} does not exist any more.`)
    const names = [...scene.toolbox.tools.keys()]
    const near = nearest(name, names)
    const advice = near
      ? `Did you mean ${near}?`
      : names.length > 0
        ? `The tools are: ${names.join(', ')}.`
        : 'There are no tools; answer without one.'
    return refuse(call, 'not-found', `There is no tool called "${shown(name)}". ${advice}`)
  }
  const { available = true } = tool.definition
  // A call that had begun is gone on with, or told apart by its effect: it was available when it began.
  const problem = available === true || call.start ? undefined : unavailability(available, scene)
  if (problem !== undefined) return refuse(call, 'unavailable', `The tool ${name} is not available now${problem} Do without it, or try later.`)
  return { kind: 'go', job: { call, tool, input: call.input, value: call.input } }
}

/** Undefined when the tool is available; otherwise why it is not, as far as it can say. */
function unavailability(available: ErasedDefinition['available'], { thread, deps }: CallScene): string | undefined {
  try {
    const answer: unknown = typeof available === 'function' ? available({ thread, deps }) : available
    if (typeof answer === 'boolean') return answer ? undefined : '.'
    return `: it answered ${jsonText(answer)}, which is neither true nor false.`
  } catch (error) {
    return `: ${toSentence(messageOf(error))}`
  }
}
