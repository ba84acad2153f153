/**
 * Decides what comes next: a call, or the answer.
 *
 * OFFLINE-5. It reports what a tool returned, in the words of the tool. After an error it says that the call did not succeed, and calls nothing more.
 */
import { jsonSchema } from '@loom-agent/agent'
import type { JsonObject } from '@loom-agent/kernel'
import type { ModelCall } from '../custom/define-model.ts'
import { abilities } from './introduction.ts'
import { planFor, type Step } from './plan.ts'
import type { ToolView } from './tool-view.ts'
import type { Transcript } from './transcript.ts'

const greeting =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there)?|(?:who|what) are you|what can you do|help|你好|您好|你是谁|你能做什么)?[\s!,.?，。！？]*$/i
const reminder = /^If the task is finished, call /

/** Returns the next call, or the answer. */
export async function act({ sentences, results, answer }: Transcript, tools: readonly ToolView[]): Promise<string | ModelCall> {
  if (sentences.some((sentence) => reminder.test(sentence))) return answer
  const plans = sentences.filter((sentence) => !greeting.test(sentence)).map((sentence) => planFor(sentence, tools))
  const rest = plans.flatMap(({ steps = [] }) => steps).slice(results.length)
  const report = results.map((result) => result.report)
  if (results.some(({ isError }) => isError)) return [...report, ...rest.map(({ tool }) => `${tool.name} was not called.`)].join('\n')
  const problem = plans.find((plan) => plan.problem !== undefined)?.problem ?? (await misfitOf(rest))
  if (problem !== undefined) return [...report, `${problem} Nothing${results.length > 0 ? ' more' : ''} was done.`, abilities(tools)].join('\n')
  const [next] = rest
  if (next) return { tool: next.tool.name, input: next.input }
  const lines = [...report, ...plans.flatMap(({ say }) => say ?? [])]
  return lines.length > 0 ? lines.join('\n') : `Hello! ${abilities(tools)}`
}

async function misfitOf(steps: readonly Step[]): Promise<string | undefined> {
  for (const { tool, input } of steps) if (!(await fits(tool.schema, input))) return `What you said does not fit the schema of ${tool.name}.`
  return undefined
}

/** Whether a value fits a JSON Schema. */
export async function fits(schema: JsonObject, value: unknown): Promise<boolean> {
  const { issues } = await jsonSchema(schema)['~standard'].validate(value)
  return issues === undefined
}
