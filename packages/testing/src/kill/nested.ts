/** Agents inside agents: at the bottom, three levels down, a durable tool asks twice and acts before, between and after. */
import { type Agent, agent, jsonSchema, type Tool, tool } from '@loom-agent/agent'
import type { Journal } from '@loom-agent/kernel'
import { type ScriptedModel, scriptedModel } from '../scripted-model.ts'
import type { Outside } from './outside.ts'
import type { Place } from './place.ts'

/** What a process of the tree is told to do. */
export interface NestedJob {
  readonly life: string
  /** Which process it is, counted from 1. */
  readonly process: number
  readonly place: Place
  readonly port: number
  readonly thread: string
  /** Which of the open questions is answered, as a part of all; undefined for a process that only begins. */
  readonly pick?: number
}

/** What a process says when the tree rests. */
export interface NestedRest {
  readonly status: string
  readonly text: string
  readonly open: number
  /** The question that was answered, and the value that was given. */
  readonly answered?: { readonly prompt: string; readonly value: string }
}

/** Who is asked about, side by side. */
export const subjects = ['a', 'b', 'c'] as const
/** The steps of each, before, between and after its questions. */
export const surveySteps = ['begin', 'middle', 'end'] as const
/** Levels of agents above the tool that asks. */
export const levels = 3

/** The root of the tree, in whichever process. */
export function nestedAgent({ life, process: number }: Pick<NestedJob, 'life' | 'process'>, outside: Outside, journal: Journal): Agent {
  const survey = surveyTool((label) => outside.act({ life, process: number, label }))
  let child: Agent = agent({ name: `level-${levels}`, model: relay('survey'), tools: { survey } })
  for (let level = levels - 1; level > 0; level -= 1) child = agent({ name: `level-${level}`, model: relay('below'), tools: { below: child } })
  const model = scriptedModel(({ prompt }) => {
    const results = resultsIn(prompt)
    if (results.length > 0) return results.join('; ')
    return { calls: subjects.map((subject) => ({ tool: 'below', input: { prompt: subject }, id: subject })) }
  })
  return agent({ name: 'root', model, tools: { below: child }, journal })
}

/** Hands on what it is asked, and answers what it gets. */
function relay(name: string): ScriptedModel {
  return scriptedModel(({ prompt }) => {
    const [result] = resultsIn(prompt)
    if (result !== undefined) return result
    const said = prompt.flatMap((message) => (message.role === 'user' ? message.content : [])).find((part) => part.type === 'text')
    return { calls: [{ tool: name, input: { prompt: said?.text ?? '' }, id: 'one' }] }
  })
}

type Prompt = Parameters<ScriptedModel['doStream']>[0]['prompt']

function resultsIn(prompt: Prompt): readonly string[] {
  const results = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
  return results.flatMap((part) => (part.type === 'tool-result' && 'value' in part.output ? [String(part.output.value)] : []))
}

function surveyTool(act: (label: string) => Promise<void>): Tool {
  return tool({
    name: 'survey',
    input: jsonSchema<{ prompt: string }>({ type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] }),
    durable: true,
    async run({ prompt: subject }, { step, ask }) {
      const perform = (name: (typeof surveySteps)[number]) => step(name, () => act(`${subject}/${name}`))
      const asking = async (prompt: string): Promise<string> => {
        const answer = await ask(prompt)
        return answer.kind === 'respond' ? String(answer.value) : answer.kind
      }
      await perform('begin')
      const first = await asking(`first of ${subject}`)
      await perform('middle')
      const second = await asking(`second of ${subject}`)
      await perform('end')
      return `${subject}: ${first}, ${second}`
    },
  })
}
