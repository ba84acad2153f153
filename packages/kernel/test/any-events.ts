/** Events of every type, well-typed and otherwise as odd as they come. */
import { type Draft, type EventData, type EventType, type JsonObject, type LoomEvent, place } from '@loom-agent/kernel'
import fc from 'fast-check'

type DataOf = { readonly [T in EventType]: fc.Arbitrary<EventData[T]> }

const text = fc.constantFrom('', 'a', 'hello', '1.0', '__proto__', '\ud83d\ude42')
const number = fc.oneof(fc.integer({ min: -2, max: 5 }), fc.constantFrom(0, 1e9, 2 ** 53))
/** Any JSON, without -0, which no text of JSON can tell from 0 (JSON-1). */
export const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value))) as fc.Arbitrary<JsonObject[string] & object>
const object: fc.Arbitrary<JsonObject> = fc.dictionary(fc.constantFrom('a', 'b', 'n'), json, { maxKeys: 2 })

/** Calls, keys and questions come from small sets, so that events name the same things. */
const call = fc.constantFrom('1.0', '1.1', '1.2', '2.0', '9.9', '', 'x', '1.', '.0')
const key = fc.constantFrom('step:pay:1', 'ask::1', 'run:child:1', 'sleep::1', 'wait:paid:1')
const question = fc.constantFrom(
  '1.0#1',
  '1.1/ask::1#2',
  'run:limit#3',
  'run:parked#4',
  'hook:beforeModelCall@1/0#5',
  'hook:beforeToolExecution@1.0/0#6',
  '#',
  '',
)
const run = fc.constantFrom('r1', 'r2', 'r3')
const effect = fc.constantFrom('pure', 'read', 'idempotent', 'reconcilable', 'unsafe') as fc.Arbitrary<EventData['tool.started']['effect']>

const kinds = fc.dictionary(fc.constantFrom('path', 'url'), fc.constantFrom('path' as const, 'command' as const, 'url' as const, 'host' as const))

const optional = <T extends object, K extends keyof T>(fields: { [P in keyof T]: fc.Arbitrary<T[P]> }, ...requiredKeys: K[]) =>
  fc.record(fields, { requiredKeys })

const usage = optional({ input: number, output: number, cacheRead: number, cacheWrite: number, reasoning: number }, 'input', 'output')
const failure = fc.record({ code: fc.constantFrom('LOOM_MODEL_FAILED', 'OTHER'), message: text, recoverable: fc.boolean() })
const limits = optional({
  turns: number,
  tokens: number,
  cost: number,
  time: number,
  depth: number,
  onReached: fc.constantFrom('ask' as const, 'stop' as const),
  loop: fc.oneof(fc.constant(false as const), fc.record({ warn: number, nudge: number, stop: number })),
})
const part = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), text }),
  fc.record({ type: fc.constant('data' as const), data: json }),
  optional(
    { type: fc.constant('call' as const), id: text, name: text, input: json, serial: fc.constant(true as const) },
    'type',
    'id',
    'name',
    'input',
  ),
)
const output = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'error' as const, 'denied' as const), value: text }),
  fc.record({ type: fc.constant('json' as const), value: json }),
  fc.record({ type: fc.constant('parts' as const), value: fc.array(part, { maxLength: 2 }) }),
)
const said = fc.record({ role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const), parts: fc.array(part, { maxLength: 2 }) })
const results = fc.record({
  role: fc.constant('tool' as const),
  results: fc.array(fc.record({ call, id: text, name: text, output }), { maxLength: 2 }),
})
const message = fc.oneof(said, results)
const taintedBy = optional({ what: text, thread: text, call, seq: number }, 'what')
const taint = optional({ untrusted: taintedBy, private: taintedBy })
const outcome = optional(
  {
    status: fc.constantFrom('success' as const, 'error' as const, 'warning' as const),
    output,
    errorType: text,
    ms: number,
    stages: object,
    meta: object,
    whole: optional({ text: fc.record({ $blob: text, bytes: number }), characters: number, lost: number }, 'text', 'characters'),
    taint,
  },
  'status',
  'output',
)
const answer = fc.oneof(
  optional({ kind: fc.constant('approve' as const), scope: fc.constant('thread' as const), limits }, 'kind'),
  fc.record({ kind: fc.constant('edit' as const), input: json }),
  optional({ kind: fc.constant('reject' as const), reason: text }, 'kind'),
  fc.record({ kind: fc.constant('respond' as const), value: json }),
)
const signalName = fc.constantFrom('paid', 'sent')
const start = fc.record({ id: text, digest: text })
const verdict = fc.constantFrom('rewrite' as const, 'block' as const, 'ask' as const, 'warn' as const)
const guarded = fc.array(optional({ guard: text, verdict, digest: text, reason: text }, 'guard', 'verdict', 'digest'), { maxLength: 2 })
const request = optional(
  {
    start,
    input: fc.array(message, { maxLength: 2 }),
    agent: fc.record({ name: text, fingerprint: text }),
    model: text,
    settings: object,
    limits,
    metadata: object,
    taint,
    guarded,
    needsDeps: fc.constant(true as const),
    unattended: fc.constant('deny' as const),
    done: text,
    repairs: number,
    permissions: object,
  },
  'input',
  'agent',
  'model',
  'limits',
)
const tool = optional({ name: text, schema: object, deferred: fc.constant(true as const) }, 'name', 'schema')
const note = fc.record({ kind: fc.constantFrom('loop' as const, 'repair' as const, 'done' as const), text })
/** Patches as hooks make them. */
const patch = optional({
  input: json,
  outcome: outcome as fc.Arbitrary<JsonObject>,
  parts: fc.array(part, { maxLength: 3 }) as fc.Arbitrary<readonly JsonObject[]>,
  say: fc.array(said, { maxLength: 2 }) as fc.Arbitrary<readonly JsonObject[]>,
  steering: fc.array(fc.record({ seq: number, message: said }), { maxLength: 2 }) as fc.Arbitrary<readonly JsonObject[]>,
  settings: object,
  limits: limits as fc.Arbitrary<JsonObject>,
  system: text,
}) as fc.Arbitrary<JsonObject>
const point = fc.constantFrom('beforeIterationStart', 'afterContextAssembly', 'beforeModelCall', 'afterModelReply', 'afterToolExecution', 'nowhere')
const questionKind = fc.constantFrom('approval', 'choice', 'in-doubt', 'limit', 'hook', 'incompatible', 'parked') as fc.Arbitrary<
  EventData['question.asked']['kind']
>

const parentLink = optional({ thread: text, incarnation: text, call, key, depth: number }, 'thread', 'call', 'depth')

const hash = fc.constantFrom('h1', 'h2', null)
const file = optional(
  {
    path: text,
    before: hash,
    after: hash,
    workspace: text,
    modes: fc.tuple(fc.constantFrom(420, 'link' as const, null), fc.constantFrom(493, null)),
  },
  'path',
  'before',
  'after',
)
const fileChanges = {
  files: fc.array(file, { maxLength: 2 }),
  contents: fc.array(fc.record({ $blob: text, bytes: number }), { maxLength: 2 }),
}
const fileFacts = { ...fileChanges, unseen: text }
const conflict = optional({ path: text, reason: fc.constantFrom('edited' as const, 'refused' as const), wanted: hash }, 'path', 'reason')

const waits = ['question', 'paused', 'waiting', 'breakpoint'] as const
const places = ['first', 'context', 'model', 'tools', 'next', 'again', 'end'] as const
const breakpoint = optional(
  {
    ...{ id: text, on: text, places: fc.array(fc.constantFrom(...places)), tool: text, cost: number, depth: number },
    ...{ error: fc.constant(true as const), once: fc.constant(true as const), own: fc.constant(true as const) },
  },
  'id',
)

const ofThreads = {
  'thread.started': optional({ agent: text, labels: object, parent: parentLink }, 'agent'),
  'thread.adopted': fc.record({ agent: text, from: text }),
  'thread.forked': optional({ from: text, edits: json, instructions: text, model: text }, 'from'),
  'driver.acquired': fc.record({ epoch: fc.integer({ min: 1, max: 4 }), worker: text }),
  'run.queued': fc.record({ run, request }),
  'run.started': fc.oneof(fc.record({ run, request }), fc.record({ run, queued: fc.integer({ min: 1, max: 20 }) })),
  'run.suspended': optional({ reason: fc.constantFrom(...waits), until: number, stop: fc.record({ at: text, hit: fc.array(text) }) }, 'reason'),
  'run.resumed': fc.record({ cause: text }),
  'run.stop-requested': optional({ reason: text, by: text, run: fc.constantFrom('r1', 'r2', 'r3') }, 'reason'),
  'run.pause-requested': optional({ by: text, run: fc.constantFrom('r1', 'r2', 'r3') }),
  'run.finished': optional({ output: json }),
  'run.failed': fc.record({ error: failure }),
  'run.stopped': optional(
    {
      kind: fc.constantFrom('cancelled' as const, 'limit' as const, 'budget' as const, 'loop' as const),
      reason: text,
      limit: text,
      used: number,
      max: number,
      partial: fc.constant(true as const),
    },
    'kind',
    'reason',
  ),
  'limit.raised': optional({ limits, by: text }, 'limits'),
  'memory.recorded': fc.record({ key: text, value: json }),
  'labels.changed': fc.record({ labels: fc.dictionary(text, json) }),
  'breakpoints.changed': fc.record({ breakpoints: fc.array(breakpoint, { maxLength: 3 }) }),
  'schedule.set': optional(
    {
      name: text,
      agent: text,
      timing: fc.oneof(
        fc.record({ at: number }),
        optional({ cron: text, zone: text, until: number }, 'cron', 'zone'),
        optional({ interval: number, from: number, until: number }, 'interval', 'from'),
      ),
      start: optional({ input: json, thread: text, limits, settings: object, metadata: object }, 'input'),
      missed: fc.constantFrom('skip' as const, 'once' as const, 'all' as const),
      most: number,
      grace: number,
      from: number,
      paused: fc.constant(true as const),
      by: text,
      wakeAt: number,
    },
    ...(['name', 'agent', 'timing', 'start', 'missed', 'most', 'grace', 'from'] as const),
  ),
  'schedule.due': optional(
    { set: number, to: number, starts: fc.array(number, { maxLength: 2 }), skipped: fc.record({ from: number, to: number }), wakeAt: number },
    ...(['set', 'to', 'starts'] as const),
  ),
  'schedule.started': optional(
    {
      runs: fc.array(
        fc.oneof(fc.record({ time: number, thread: text, run: text }), fc.record({ time: number, error: fc.record({ code: text, message: text }) })),
        { maxLength: 2 },
      ),
      wakeAt: number,
    },
    'runs',
  ),
  'webhook.moved': optional(
    {
      cursor: text,
      delivered: number,
      dropped: fc.array(fc.record({ id: text, thread: text, seq: number, attempts: number, problem: text }), { maxLength: 2 }),
      stale: fc.constant(true as const),
    },
    'cursor',
    'delivered',
  ),
  'agent.upgraded': fc.record({ from: text, to: text }),
  'message.steered': optional({ message, priority: number, by: text, start }, 'message'),
  'signal.received': optional({ name: signalName, value: json, by: text }, 'name', 'value'),
  'workspace.changed': optional({ ...fileFacts, call, by: text }),
  'workspace.restore-started': optional({ ...fileChanges, at: text, from: text, conflicts: fc.array(conflict, { maxLength: 2 }) }, 'at', 'from'),
  'workspace.restored': optional({ files: fileChanges.files, conflicts: fc.array(conflict, { maxLength: 2 }) }, 'files'),
}

const trim = optional(
  { rule: text, tools: fc.array(text, { maxLength: 2 }), over: number, head: number, tail: number },
  'rule',
  'over',
  'head',
  'tail',
)
const segment = fc.oneof(
  optional({ to: number, as: fc.constant('kept' as const), trims: fc.array(trim, { maxLength: 2 }) }, 'to', 'as'),
  fc.record({ to: number, as: fc.constant('dropped' as const), rule: text, reason: text }),
  fc.record({ to: number, as: fc.constant('summary' as const), summary: number }),
  fc.record({ to: number, as: fc.constant('summary' as const), text }),
)
const budget = fc.record({ max: number, before: number, after: number })

const ofTurns = {
  'turn.entered': optional(
    {
      turn: fc.integer({ min: 0, max: 3 }),
      notes: fc.array(note, { maxLength: 2 }),
      loop: fc.record({ level: fc.constantFrom('warn' as const, 'nudge' as const), tool: text, count: number }),
    },
    'turn',
  ),
  'context.assembled': optional({
    rebase: optional(
      {
        reason: text,
        system: text,
        tools: fc.array(tool, { maxLength: 2 }),
        segments: fc.array(segment, { maxLength: 3 }),
        budget,
        layers: fc.array(fc.record({ to: number, name: text, origin: text }), { maxLength: 2 }),
      },
      'reason',
      'system',
      'tools',
    ),
    items: fc.array(
      optional({ kind: text, id: text, origin: text, text, priority: number, pin: fc.constant(true as const) }, 'kind', 'id', 'origin', 'text'),
      {
        maxLength: 2,
      },
    ),
  }),
  'context.compact-requested': optional({ by: text }),
  'context.compressed': optional(
    {
      from: number,
      to: number,
      summary: text,
      tokensBefore: number,
      tokensAfter: number,
      by: fc.constantFrom('model' as const, 'extract' as const),
      usage,
      cost: number,
    },
    'from',
    'to',
    'summary',
  ),
  'context.compression-failed': fc.record({ error: failure }),
  'retrieval.finished': fc.record({
    query: text,
    documents: fc.array(optional({ id: text, title: text, score: number, text }, 'id', 'text'), { maxLength: 2 }),
  }),
  'model.requested': optional(
    { attempt: number, model: text, digest: text, reserved: optional({ tokens: number, cost: number }, 'tokens') },
    'attempt',
  ),
  'model.replied': optional(
    {
      parts: fc.array(part, { maxLength: 3 }),
      usage,
      cost: number,
      finish: text,
      model: text,
      ms: number,
      meta: object,
      output: fc.oneof(fc.record({ value: json }), fc.record({ error: text })),
    },
    'parts',
    'usage',
    'finish',
  ),
  'model.streamed': optional(
    {
      attempt: number,
      deltas: fc.array(fc.record({ type: fc.constantFrom('text-delta' as const, 'input-delta' as const), text, ms: number })),
      dropped: number,
    },
    'attempt',
    'deltas',
  ),
  'model.failed': optional({ attempt: number, error: failure, retryAt: number, partial: text, usage, cost: number }, 'attempt', 'error'),
  'hook.applied': optional({ point, hook: text, call, patch }, 'point', 'patch'),
}

const ofCalls = {
  'tool.denied': fc.record({ call, reason: text, errorType: text }),
  'tool.started': optional(
    { call, effect, durable: fc.constant(true as const), key: text, digest: text, input: json, allowedBy: text, taint, kinds },
    'call',
    'effect',
  ),
  'tool.step-started': optional({ call, key, effect, until: number, signal: signalName, ...fileChanges }, 'call', 'key', 'effect'),
  'tool.step-finished': optional({ call, key, value: json, error: failure }, 'call', 'key'),
  'tool.suspended': fc.record({ call }),
  'tool.finished': fc.tuple(call, outcome, optional(fileFacts)).map(([id, ended, facts]) => ({ call: id, ...ended, ...facts })),
  'tool.in-doubt': optional({ call, key }, 'call'),
  'question.asked': optional(
    {
      id: question,
      kind: questionKind,
      prompt: text,
      show: json,
      schema: json,
      expires: number,
      approvers: number,
      call,
      key: fc.oneof(key, fc.constantFrom('tokens', 'cost')),
      digest: text,
      grant: text,
    },
    'id',
    'kind',
    'prompt',
  ),
  'question.answered': optional({ id: question, answer, by: text, recorded: text }, 'id', 'answer'),
  'question.expired': fc.record({ id: question }),
  'child.started': optional({ call, key, child: text, agent: text, input: text, hasResolver: fc.boolean() }, 'call', 'key', 'child', 'agent'),
  'child.finished': optional({ call, key, child: text, value: json, error: failure, taint, usage, cost: number }, 'call', 'key', 'child'),
}

/** What each type may carry: a type that is added to the union and not here does not compile. */
export const anyData: DataOf = { ...ofThreads, ...ofTurns, ...ofCalls }

/** The types, by whether they belong to a run. */
export const runTypes: readonly EventType[] = (Object.keys(anyData) as EventType[]).filter(
  (type) =>
    !/^(thread|message|signal|memory|labels|breakpoints|workspace|schedule|webhook)\.|^driver\.acquired$|^context\.compact-requested$|^run\.(queued|started)$/.test(
      type,
    ),
)

/** A draft of one of the types. */
export function draftOf(...types: readonly EventType[]): fc.Arbitrary<Draft> {
  return fc.oneof(...types.map((type) => (anyData[type] as fc.Arbitrary<EventData[EventType]>).map((data) => ({ type, data }) as Draft)))
}

/** A draft of any type; those about calls come more often, or there would be none open. */
export const anyDraft: fc.Arbitrary<Draft> = fc.oneof(
  { weight: 3, arbitrary: draftOf(...(Object.keys(anyData) as EventType[])) },
  { weight: 2, arbitrary: draftOf(...(Object.keys(ofCalls) as EventType[])) },
  { weight: 1, arbitrary: draftOf('model.replied', 'turn.entered', 'run.started') },
)

/** A turn whose model has called three tools: from here on much can happen to calls. */
export const opening: readonly Draft[] = [
  { type: 'thread.started', data: { agent: 'agent' } },
  { type: 'run.started', data: { run: 'r1', request: { input: [], agent: { name: 'agent', fingerprint: 'f' }, model: 'm', limits: {} } } },
  { type: 'driver.acquired', data: { epoch: 1, worker: 'w' } },
  { type: 'turn.entered', data: { turn: 1 } },
  { type: 'context.assembled', data: { rebase: { reason: 'start', system: '', tools: [] } } },
  { type: 'model.requested', data: { attempt: 1 } },
  {
    type: 'model.replied',
    data: {
      parts: ['a', 'b', 'c'].map((name, n) => ({ type: 'call', id: `c${n}`, name, input: {}, ...(n > 0 && { serial: true as const }) })),
      usage: { input: 1, output: 1 },
      finish: 'tool-calls',
    },
  },
]

/** Histories: nothing makes sense in them but the types. Half of them begin with calls that are open. */
export const anyHistory: fc.Arbitrary<readonly LoomEvent[]> = fc
  .tuple(fc.boolean(), fc.array(anyDraft, { maxLength: 40, size: 'max' }))
  .map(([begun, drafts]) => place({ thread: 't', seq: 1, time: 5 }, begun ? [...opening, ...drafts] : drafts))
