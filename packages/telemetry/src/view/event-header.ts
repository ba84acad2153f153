/** Events in one line each: what a list of a hundred thousand of them shows. */
import type { EventData, EventType, FileChange, Json, LoomEvent, Message, Output, Part } from '@loom-agent/kernel'

/** An event without its data. */
export interface EventHeader {
  /** Its number on the thread. */
  readonly seq: number
  /** When it was stored, in milliseconds since 1970. */
  readonly time: number
  /** What has happened. */
  readonly type: string
  /** The run it belongs to. */
  readonly run?: string
  /** The turn it belongs to. */
  readonly turn?: number
  /** What it is about, in a few words; at most 120 characters. */
  readonly label: string
}

const most = 120

/** The first line of a text, cut where it is too long. */
export function shortened(text: string, length: number = most): string {
  const line = text.trimStart().split('\n', 1)[0]?.trimEnd() ?? ''
  if (line.length <= length) return line
  const cut = line.slice(0, length - 1)
  // Half of a surrogate pair is no character.
  return `${/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut}…`
}

/** The words of parts: texts as they are, everything else by its kind. */
export function wordsOf(parts: readonly Part[]): string {
  return parts
    .map((part) => (part.type === 'text' ? part.text : part.type === 'call' ? `${part.name}(${jsonOf(part.input)})` : `[${part.type}]`))
    .join(' ')
}

/** The words of a message. */
export const messageWords = (message: Message): string =>
  message.role === 'tool' ? message.results.map(({ output }) => outputWords(output)).join(' ') : wordsOf(message.parts)

/** The words of an output. */
export const outputWords = (output: Output): string =>
  output.type === 'json' ? jsonOf(output.value) : output.type === 'parts' ? wordsOf(output.value) : output.value

const jsonOf = (value: Json): string => JSON.stringify(typeof value === 'string' ? value.slice(0, 2 * most) : value)

type Labels = { readonly [T in EventType]: (data: Readonly<EventData[T]>) => string }

const inputOf = (request: { readonly input: readonly Message[] }): string => messageWords(request.input.at(-1) ?? { role: 'user', parts: [] })
const named = (name: string | undefined): string => name ?? ''
const pathsOf = (files: readonly FileChange[] = []): string => files.map(({ path }) => path).join(', ')

const labels: Labels = {
  'thread.started': ({ agent }) => agent,
  'thread.adopted': ({ agent, from }) => `${from} → ${agent}`,
  'thread.forked': ({ from }) => `from ${from}`,
  'breakpoints.changed': ({ breakpoints }) => breakpoints.map(({ on, id }) => on ?? id).join(', '),
  'labels.changed': ({ labels: changed }) => JSON.stringify(changed),
  'schedule.set': ({ name, agent, paused }) => `${name} of ${agent}${paused ? ', paused' : ''}`,
  'schedule.due': ({ starts, to }) => `${starts.length} to start, up to ${new Date(to).toISOString()}`,
  'schedule.started': ({ runs }) => `${runs.filter((run) => 'run' in run).length} of ${runs.length} started`,
  'webhook.moved': ({ delivered, dropped = [] }) => `${delivered} delivered, ${dropped.length} given up`,
  'driver.acquired': ({ epoch, worker }) => `epoch ${epoch} by ${worker}`,
  'run.queued': ({ run, request }) => `${run}: ${inputOf(request)}`,
  'run.started': (data) => ('request' in data ? `${data.run}: ${inputOf(data.request)}` : `${data.run}, queued at ${data.queued}`),
  'run.suspended': ({ reason, stop }) => (stop ? `${reason} at ${stop.at}` : reason),
  'run.resumed': ({ cause }) => cause,
  'run.stop-requested': ({ reason }) => reason,
  'run.pause-requested': ({ by }) => named(by),
  'run.finished': ({ output }) => (output === undefined ? '' : jsonOf(output)),
  'run.failed': ({ error }) => `${error.code}: ${error.message}`,
  'run.stopped': ({ kind, reason }) => `${kind}: ${reason}`,
  'turn.entered': ({ turn, loop }) => (loop ? `turn ${turn}, ${loop.tool} repeats` : `turn ${turn}`),
  'message.steered': ({ message }) => messageWords(message),
  'signal.received': ({ name }) => name,
  'context.assembled': ({ rebase }) => (rebase ? `rebase: ${rebase.reason}` : 'extend'),
  'context.compact-requested': ({ by }) => named(by),
  'context.compressed': ({ from, to, by }) => `${from} to ${to} by ${by ?? 'model'}`,
  'context.compression-failed': ({ error }) => `${error.code}: ${error.message}`,
  'retrieval.finished': ({ query, documents }) => `${documents.length} for ${query}`,
  'model.requested': ({ attempt, model }) => [`attempt ${attempt}`, ...(model === undefined ? [] : [model])].join(', '),
  'model.replied': ({ parts }) => wordsOf(parts),
  'model.failed': ({ error }) => `${error.code}: ${error.message}`,
  'model.streamed': ({ deltas }) => `${deltas.length} deltas`,
  'tool.denied': ({ call, reason }) => `${call}: ${reason}`,
  'tool.started': ({ call, effect }) => `${call}, ${effect}`,
  'tool.step-started': ({ call, key }) => `${call}: ${key}`,
  'tool.step-finished': ({ call, key, error }) => `${call}: ${key}${error ? `, ${error.code}` : ''}`,
  'tool.suspended': ({ call }) => call,
  'tool.finished': ({ call, output }) => `${call}: ${outputWords(output)}`,
  'tool.in-doubt': ({ call }) => call,
  'question.asked': ({ prompt }) => prompt,
  'question.answered': ({ id, answer }) => `${id}: ${answer.kind}`,
  'question.expired': ({ id }) => id,
  'child.started': ({ call, agent, child }) => `${call}: ${agent} as ${child}`,
  'child.finished': ({ call, child, error }) => `${call}: ${child}${error ? `, ${error.code}` : ''}`,
  'hook.applied': ({ point, hook }) => (hook === undefined ? point : `${point} by ${hook}`),
  'limit.raised': ({ limits }) => JSON.stringify(limits),
  'memory.recorded': ({ key }) => key,
  'workspace.changed': ({ files, call, by }) => `${pathsOf(files)} by ${call ?? by ?? 'others'}`,
  'workspace.restore-started': ({ at, files }) => `as at ${at}: ${pathsOf(files)}`,
  'workspace.restored': ({ files, conflicts = [] }) => `${pathsOf(files)}${conflicts.length > 0 ? `, ${conflicts.length} left as they are` : ''}`,
  'agent.upgraded': ({ from, to }) => `${from} → ${to}`,
}

/** An event in one line. One of a type that this version does not know has its type alone. */
export function headerOf({ seq, time, type, run, turn, data }: LoomEvent): EventHeader {
  const label = Object.hasOwn(labels, type) ? (labels[type] as (given: object) => string)(data) : ''
  return { seq, time, type, ...(run !== undefined && { run }), ...(turn !== undefined && { turn }), label: shortened(label) }
}
