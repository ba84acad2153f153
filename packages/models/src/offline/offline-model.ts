/**
 * A model without a network: fixed rules that calculate and call tools. It is not a language model, and says so.
 *
 * OFFLINE-4. It is deterministic: the same messages, tools and environment give the same reply.
 * OFFLINE-5. It reports what a tool returned, in the words of the tool. After an error it says that the call did not succeed, and calls nothing more.
 */
import { jsonSchema } from '@loom-agent/agent'
import { checkOptions, expected } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import { type JsonObject, LoomError } from '@loom-agent/kernel'
import { defineModel, type GeneratedReply, type ModelCall, type ModelRequest } from '../custom/define-model.ts'
import { type Environment, settingOf, systemEnvironment } from '../provider/environment.ts'
import { knownProviders } from '../provider/provider.ts'
import { planFor, type Step } from './plan.ts'
import { type ToolView, viewOf } from './tool-view.ts'
import { readTranscript, type Transcript } from './transcript.ts'

/** The options of `offlineModel()`. */
export interface OfflineOptions {
  /** The id under which runs record it; default `rules`. */
  readonly modelId?: string
  /** The environment variables, or a function that returns them: where it looks for the names of keys; default: those of the process, read for each answer. */
  readonly env?: Environment | (() => Environment)
}

/**
 * A model for trying Loom without a key: rule-based, with real tool calls. It is not a language model, and says so.
 *
 * @example
 * const helper = agent({ name: 'helper', model: offlineModel(), tools: fileTools({ root: '.' }) })
 * await helper.run('Read notes.txt')
 */
export function offlineModel(options: OfflineOptions = {}): LanguageModelV4 {
  checkOptions('offlineModel', options, { modelId: expected.text, env: expected.either(expected.object, expected.function) })
  const { modelId = 'rules', env: given = systemEnvironment } = options
  const env = typeof given === 'function' ? given : () => given
  return defineModel({
    id: `offline/${modelId}`,
    async *stream(request) {
      const { text = '', calls = [], finish } = cut(await replyTo(request, env), request.options.maxOutputTokens)
      for (const [delta] of text.matchAll(/\S+\s*|\s+/g)) {
        request.signal?.throwIfAborted()
        yield delta
      }
      const usage = { input: tokensIn([request.messages, request.tools]), output: tokensIn(text) + (calls.length > 0 ? tokensIn(calls) : 0) }
      yield { calls, usage, ...(finish && { finish }) }
    },
  })
}

type Reply = Exclude<GeneratedReply, string>

/** About how many tokens something is: one for four characters. */
const tokensIn = (value: unknown): number => Math.ceil((typeof value === 'string' ? value : JSON.stringify(value)).length / 4)

const cut = (reply: Reply, most = Number.POSITIVE_INFINITY): Reply =>
  tokensIn(reply.text ?? '') > most ? { text: (reply.text ?? '').slice(0, most * 4).toWellFormed(), finish: 'length' } : reply

async function replyTo({ messages, tools, options }: ModelRequest, env: () => Environment): Promise<Reply> {
  const { toolChoice, responseFormat } = options
  const transcript = readTranscript(messages)
  const isOffered = (name: string): boolean => toolChoice?.type !== 'none' && (toolChoice?.type !== 'tool' || toolChoice.toolName === name)
  const next = await act(transcript, tools.filter(({ name }) => isOffered(name)).map(viewOf))
  if (typeof next !== 'string') return { calls: [next] }
  if (responseFormat?.type === 'json') return { text: await structured(next, responseFormat.schema as JsonObject | undefined) }
  return { text: transcript.answer === '' ? [...introduction(env()), next].join('\n') : next }
}

/** The answer as JSON: in the only required field, if it takes any text. Rules cannot fill any other schema. */
async function structured(answer: string, schema: JsonObject = {}): Promise<string> {
  const [field = 'answer', ...others] = Array.isArray(schema['required']) ? schema['required'].map(String) : []
  const value = { [field]: answer }
  if (others.length === 0 && (await fits(schema, value))) return JSON.stringify(value)
  const advice = 'Use a real model, or a schema with one required field of text.'
  throw new LoomError('LOOM_SCHEMA_UNSUPPORTED', `The offline model cannot answer in the form that is required. ${advice}`, { context: { schema } })
}

const greeting =
  /^(?:(?:hi|hello|hey|good (?:morning|afternoon|evening))(?: there)?|(?:who|what) are you|what can you do|help|你好|您好|你是谁|你能做什么)?[\s!,.?，。！？]*$/i
const reminder = /^If the task is finished, call /

/** The next call, or the answer. */
async function act({ sentences, results, answer }: Transcript, tools: readonly ToolView[]): Promise<string | ModelCall> {
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
async function fits(schema: JsonObject, value: unknown): Promise<boolean> {
  const { issues } = await jsonSchema(schema)['~standard'].validate(value)
  return issues === undefined
}

/** What the model is, and which real models are configured: keys and servers by the names of their variables, never by their values. */
function introduction(env: Environment): readonly string[] {
  const seen = Object.entries(knownProviders).flatMap(([name, { keys, signs, defaultModel }]) => {
    const variable = [...keys, ...signs].find((each) => settingOf(env, each) !== undefined)
    return variable === undefined || name.includes('.') ? [] : [`${variable} is set, so model: '${name}/${defaultModel ?? '<name>'}' may work`]
  })
  const keys = Object.values(knownProviders).flatMap(({ keys: [first] }) => (first === undefined ? [] : [first]))
  const none = `set ${[...new Set(keys)].join(' or ')} and give its model, or start Ollama and give model: 'ollama/<name>'`
  return ["I am Loom's offline model: fixed rules, not a language model.", `To use a real one: ${seen.length > 0 ? seen.join('; ') : none}.`]
}

/** What the model can do with its tools. */
function abilities(tools: readonly ToolView[]): string {
  const listed = tools.map(({ name, args }) => {
    const needed = args.flatMap((arg) => (arg.required ? [arg.name] : []))
    return `- ${name}${needed.length > 0 ? ` (${needed.join(', ')})` : ''}`
  })
  const calculate = 'I can calculate, such as 2 + 2 * 10'
  if (listed.length === 0) return `${calculate}. I have no tools here.`
  return [`${calculate}, and call these tools by their names or plain words, with texts in quotation marks:`, ...listed].join('\n')
}
