/**
 * What each type of event carries, as far as the fold and agents read it. The compiler asks for a shape of every type.
 *
 * IMPORT-9. An imported event has a type that this version of Loom knows, and the fields that its type must have.
 */
import type { EventType, LoomEvent } from '@loom-agent/kernel'
import { own } from '@loom-agent/kernel'
import {
  amount,
  count,
  either,
  type Fields,
  fielded,
  isSet,
  json,
  listOf,
  maybe,
  name,
  namesOf,
  object,
  positive,
  text,
  threadName,
  word,
  wrongField,
} from './event-fields.ts'
import { scheduleShapes } from './schedule-shapes.ts'

const flag = word(true, false)
const effect = word('pure', 'read', 'idempotent', 'reconcilable', 'unsafe')
const failure = fielded({ code: text, message: text, recoverable: flag, context: maybe(object) })
const limits = fielded({
  turns: maybe(amount),
  tokens: maybe(amount),
  cost: maybe(amount),
  unpriced: maybe(word('refuse', 'allow')),
  time: maybe(amount),
  depth: maybe(amount),
  onReached: maybe(word('ask', 'stop')),
  loop: maybe(either(word(false), fielded({ warn: amount, nudge: amount, stop: amount }))),
})
const blob = fielded({ $blob: text, bytes: count })
const file = fielded({
  type: word('file'),
  mediaType: text,
  data: either(text, blob, fielded({ url: text })),
  name: maybe(text),
  meta: maybe(object),
})
const call = fielded({ type: word('call'), id: text, name: text, input: json, malformed: maybe(text), serial: isSet, meta: maybe(object) })
const part = either(
  fielded({ type: word('text', 'reasoning'), text, meta: maybe(object) }),
  fielded({ type: word('data'), data: json }),
  fielded({ type: word('provider'), part: json }),
  file,
  call,
)
const output = either(
  fielded({ type: word('text', 'error', 'denied'), value: text }),
  fielded({ type: word('json'), value: json }),
  fielded({ type: word('parts'), value: listOf(part) }),
)
const message = either(
  fielded({ role: word('system', 'user', 'assistant'), parts: listOf(part) }),
  fielded({ role: word('tool'), results: listOf(fielded({ call: text, id: text, name: text, output })) }),
)
const usage = fielded({ input: amount, output: amount, cacheRead: maybe(amount), cacheWrite: maybe(amount), reasoning: maybe(amount) })
const start = fielded({ id: text, digest: text })
const taintedBy = fielded({ what: text, thread: maybe(text), call: maybe(text), seq: maybe(count) })
const taint = fielded({ untrusted: maybe(taintedBy), private: maybe(taintedBy) })
const kinds = namesOf(word('path', 'command', 'url', 'host'))
const request = fielded({
  input: listOf(message),
  model: text,
  settings: maybe(object),
  limits,
  metadata: maybe(object),
  taint: maybe(taint),
  guarded: maybe(listOf(fielded({ guard: text, verdict: word('rewrite', 'block', 'ask', 'warn'), digest: text, reason: maybe(text) }))),
  agent: fielded({ name, fingerprint: text }),
  start: maybe(start),
  pin: isSet,
  needsDeps: isSet,
  unattended: maybe(word('deny')),
  done: maybe(text),
  repairs: maybe(amount),
  permissions: maybe(object),
  output: maybe(object),
})
const answer = either(
  fielded({ kind: word('approve'), scope: maybe(word('thread')), limits: maybe(limits) }),
  fielded({ kind: word('edit'), input: json }),
  fielded({ kind: word('reject'), reason: maybe(text) }),
  fielded({ kind: word('respond'), value: json }),
)
const parent = fielded({ thread: threadName, incarnation: maybe(name), call: text, key: maybe(text), depth: positive })
const tools = listOf(fielded({ name: text, description: maybe(text), schema: object, deferred: isSet }))
const by = maybe(text)
const trim = fielded({ rule: text, tools: maybe(listOf(text)), over: count, head: count, tail: count })
const segment = either(
  fielded({ to: count, as: word('kept'), trims: maybe(listOf(trim)) }),
  fielded({ to: count, as: word('dropped'), rule: text, reason: text }),
  fielded({ to: count, as: word('summary'), summary: count }),
  fielded({ to: count, as: word('summary'), text, rule: maybe(text) }),
)
const budget = fielded({ max: amount, before: amount, after: amount, window: maybe(amount) })
const item = fielded({ kind: text, id: text, origin: text, text, trust: maybe(word('untrusted')), priority: maybe(amount), pin: isSet })

const nothing = word(null)
const content = either(text, nothing)
const mode = either(count, word('link'), nothing)
const change = fielded({ path: text, before: content, after: content, workspace: maybe(text), modes: maybe(listOf(mode)) })
const conflict = fielded({
  path: text,
  reason: word('edited', 'mixed', 'not-kept', 'refused'),
  detail: maybe(text),
  wanted: maybe(content),
  expected: maybe(content),
  found: maybe(content),
})
const fileChanges = { files: maybe(listOf(change)), contents: maybe(listOf(blob)) }
const fileFacts = { ...fileChanges, unseen: maybe(text) }

const breakpoint = fielded({
  id: text,
  on: maybe(text),
  places: maybe(listOf(text)),
  tool: maybe(text),
  cost: maybe(amount),
  depth: maybe(amount),
  error: isSet,
  once: isSet,
  own: isSet,
})

const shapes: Readonly<Record<EventType, Fields>> = {
  'thread.started': { agent: name, incarnation: maybe(name), labels: maybe(object), parent: maybe(parent) },
  'thread.adopted': { agent: name, from: text },
  'thread.forked': {
    from: text,
    incarnation: maybe(name),
    effects: maybe(word('live', 'recorded', 'stub', 'ask')),
    limits: maybe(limits),
    instructions: maybe(text),
    model: maybe(text),
  },
  'labels.changed': { labels: object },
  'breakpoints.changed': { breakpoints: listOf(breakpoint), by },
  ...scheduleShapes(limits),
  'driver.acquired': { epoch: positive, worker: text },
  'run.queued': { run: name, request },
  'run.started': { run: name, request: maybe(request), queued: maybe(positive) },
  'run.suspended': { reason: text, until: maybe(amount), stop: maybe(fielded({ at: text, hit: listOf(text) })) },
  'run.resumed': { cause: text },
  'run.stop-requested': { reason: text, by, run: maybe(name) },
  'run.pause-requested': { by, run: maybe(name) },
  'run.finished': {},
  'run.failed': { error: failure },
  'run.stopped': { kind: text, reason: text, limit: maybe(text), used: maybe(amount), max: maybe(amount), partial: isSet },
  'turn.entered': {
    turn: positive,
    notes: maybe(listOf(fielded({ kind: text, text }))),
    loop: maybe(fielded({ level: text, tool: text, count: amount })),
  },
  'message.steered': { message, priority: maybe(amount), by, start: maybe(start), pin: isSet },
  'signal.received': { name: text, value: json, by, keep: isSet },
  'context.assembled': {
    rebase: maybe(
      fielded({
        reason: text,
        system: text,
        tools,
        segments: maybe(listOf(segment)),
        layers: maybe(listOf(fielded({ to: count, name: text, origin: text }))),
        budget: maybe(budget),
        lead: maybe(text),
        keepFrom: maybe(count),
      }),
    ),
    items: maybe(listOf(item)),
  },
  'context.compact-requested': { by },
  'context.compressed': {
    from: count,
    to: count,
    summary: text,
    tokensBefore: maybe(amount),
    tokensAfter: maybe(amount),
    turn: maybe(count),
    target: maybe(amount),
    by: maybe(word('model', 'extract')),
    model: maybe(text),
    usage: maybe(usage),
    cost: maybe(amount),
    drops: maybe(listOf(text)),
  },
  'context.compression-failed': { error: failure },
  'retrieval.finished': { query: text, documents: listOf(fielded({ id: text, title: maybe(text), score: maybe(amount), text })) },
  'model.requested': {
    attempt: positive,
    model: maybe(text),
    digest: maybe(text),
    reserved: maybe(fielded({ tokens: amount, cost: maybe(amount) })),
  },
  'model.replied': {
    parts: listOf(part),
    usage,
    cost: maybe(amount),
    finish: text,
    model: maybe(text),
    ms: maybe(amount),
    meta: maybe(object),
    output: maybe(either(fielded({ value: json }), fielded({ error: text }))),
    warnings: maybe(listOf(fielded({ type: text, feature: maybe(text), message: text }))),
  },
  'model.failed': { attempt: count, error: failure, retryAt: maybe(amount), partial: maybe(text), usage: maybe(usage), cost: maybe(amount) },
  'model.streamed': { attempt: count, deltas: listOf(fielded({ type: text, text, ms: amount, id: maybe(text) })), dropped: maybe(amount) },
  'tool.denied': { call: text, reason: text, errorType: text },
  'tool.started': {
    call: text,
    effect,
    durable: isSet,
    key: maybe(text),
    digest: maybe(text),
    allowedBy: maybe(text),
    taint: maybe(taint),
    kinds: maybe(kinds),
  },
  'tool.step-started': { call: text, key: text, effect, until: maybe(amount), signal: maybe(text), ...fileChanges },
  'tool.step-finished': { call: text, key: text, error: maybe(failure) },
  'tool.suspended': { call: text },
  'tool.finished': {
    call: text,
    status: word('success', 'error', 'warning'),
    output,
    errorType: maybe(text),
    ms: maybe(amount),
    stages: maybe(object),
    meta: maybe(object),
    whole: maybe(fielded({ text: blob, characters: count, lost: maybe(count) })),
    taint: maybe(taint),
    ...fileFacts,
  },
  'tool.in-doubt': { call: text, key: maybe(text) },
  'question.asked': {
    id: text,
    kind: word('approval', 'choice', 'in-doubt', 'limit', 'hook', 'incompatible', 'parked'),
    prompt: text,
    expires: maybe(amount),
    approvers: maybe(amount),
    call: maybe(text),
    key: maybe(text),
    digest: maybe(text),
    grant: maybe(text),
  },
  'question.answered': { id: text, answer, by, recorded: maybe(text) },
  'question.expired': { id: text },
  'child.started': { call: text, key: text, child: threadName, agent: name, input: maybe(text), hasResolver: maybe(flag) },
  'child.finished': {
    call: text,
    key: text,
    child: threadName,
    error: maybe(failure),
    taint: maybe(taint),
    usage: maybe(usage),
    cost: maybe(amount),
  },
  'hook.applied': { point: text, hook: maybe(text), call: maybe(text), patch: object },
  'limit.raised': { limits, by },
  'memory.recorded': { key: text, value: json },
  'workspace.changed': { ...fileFacts, call: maybe(text), by },
  'workspace.restore-started': { ...fileChanges, at: text, from: text, workspace: maybe(text), conflicts: maybe(listOf(conflict)) },
  'workspace.restored': { files: listOf(change), conflicts: maybe(listOf(conflict)) },
  'agent.upgraded': { from: text, to: text },
}

/** What an event has that its type cannot have; undefined if nothing. */
export function shapeProblem({ type, data }: LoomEvent): string | undefined {
  const fields = own(shapes, type)
  if (!fields) return `has the type ${JSON.stringify(type)?.slice(0, 80)}, which this version of Loom does not know`
  const wrong = wrongField(data, fields)
  if (wrong !== undefined) return `is a ${type} whose ${wrong} is not one`
  return type === 'run.started' && 'request' in data === 'queued' in data ? 'is a run.started that has not one origin' : undefined
}
