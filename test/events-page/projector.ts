/**
 * A reader of threads that was written from docs/reference/events.md alone: messages, status, open questions, tokens and cost.
 *
 * It imports nothing of Loom. Where it does not agree with Loom's frames, the page is wrong or incomplete.
 */
import type { Fields, PageEvent, ProjectedRun, Projection } from './projection.ts'

/** A reader that is given the events of a thread in order. */
export interface Projector {
  readonly projection: Projection
  apply(event: PageEvent): void
}

const usageFields = ['input', 'output', 'cacheRead', 'cacheWrite', 'reasoning']
const forEnded = new Set(['run.resumed', 'limit.raised', 'agent.upgraded', 'question.answered', 'question.expired'])
const ended = new Set(['finished', 'failed', 'stopped'])

/** A reader that knows the versions of the page. */
export function createProjector(versions: ReadonlyMap<string, number>): Projector {
  const projection: Projection = {
    history: [],
    turn: 0,
    run: undefined,
    queue: [],
    questions: new Map(),
    waiting: [],
    calls: [],
    isReplyAwaited: false,
  }
  return {
    projection,
    apply(event) {
      const version = versions.get(event.type)
      if (version === undefined || event.v > version) return
      const ofThread = threadRules[event.type]
      if (ofThread) return ofThread(projection, event)
      const { run } = projection
      if (!run) return
      const namesCall = /^(tool|child)\./.test(event.type)
      if (ended.has(run.status) && !forEnded.has(event.type) && !namesCall) return
      if (namesCall) return applyToCall({ at: projection, run }, event)
      runRules[event.type]?.({ at: projection, run }, event)
    },
  }
}

const say = (at: Projection, { seq, turn = 0 }: PageEvent, origin: string, message: Fields): void => {
  at.history = [...at.history, { seq, turn, origin, message }]
}

const userText = (text: string): Fields => ({ role: 'user', parts: [{ type: 'text', text }] })

/** The events are none that Loom has stored: it gives every call a result before the turn ends. */
export class CallWithoutResult extends Error {}

/** Adds the results of the turn to the history. */
function closeTurn(at: Projection, event: PageEvent): void {
  if (at.calls.length === 0) return
  const results = at.calls.map(({ id, part, outcome }) => {
    if (!outcome) throw new CallWithoutResult(`the call ${id} has no result where its turn ends, at seq ${event.seq}`)
    return { call: id, id: part['id'], name: part['name'], output: outcome['output'] }
  })
  say(at, event, 'results', { role: 'tool', results })
  at.calls = []
}

function propose(at: Projection, parts: readonly Fields[]): void {
  const calls = parts.filter(({ type }) => type === 'call')
  at.calls = calls.map((part, index) => ({ id: `${at.turn}.${index}`, part, outcome: undefined }))
}

type ThreadRule = (at: Projection, event: PageEvent) => void

const threadRules: Readonly<Record<string, ThreadRule>> = {
  'thread.started': () => {},
  'thread.adopted': () => {},
  'driver.acquired': () => {},
  'run.stop-requested': () => {},
  'run.pause-requested': () => {},
  'signal.received': () => {},
  'labels.changed': () => {},
  'breakpoints.changed': () => {},
  'schedule.set': () => {},
  'schedule.due': () => {},
  'schedule.started': () => {},
  'webhook.moved': () => {},
  'memory.recorded': () => {},
  'thread.forked'(at) {
    at.queue = []
    at.questions = new Map()
    const { run } = at
    if (!run) return
    if (run.status === 'suspended') run.status = 'active'
    if (!ended.has(run.status)) run.reserved = undefined
  },
  'run.queued'(at, { seq, data }) {
    at.queue = [...at.queue, { seq, run: data['run'] as string, request: data['request'] as Fields }]
  },
  'run.started'(at, event) {
    const queued = at.queue.find(({ seq }) => seq === event.data['queued'])
    const { run: id, request } = queued ?? (event.data as { run: string; request?: Fields })
    at.queue = at.queue.filter((one) => one !== queued)
    if (!request) return
    closeTurn(at, event)
    for (const message of request['input'] as readonly Fields[]) say(at, event, 'input', message)
    const nothing = { tokens: 0, cost: 0 }
    at.run = {
      id,
      status: 'active',
      stoppedBy: undefined,
      usage: {},
      cost: 0,
      unpriced: 0,
      lost: nothing,
      reserved: undefined,
      partial: undefined,
    }
    at.questions = new Map()
    at.isReplyAwaited = false
  },
  'message.steered'(at, { seq, data }) {
    const pinned = data['pin'] === true && { pin: true as const }
    const message = { seq, priority: (data['priority'] as number | undefined) ?? 0, message: data['message'] as Fields, ...pinned }
    at.waiting = [...at.waiting, message].sort((one, other) => other.priority - one.priority || one.seq - other.seq)
  },
}

interface Applied {
  readonly at: Projection
  readonly run: ProjectedRun
}

/** Adds what an event says was spent. */
function spend(run: ProjectedRun, { usage, cost }: Fields): void {
  const more = usage as Readonly<Record<string, number>> | undefined
  if (more) run.usage = Object.fromEntries(usageFields.map((field) => [field, (run.usage[field] ?? 0) + (more[field] ?? 0)]))
  run.cost += (cost as number | undefined) ?? 0
  if (more && cost === undefined) run.unpriced += 1
}

function end({ at, run }: Applied, event: PageEvent, status: ProjectedRun['status']): void {
  if (status !== 'failed') closeTurn(at, event)
  run.status = status
  run.reserved = undefined
  at.questions = new Map([...at.questions].filter(([, { call }]) => status === 'failed' && call !== undefined))
}

function answer(at: Projection, id: string, votes: { readonly approves: boolean; readonly by: string }): void {
  const question = at.questions.get(id)
  if (!question) return
  const all = question.votes.includes(votes.by) ? question.votes : [...question.votes, votes.by]
  const questions = new Map(at.questions)
  if (votes.approves && all.length < question.approvers) questions.set(id, { ...question, votes: all })
  else questions.delete(id)
  at.questions = questions
}

const runRules: Readonly<Record<string, (applied: Applied, event: PageEvent) => void>> = {
  'run.suspended'({ run }) {
    run.status = 'suspended'
  },
  'run.resumed'({ run }) {
    if (run.status !== 'finished' && run.status !== 'stopped') run.status = 'active'
  },
  'run.finished': (applied, event) => end(applied, event, 'finished'),
  'run.failed': (applied, event) => end(applied, event, 'failed'),
  'run.stopped'(applied, event) {
    end(applied, event, 'stopped')
    const { at, run } = applied
    if (event.data['partial'] && run.partial) say(at, event, 'reply', { role: 'assistant', parts: [{ type: 'text', text: run.partial }] })
    run.stoppedBy = event.data['kind'] as string
  },
  'limit.raised'({ run }) {
    if (run.status === 'stopped' && (run.stoppedBy === 'limit' || run.stoppedBy === 'budget')) run.status = 'active'
  },
  'turn.entered'({ at }, event) {
    closeTurn(at, event)
    for (const { text } of (event.data['notes'] ?? []) as readonly { text: string }[]) say(at, event, 'note', userText(text))
    for (const { message } of at.waiting) say(at, event, 'steered', message)
    at.waiting = []
    at.turn = event.data['turn'] as number
    at.isReplyAwaited = true
  },
  'context.assembled'({ at }, event) {
    for (const { text } of (event.data['items'] ?? []) as readonly { text: string }[]) say(at, event, 'item', userText(text))
    at.isReplyAwaited = true
  },
  'context.compressed'({ run }, { data }) {
    spend(run, data)
  },
  'retrieval.finished'({ at }, event) {
    const documents = event.data['documents'] as readonly { id: string; title?: string; text: string }[]
    say(at, event, 'retrieved', userText(documents.map(({ id, title = '', text }) => `[${id}] ${title}\n${text}`).join('\n\n')))
  },
  'model.requested'({ run }, { data }) {
    const reserved = data['reserved'] as { tokens: number; cost?: number } | undefined
    run.reserved = { tokens: reserved?.tokens ?? 0, cost: reserved?.cost ?? 0 }
  },
  'model.replied'({ at, run }, event) {
    const parts = event.data['parts'] as readonly Fields[]
    say(at, event, 'reply', { role: 'assistant', parts })
    propose(at, parts)
    spend(run, event.data)
    run.reserved = undefined
    run.partial = undefined
    at.isReplyAwaited = false
  },
  'model.failed'({ run }, { data }) {
    const { lost, reserved } = run
    if (!data['usage'] && reserved) run.lost = { tokens: lost.tokens + reserved.tokens, cost: lost.cost + reserved.cost }
    spend(run, data)
    run.reserved = undefined
    run.partial = data['partial'] as string | undefined
  },
  'question.asked'({ at }, { data }) {
    const question = { call: data['call'] as string | undefined, approvers: (data['approvers'] as number | undefined) ?? 1, votes: [] }
    at.questions = new Map(at.questions).set(data['id'] as string, question)
  },
  'question.answered'({ at }, { data }) {
    const { kind } = data['answer'] as { kind: string }
    answer(at, data['id'] as string, { approves: kind === 'approve', by: (data['by'] as string | undefined) ?? '' })
  },
  'question.expired': ({ at }, { data }) => answer(at, data['id'] as string, { approves: false, by: '' }),
  'hook.applied': applyHook,
}

/** An event that names a call. */
function applyToCall({ at, run }: Applied, { type, data }: PageEvent): void {
  const call = at.calls.find(({ id }) => id === data['call'])
  if (!call || call.outcome) return
  if (type === 'child.finished') spend(run, data)
  if (type === 'tool.finished') call.outcome = data
  if (type === 'tool.denied') call.outcome = { output: { type: 'denied', value: data['reason'] } }
  if (!call.outcome) return
  at.questions = new Map([...at.questions].filter(([, question]) => question.call !== call.id))
  if (at.calls.every(({ outcome }) => outcome)) at.isReplyAwaited = false
}

const isList = (value: unknown): value is readonly Fields[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null)

function applyHook({ at }: Applied, event: PageEvent): void {
  const { point, call: id } = event.data
  const patch = event.data['patch'] as Fields
  if (id !== undefined) {
    const call = at.calls.find((one) => one.id === id)
    if (call?.outcome) call.outcome = { ...call.outcome, ...(patch['outcome'] as Fields | undefined) }
    return
  }
  if (point === 'beforeModelCall') return
  if (isList(patch['parts'])) return replaceReply(at, patch['parts'])
  const said = isList(patch['say']) ? patch['say'] : []
  if (at.isReplyAwaited) for (const message of said) say(at, event, 'hook', message)
  else at.waiting = [...at.waiting, ...said.map((message) => ({ seq: event.seq, priority: 0, message }))]
  for (const { seq, message } of isList(patch['steering']) ? patch['steering'] : []) {
    at.waiting = at.waiting.map((waiting) => (waiting.seq === seq ? { ...waiting, message: message as Fields } : waiting))
  }
}

function replaceReply(at: Projection, parts: readonly Fields[]): void {
  const last = at.history.at(-1)
  if (last?.origin !== 'reply') return
  at.history = [...at.history.slice(0, -1), { ...last, message: { role: 'assistant', parts } }]
  propose(at, parts)
  at.isReplyAwaited = false
}
