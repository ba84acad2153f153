/** The agent of a process that will be killed: its model is decided by the prompt, so that any process can go on. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Agent, agent, approve, type Question, respond, type SignedAnswer } from '@loom-agent/agent'
import type { LanguageModelV4CallOptions } from '@loom-agent/agent/language-model'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import { type ScriptedModel, type ScriptedReply, scriptedModel } from '../scripted-model.ts'
import { closing, outcomeOf, planOf, stepValue, type ToolName } from './plan.ts'
import { type VictimScene, victimTools } from './victim-tools.ts'

/** The agent that goes on with the threads of a job. */
export function victimAgent(scene: VictimScene, journal: Journal): Agent {
  const { job, announcer } = scene
  const tell = (event: LoomEvent): void => announcer.say({ kind: 'told', event })
  // Who recovers has no handle to watch: what its observers hear is what clients are told.
  const observers = job.way === 'recover' ? [tell] : []
  const { add, put, send, book, ...others } = victimTools(scene)
  const aide = agent({ name: 'aide', model: modelOf(scene), tools: { add, put, send, book }, observers, behaviour: { outputLimit: 100_000 } })
  let ids = 0
  return agent({
    name: 'clerk',
    model: modelOf(scene),
    tools: { add, put, send, book, ...others, aide },
    journal,
    observers,
    behaviour: { outputLimit: 100_000 },
    // The first id names the driver: in its journal a life shows which of its processes wrote what.
    ports: { ids: () => `${job.process}:${process.pid}:${++ids}` },
    ...(job.attended && { onQuestion: (question: Question) => answerTo(scene, question) }),
  })
}

function modelOf({ announcer }: VictimScene): ScriptedModel {
  return scriptedModel((request) => {
    announcer.enter('model')
    const until = pause(1).then(() => announcer.leave('model'))
    return { ...replyTo(request), until }
  })
}

/** What the model says: the next turn of the plan that the input asks for. */
function replyTo({ prompt }: LanguageModelV4CallOptions): ScriptedReply {
  const said = prompt.flatMap((message) => (message.role === 'user' ? message.content : [])).find((part) => part.type === 'text')
  const { turns } = planOf(said?.text ?? '')
  const turn = prompt.filter(({ role }) => role === 'assistant').length
  const calls = turns[turn]?.map(({ tool, input }, index) => ({ tool, input, id: `c${turn + 1}.${index}` }))
  if (calls) return { calls }
  const results = prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
  return { text: closing(results.map((result) => (result.type === 'tool-result' && 'value' in result.output ? String(result.output.value) : ''))) }
}

/** Answers a question. Whether a call in doubt has happened is what the outside says. */
async function answerTo({ job, outside }: VictimScene, question: Question): Promise<SignedAnswer> {
  const { thread, kind, id, call } = question
  const place = id.slice(thread.length + 1, id.lastIndexOf('#'))
  switch (kind) {
    case 'approval':
    case 'parked':
      return approve()
    case 'choice':
      return respond(`yes to ${call?.id}`)
    case 'in-doubt': {
      const { faults, life } = job
      const happened = (await outside.count(life, `${thread}/${place}`)) > 0
      if (faults.includes('careless-human') || (!happened && !faults.includes('credulous-human'))) return approve()
      return respond(valueIn(question, place))
    }
    default:
      throw new Error(`Nobody expected the question ${id} (${kind}): ${question.prompt}`)
  }
}

/** What a call in doubt, or a step of it, would have given. */
function valueIn({ call }: Question, place: string): string {
  const input = call?.input as { readonly what: string; readonly size: number }
  const [, step] = /\/step:(\w+):/.exec(place) ?? []
  return step === undefined ? outcomeOf({ tool: call?.tool as ToolName, input }) : stepValue(step, input.what)
}
