/**
 * On the wires of all vendors: for every turn of random lives, the explanation is what a server received from the vendor's own provider and parsed back.
 *
 * `LOOM_LAW_RUNS=300 npx vitest run packages/agent/test/explain-wire.test.ts` is the long form.
 */
import { type ContextStrategy, compress, type Explanation, explain, type Model, pipeline, requestAt, window } from '@loom-agent/agent'
import { type Wire, type WireArrival, type WireReply, type WireServer, wireServer, wires } from '@loom-agent/harness/wire'
import { type LoomEvent, readEvents } from '@loom-agent/kernel'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { anyStrategy, type Life, type Lived, live, lives, repliesOf } from '../../../test/laws/context-lives.ts'
import { expectSeen } from '../../../test/laws/expect-seen.ts'
import { modelOn } from '../../harness/test/wire/providers.ts'

const runs = Number(process.env['LOOM_LAW_RUNS'] ?? 8)

const open: WireServer[] = []
const closeAll = async (): Promise<void> => {
  await Promise.all(open.splice(0).map((server) => server.close()))
}
afterEach(closeAll)

type Loose = WireArrival['body']

/** A life's model on a wire, and what the server received from it. */
type WiredModel = Model & { readonly arrivals: WireArrival[] }

/** Models on a wire, each with a server of its own: a process that died may have a request under way when the next life begins. */
function modelsOn(wire: Wire): (life: Life) => Promise<WiredModel> {
  return async (life) => {
    const reply = repliesOf(life)
    const arrivals: WireArrival[] = []
    const next = (arrival: WireArrival): WireReply => {
      const { text, reasoning, calls, throws } = reply(arrivals.push(arrival))
      if (throws) return { fault: { kind: 'overflow' } }
      return { ...(text && { text }), ...(reasoning && { reasoning }), ...(calls && { calls }) }
    }
    // What a hook makes of a request may break rules of a vendor: they are no part of this law.
    const server = await wireServer({ reply: (_, arrival) => next(arrival), judges: false })
    open.push(server)
    return Object.assign(modelOn(wire, server), { arrivals })
  }
}

/** Strategies that come with Loom, and one that decides at random. */
function strategyOf({ seed }: Life): ContextStrategy {
  const strategies = [
    anyStrategy(seed),
    compress({ max: 400, perSection: 24, ephemeral: { look: 2 } }),
    pipeline(window({ turns: 4 }), anyStrategy(seed)),
  ]
  return strategies[seed % 3] as ContextStrategy
}

/** The marks in a value, in order. Reasoning is not sent to every vendor. */
const marksIn = (value: unknown): readonly string[] =>
  (JSON.stringify(value)?.match(/<[a-z][\d.a-z]*>/g) ?? []).filter((mark) => !mark.startsWith('<t'))

/** The messages in the body of a request, in the words of its vendor. */
const messagesIn = ({ body }: WireArrival): unknown => body['messages'] ?? body['input'] ?? body['contents']

/** The names of the tools in the body of a request. */
function toolsIn({ body }: WireArrival): readonly string[] {
  const tools = (body['tools'] ?? []) as readonly Loose[]
  const declared = tools.flatMap((one) => (one['functionDeclarations'] ?? [one]) as readonly Loose[])
  return declared.map((one) => String((one['function'] as Loose | undefined)?.['name'] ?? one['name']))
}

/** A text without spaces and the escapes of JSON, however often it was put into a text. */
const plain = (text: string): string => text.replace(/\\+[nrtu"]?|\s+|["…]/g, '')

/** Requests that may not have reached a model: their process died. */
function lostIn(events: readonly LoomEvent[]): ReadonlySet<number> {
  const lost = new Set<number>()
  let last = 0
  for (const { type, seq, data } of events) {
    if (type === 'model.requested') {
      last = seq
      lost.add(seq)
    }
    if (type === 'model.replied' || (type === 'model.failed' && data.error.code !== 'LOOM_MODEL_LOST')) lost.delete(last)
  }
  return lost
}

const seen = { requests: 0, hidden: 0, trimmed: 0, summaries: 0, hooks: 0, overflows: 0, forks: 0, lost: 0, steered: 0, stops: 0 }

/** Compares the requests of a thread with what arrived. A dead process may have sent its last request late, or not at all: so they are compared by what they hold. */
async function compareThread({ journal, thread, events, model }: Lived<WiredModel>): Promise<void> {
  const cut = events.findLast(({ type }) => type === 'thread.forked')?.seq ?? 0
  const lost = lostIn(events)
  const left = new Map<string, { readonly seq: number; readonly explanation: Explanation }[]>()
  for (const { type, seq } of events) {
    if (type !== 'model.requested' || seq <= cut) continue
    const { words, explanation } = await wordsOf(journal, `${thread}@${seq}`)
    const alike = left.get(words) ?? []
    left.set(
      words,
      [...alike, { seq, explanation }].sort((one, other) => Number(lost.has(one.seq)) - Number(lost.has(other.seq))),
    )
  }
  for (const arrival of model.arrivals) {
    const received = marksIn(messagesIn(arrival)).join(' ')
    const recorded = left.get(received)?.shift()
    expect([...left.keys()]).toContain(received)
    expect(recorded).toBeDefined()
    if (recorded) compareParts(recorded.explanation, arrival)
  }
  // What did not arrive was lost with its process.
  expect([...left.values()].flat().filter(({ seq }) => !lost.has(seq))).toEqual([])
  const text = JSON.stringify(events)
  seen.requests += model.arrivals.length
  seen.lost += lost.size
  seen.forks += thread === 'f' ? 1 : 0
  for (const [what, words] of [
    ['overflows', '"reason":"overflow"'],
    ['steered', 'message.steered'],
    ['stops', '"type":"run.stopped"'],
    ['hooks', '"keep"'],
  ] as const)
    if (text.includes(words)) seen[what] += 1
}

/** The marks that a request has by its explanation: those of each message that has a part, in the order of the messages. */
async function wordsOf(journal: Lived['journal'], at: string): Promise<{ readonly words: string; readonly explanation: Explanation }> {
  const explanation = await explain(journal, at)
  const { request } = await requestAt(journal, at)
  const places = explanation.parts.flatMap(({ fate }) =>
    'message' in fate && fate.message !== undefined && fate.as !== 'summarised' ? [fate.message] : [],
  )
  const messages = places.toSorted((one, other) => one - other).map((place) => request.prompt[place])
  return { explanation, words: messages.flatMap(marksIn).join(' ') }
}

/** Texts and tools that have no mark, and the sum of the tokens. */
function compareParts({ parts, tokens }: Explanation, arrival: WireArrival): void {
  const body = plain(JSON.stringify(arrival.body))
  for (const { kind, text, fate } of parts) {
    seen.hidden += fate.as === 'dropped' || fate.as === 'summarised' ? 1 : 0
    seen.trimmed += fate.as === 'trimmed' ? 1 : 0
    if (fate.as !== 'verbatim' || fate.message === undefined) continue
    if (kind === 'summary') seen.summaries += 1
    if (kind === 'system' || kind === 'summary' || kind === 'gap' || kind === 'inserted') expect(body).toContain(plain(text).slice(0, 60))
  }
  expect(toolsIn(arrival)).toEqual(parts.flatMap(({ kind, name }) => (kind === 'tool' ? [name] : [])))
  expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens.total)
}

describe('what is explained is what the server received', () => {
  test.each(wires)('on %s', { timeout: 60_000 + runs * 5000 }, async (wire) => {
    const modelOf = modelsOn(wire)
    // Items that a vendor stores are not sent again: without that all of a request is in its body.
    const settings = { maxOutputTokens: 100, providerOptions: { openai: { store: false } } }
    await fc.assert(
      fc.asyncProperty(lives, async (life) => {
        for (const lived of await live(life, { modelOf, strategyOf, settings })) await compareThread(lived)
        await closeAll()
      }),
      { numRuns: runs },
    )
  })

  test('over lives that have all of it', () => {
    expectSeen(seen, runs, ['requests'])
  })

  test('and a message that the facts do not have is noticed', async () => {
    const modelOf = modelsOn('anthropic')
    const life: Life = {
      seed: 3,
      runs: [2],
      steerAt: [],
      stopAt: undefined,
      overflowAt: [],
      hooked: false,
      todoAt: [],
      skillAt: [],
      pinned: [],
      deaths: [],
      forkAt: undefined,
    }
    const [lived] = await live(life, { modelOf, strategyOf: () => anyStrategy(1) })
    if (!lived) throw new Error('no life')
    await compareThread(lived)
    const events = await Array.fromAsync(readEvents(lived.journal, 't'))
    const [first] = lived.model.arrivals
    const spoiled = { ...first, body: { ...first?.body, messages: [{ role: 'user', content: 'asked <q9>' }] } } as WireArrival
    const planted = { ...lived, events, model: Object.assign(lived.model, { arrivals: [spoiled, ...lived.model.arrivals.slice(1)] }) }
    await expect(compareThread(planted)).rejects.toThrow(/q9/)
  })
})
