/** The checker of contexts: what is recorded and explained about requests, against the requests that a model received. */
import { type ExplainedRequest, explainRequests } from '@loom-agent/agent/kit'
import type { LoomEvent } from '@loom-agent/kernel'
import { checkAssembled } from './check-assembled.ts'
import { checkSent, type ReceivedRequest } from './check-sent.ts'
import type { ContextProblem, ContextRule } from './context-rules.ts'

/**
 * Everything that is wrong with the contexts of a thread: its events as read from the journal, and the requests that its models received, in order. Of a
 * fork only what came after the cut is compared.
 *
 * @example
 * assert.deepEqual(checkContexts(await Array.fromAsync(readEvents(worker.journal, 't')), model.requests), [])
 */
export function checkContexts(events: readonly LoomEvent[], requests: readonly ReceivedRequest[]): readonly ContextProblem[] {
  const found: ContextProblem[] = []
  const cut = events.findLast(({ type }) => type === 'thread.forked')?.seq ?? 0
  const lost = lostRequests(events)
  const explained = explainRequests(events[0]?.thread ?? '', events)
  const blameFor =
    ({ assembled, frame }: ExplainedRequest) =>
    (rule: ContextRule, message: string) => {
      const problem = { rule, seq: assembled.event.seq, turn: frame.turn, message }
      if (!found.some((other) => other.rule === rule && other.seq === problem.seq && other.message === message)) found.push(problem)
    }
  for (const one of explained) {
    checkAssembled(one, blameFor(one))
    if (one.attempt && !one.isVerified && one.attempt.event.data.digest !== undefined)
      blameFor(one)('CONTEXT-6', `The request ${one.attempt.event.seq} has a digest that its messages do not have.`)
  }
  const own = explained.filter(({ attempt }) => attempt && attempt.event.seq > cut)
  const isLost = ({ attempt }: ExplainedRequest): boolean => lost.has(attempt?.event.seq ?? 0)
  for (const { one, request } of align(own, requests, isLost)) {
    if (one && request) checkSent(one, request, blameFor(one))
    else if (one && !isLost(one)) blameFor(one)('CONTEXT-9', `The request ${one.attempt?.event.seq} is recorded, and no model received it.`)
    else if (request)
      found.push({
        rule: 'CONTEXT-9',
        seq: 0,
        turn: 0,
        message: `A model received a request of ${request.prompt.length} messages that is not recorded.`,
      })
  }
  return found
}

/** The seqs of requests that may not have reached a model: their process was lost, or nothing is known of how they ended. */
function lostRequests(events: readonly LoomEvent[]): ReadonlySet<number> {
  const lost = new Set<number>()
  let open = 0
  for (const event of events) {
    if (event.type === 'model.requested') {
      open = event.seq
      lost.add(open)
    }
    if (event.type === 'model.replied' || (event.type === 'model.failed' && event.data.error.code !== 'LOOM_MODEL_LOST')) lost.delete(open)
  }
  return lost
}

interface Aligned {
  readonly one?: ExplainedRequest
  readonly request?: ReceivedRequest
}

/** Pairs recorded requests with those that were received, so that as few as possible differ. Only lost ones may have no partner. */
function align(
  recorded: readonly ExplainedRequest[],
  received: readonly ReceivedRequest[],
  isLost: (one: ExplainedRequest) => boolean,
): readonly Aligned[] {
  const texts = recorded.map(({ messages }) => JSON.stringify(messages))
  const prompts = received.map(({ prompt }) => JSON.stringify(prompt))
  const width = received.length + 1
  /** The least cost of pairing what follows. */
  const costs = new Array<number>((recorded.length + 1) * width).fill(0)
  const skip = (index: number): number => (isLost(recorded[index] as ExplainedRequest) ? 0 : 2)
  const pair = (index: number, place: number): number => (texts[index] === prompts[place] ? 0 : 1)
  const cost = (index: number, place: number): number => costs[index * width + place] ?? 0
  for (let index = recorded.length; index >= 0; index -= 1) {
    for (let place = received.length; place >= 0; place -= 1) {
      const ways: number[] = []
      if (index < recorded.length) ways.push(skip(index) + cost(index + 1, place))
      if (place < received.length) ways.push(2 + cost(index, place + 1))
      if (index < recorded.length && place < received.length) ways.push(pair(index, place) + cost(index + 1, place + 1))
      costs[index * width + place] = ways.length > 0 ? Math.min(...ways) : 0
    }
  }
  const aligned: Aligned[] = []
  for (let index = 0, place = 0; index < recorded.length || place < received.length; ) {
    const one = recorded[index]
    const request = received[place]
    const least = cost(index, place)
    if (one && request && least === pair(index, place) + cost(index + 1, place + 1)) {
      aligned.push({ one, request })
      index += 1
      place += 1
    } else if (one && least === skip(index) + cost(index + 1, place)) {
      aligned.push({ one })
      index += 1
    } else {
      if (request) aligned.push({ request })
      place += 1
    }
  }
  return aligned
}
