/**
 * A model without a network and without a mind: fixed rules that read plain requests and call tools. It says so itself.
 *
 * 1. It is deterministic: no clock, no chance, no memory. The same messages and tools give the same reply.
 * 2. It never makes up an argument, and begins nothing that it does not understand to its end.
 */
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@loom-agent/agent/language-model'
import { act } from './acting.ts'
import { canAnswer } from './clauses.ts'
import { bareLength } from './entities.ts'
import { instanceOf, namedIn } from './instance.ts'
import type { LanguagePack } from './language/pack.ts'
import { type Plan, type Problem, planFor, type Stage } from './plan.ts'
import { contentOf, cutReply, finishOf, partsOf, type Reply, usageOf } from './reply.ts'
import type { JsonSchema } from './slots.ts'
import { cardsOf, type ToolCard } from './tool-card.ts'
import { readTranscript, type Transcript } from './transcript.ts'

/** What `offlineModel()` takes. */
export interface OfflineOptions {
  /** The id under which runs record it; default `rules`. */
  readonly modelId?: string
  /** How many characters of a tool's result an answer shows; default 2,000. */
  readonly shown?: number
}

/**
 * A model for trying things out with no key: rule-based, English and Chinese, real tool calls. It is not a language model, and says so.
 *
 * @example
 * const helper = agent({ name: 'helper', model: offlineModel(), tools: fileTools({ root: '.' }) })
 * await helper.run('Read notes.txt and write a summary to summary.md')
 */
export function offlineModel(options: OfflineOptions = {}): LanguageModelV4 {
  const { modelId = 'rules', shown = 2000 } = options
  return {
    specificationVersion: 'v4',
    provider: 'offline',
    modelId,
    supportedUrls: {},
    async doGenerate(request) {
      const reply = replyTo(request, shown)
      return { content: contentOf(reply), finishReason: finishOf(reply), usage: usageOf(request, reply), warnings: [] }
    },
    async doStream(request) {
      request.abortSignal?.throwIfAborted()
      const reply = replyTo(request, shown)
      return { stream: streamOf(partsOf(reply, usageOf(request, reply)), request.abortSignal) }
    },
  }
}

/** One part for each pull: nobody waits for words that are not wanted yet. */
function streamOf(parts: Generator<LanguageModelV4StreamPart>, signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    pull(controller) {
      if (signal?.aborted) return controller.error(signal.reason)
      const { value, done } = parts.next()
      if (done) controller.close()
      else controller.enqueue(value)
      return undefined
    },
  })
}

/** Rules try every form at every place: what is said beside quotations may not be longer than this. */
const longest = 2000

function replyTo(request: LanguageModelV4CallOptions, shown: number): Reply {
  const transcript = readTranscript(request.prompt)
  const { pack, done, replies: number, tasks, introduced } = transcript
  const size = tasks.reduce((sum, task) => sum + bareLength(task), 0)
  if (size > longest) return { text: [pack.replies.label, pack.replies.tooLong(size)].join('\n'), calls: [], number }
  const cards = cardsOf(request)
  const { stages, problem, ignored } = planOf(transcript, cards)
  const next = act(stages, { cards, pack, done, shown })
  if (next.kind === 'call' && problem === undefined) return { text: '', calls: next.calls, number }
  const found = next.kind === 'tell' ? [...next.lines, ...ignored.map((raw) => pack.replies.leftAlone(brief(raw)))] : []
  const lines = problem ? problemLines(problem, { cards, pack }) : found
  const { responseFormat, maxOutputTokens } = request
  if (responseFormat?.type === 'json')
    return { text: jsonAnswer(responseFormat.schema as JsonSchema | undefined, transcript, lines), calls: [], number }
  const text = (introduced && !problem ? lines : [pack.replies.label, ...lines]).join('\n')
  return cutReply({ text, calls: [], number }, maxOutputTokens)
}

type WholePlan = Plan & { readonly ignored: readonly string[] }

/** The plan for everything said since the last answer. What is no request is left alone as long as something else is one, and the answer says so. */
function planOf({ tasks, asked, pack }: Transcript, cards: readonly ToolCard[]): WholePlan {
  const ignored: string[] = []
  let plan: Plan = { stages: [] }
  let first: Problem | undefined
  for (const [index, task] of tasks.entries()) {
    const next = planTask(task, { asked: index === 0 ? asked : undefined, cards, pack, former: plan })
    if (!next.problem) plan = next
    else if (['needs', 'unsure', 'negated'].includes(next.problem.kind)) return { ...next, ignored: [] }
    else {
      first ??= next.problem
      ignored.push(task)
    }
  }
  return plan.stages.length > 0 ? { ...plan, ignored } : { stages: [], problem: first ?? { kind: 'greeting', raw: '' }, ignored: [] }
}

const brief = (text: string): string => (text.length > 200 ? `${text.slice(0, 200).toWellFormed()}...` : text)

interface TaskScene {
  readonly asked: string | undefined
  readonly cards: readonly ToolCard[]
  readonly pack: LanguagePack
  readonly former: Plan
}

/** A message after a question for what is missing is the answer to it, unless it is a request of its own. */
function planTask(task: string, { asked, cards, pack, former }: TaskScene): Plan {
  const ending = endingCall(task, cards)
  if (ending) return { stages: [...former.stages, ending] }
  const own = planFor(task, { cards, pack, former: former.stages })
  if (!own.problem || asked === undefined || !canAnswer(task, pack)) return own
  const completed = planFor(asked, { cards, pack, former: former.stages, answer: task })
  return completed.problem?.kind === 'cannot' ? own : completed
}

const reminder = /\bif the task is (?:finished|done|complete)[^.]*\bcall ([\w-]+)/i

/** An agent may end only by calling a tool, and is reminded of it. */
function endingCall(task: string, cards: readonly ToolCard[]): Stage | undefined {
  const name = reminder.exec(task)?.[1]
  const card = cards.find((each) => each.name === name && each.slots.every(({ required }) => !required))
  return card && { kind: 'calls', calls: [{ tool: card.name, input: {}, looks: false }], show: 'nothing', about: card.name }
}

function problemLines(problem: Problem, { cards, pack: { replies } }: { cards: readonly ToolCard[]; pack: LanguagePack }): readonly string[] {
  const abilities = replies.abilities(
    cards.map(({ name, slots }) => ({ name, needs: slots.filter(({ required }) => required).map((slot) => slot.name) })),
  )
  switch (problem.kind) {
    case 'identity':
      return [replies.hello(), abilities]
    case 'greeting':
      return [replies.greeting(), abilities]
    case 'negated':
      return [replies.negated(brief(problem.raw))]
    case 'needs':
      return [...(problem.words ? [replies.noWords()] : []), replies.need(problem.tool, problem.fields)]
    case 'unsure':
      return [replies.unsure(problem.tools)]
    case 'cannot':
      return [problem.partly ? replies.notAll(brief(problem.raw)) : replies.cannot(brief(problem.raw)), abilities]
  }
}

function jsonAnswer(schema: JsonSchema | undefined, { tasks, done }: Transcript, lines: readonly string[]): string {
  const answer = lines.join('\n')
  if (!schema) return JSON.stringify({ answer })
  const text = [...tasks, ...done.map(({ outcome }) => outcome.text)].join('\n')
  return JSON.stringify(instanceOf(schema, { root: schema, text, answer, filled: (part) => namedIn(text, part) }))
}
