/**
 * What the model was sent, turn by turn: the recorded events rendered by the code that renders for real.
 *
 * An agent that has nothing but the record resumes the thread at each place where the model was called and passes the request to its hook; what it
 * does afterwards is ignored. Nothing is called and nothing is appended.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { agent, type Hook } from '@loom-agent/agent'
import { type Draft, type Head, type Journal, type Json, type JsonObject, type LoomEvent, memoryJournal } from '@loom-agent/kernel'
import type { FixtureRequest } from './fixture.ts'
import { modelsIn } from './recorded-models.ts'
import { never } from './replay.ts'
import { digestText, plainMessages, rollMessages } from './request-digest.ts'

type Shown = Parameters<NonNullable<Hook['beforeModelCall']>>[1]

/** Rounds of the event loop that rendering may take. */
const roundsAtMost = 50

/** The requests of a recorded thread. One that cannot be rendered is left out. */
export async function renderRequests(thread: string, events: readonly LoomEvent[]): Promise<readonly FixtureRequest[]> {
  const feed = createFeed(thread)
  const requests: FixtureRequest[] = []
  const seen: Shown[] = []
  const hook: Hook = {
    beforeModelCall: (_context, { messages, settings }) => {
      seen.push({ messages, settings })
    },
  }
  const models = modelsIn(events)
  const renderers = new Map<string, ReturnType<typeof rendererFor>>()
  let before: Rendered | undefined
  for (const [index, event] of events.entries()) {
    feed.put(event)
    if (event.type !== 'context.assembled' || !isSent(events, index)) continue
    const id = models.get(event.run ?? '') ?? ''
    const renderer = renderers.get(id) ?? rendererFor(id, feed.journal, hook)
    renderers.set(id, renderer)
    seen.length = 0
    renderer.resume(thread)
    for (let round = 0; round < roundsAtMost && seen.length === 0; round += 1) await nextRound()
    const [shown] = seen
    if (!shown) continue
    before = rendered(shown, before)
    const { rebased, added, digest } = before
    requests.push({
      turn: event.turn ?? 0,
      ...(rebased && { rebased: true as const }),
      messages: added,
      settings: plain(shown.settings),
      digest: digestText(digest),
    })
  }
  return requests
}

const plain = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value)) as JsonObject

/** Whether the model was called with what was assembled: a hook may have had it assembled once more. */
function isSent(events: readonly LoomEvent[], assembled: number): boolean {
  const next = events.slice(assembled + 1).find(({ type }) => type === 'context.assembled' || type === 'model.requested' || type === 'turn.entered')
  return next?.type === 'model.requested'
}

interface Rendered {
  readonly messages: Shown['messages']
  readonly rebased: boolean
  readonly added: readonly Json[]
  readonly digest: number
}

/** Between two rebases a request holds the messages of the one before, the very same: only what is new is looked at. */
function rendered({ messages }: Shown, before: Rendered | undefined): Rendered {
  const extended = before?.messages.every((message, index) => message === messages[index]) ? before : undefined
  const added = plainMessages(messages.slice(extended?.messages.length ?? 0))
  return { messages, rebased: extended === undefined, added, digest: rollMessages(added, extended?.digest) }
}

function rendererFor(id: string, journal: Journal, hook: Hook): { resume(thread: string): void } {
  const cut = id.indexOf('/')
  const refuse = async (): Promise<never> => {
    throw new Error('A renderer calls no model.')
  }
  const model = {
    specificationVersion: 'v4',
    provider: cut < 0 ? '' : id.slice(0, cut),
    modelId: id.slice(cut + 1),
    supportedUrls: {},
    doGenerate: refuse,
    doStream: refuse,
  } as const
  const standing = { now: () => 0, at: () => () => {} }
  const renderer = agent({ name: 'renderer', model, journal, hooks: [hook], deps: {}, ports: { clock: standing, development: false } })
  return {
    resume: (thread) =>
      void renderer
        .resume(thread)
        .result()
        .catch(() => {}),
  }
}

/** A journal that is fed with events and accepts none: a driver waits for ever at its first append. */
function createFeed(thread: string): { readonly journal: Journal; put(event: LoomEvent): void } {
  const stored = memoryJournal()
  let epoch = 1_000_000
  const journal: Journal = {
    ...stored,
    async acquire() {
      epoch += 1
      return { kind: 'acquired', epoch, head: (await stored.head(thread)) as Head }
    },
    append: () => never,
    watch: () => () => {},
  }
  return {
    journal,
    put(event) {
      const { seq, time, run, turn } = event
      const before = event.type === 'run.started' || event.type === 'run.queued' ? undefined : run
      void stored.append(thread, {
        id: String(seq),
        incarnation: thread,
        expected: seq - 1,
        time,
        run: before,
        turn,
        events: [rootless(event)],
        summary: { status: 'running' },
      })
    },
  }
}

/** A child is driven by its parent; what is rendered has no parent. */
function rootless(event: LoomEvent): Draft {
  if (event.type !== 'thread.started') return event
  const { parent: _parent, incarnation: _incarnation, ...data } = event.data
  return { type: event.type, data }
}
