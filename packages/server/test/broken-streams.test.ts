/** Clients of a live run whose connections are cut at any byte and at any moment: what they show, compared with a client that was never cut. */
import { agent, memoryJournal, tool } from '@loom-agent/agent'
import { createClient, type ServerMessage } from '@loom-agent/server/client'
import { serve } from '@loom-agent/server/node'
import { scriptedModel } from '@loom-agent/testing'
import { expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { eventsOf } from '../../../test/support/threads.ts'
import { draws } from './draws.ts'

const [viewers, replies, cutsByBytes] = [12, 12, 10]
const half = 'The first half of what is said, '
const rest = 'and the second half of it.'

/** What a page shows: the facts, and what is being said. */
interface Shown {
  readonly events: unknown[]
  text: string
}

function show(shown: Shown, { event, data }: ServerMessage): void {
  const { type, text, isWhole } = data as { readonly type: string; readonly text: string; readonly isWhole?: true }
  if (event === 'event') {
    shown.events.push(data)
    if (type === 'model.requested' || type === 'model.replied') shown.text = ''
  } else if (type === 'text-delta') shown.text = isWhole ? text : shown.text + text
}

/** Responses that are cut: behind so many bytes at first, then when somebody says so. */
function cutting(random: () => number, most: number) {
  const cutter = {
    cuts: 0,
    now: (): void => {},
    async fetch(request: Request): Promise<Response> {
      const response = await fetch(request)
      if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response
      let left = cutter.cuts < most ? 1 + Math.floor(random() * 2000) : Number.POSITIVE_INFINITY
      let isCut = false
      const cut = (controller: TransformStreamDefaultController<Uint8Array>): void => {
        if (isCut) return
        isCut = true
        cutter.cuts += 1
        controller.error(new Error('The connection was reset.'))
      }
      const body = new TransformStream<Uint8Array, Uint8Array>({
        start(controller) {
          cutter.now = () => cut(controller)
        },
        transform(piece, controller) {
          controller.enqueue(piece.subarray(0, left))
          left -= piece.length
          if (left <= 0) cut(controller)
        },
      })
      return new Response(response.body?.pipeThrough(body), response)
    },
  }
  return cutter
}

/** A model that stops in the middle of each reply until the test lets it go on. */
function heldModel() {
  const gates = Array.from({ length: replies }, () => Promise.withResolvers<void>())
  const script = scriptedModel(
    Array.from({ length: replies }, (_, n) => ({ text: half + rest, ...(n < replies - 1 && { calls: [{ tool: 'look', input: { n } }] }) })),
  )
  let count = 0
  const doStream: typeof script.doStream = async (options) => {
    const gate = gates[count]
    count += 1
    const { stream, ...others } = await script.doStream(options)
    const slowly = new TransformStream<never, never>({
      async transform(part: { readonly type: string; readonly delta?: string }, controller) {
        if (part.type !== 'text-delta') return controller.enqueue(part as never)
        for (const delta of half) controller.enqueue({ ...part, delta } as never)
        await gate?.promise
        for (const delta of rest) controller.enqueue({ ...part, delta } as never)
      },
    })
    return { ...others, stream: (stream as ReadableStream<never>).pipeThrough(slowly) }
  }
  return { gates, model: { ...script, doStream } }
}

test('cut at 200 random points, they show what the one shows that was never cut, in the middle of every reply and at the end', async () => {
  const { gates, model } = heldModel()
  const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
  const clerk = agent({ name: 'clerk', model, tools: [look], journal: memoryJournal() })
  const server = await serve({ agents: [clerk], port: 0, auth: () => ({ name: 'ann', scopes: ['admin'] }), onError: () => {} })
  const url = `${server.url}/api/v1`
  const random = draws(5)
  const whole: Shown = { events: [], text: '' }
  const views = Array.from({ length: viewers }, (): Shown => ({ events: [], text: '' }))
  const cutters = views.map(() => cutting(random, cutsByBytes))
  const follow = async (shown: Shown, given?: (request: Request) => Promise<Response>): Promise<void> => {
    for await (const message of createClient({ url, fetch: given }).streamThread({ thread: 't' }, { until: 'rest' })) show(shown, message)
  }
  await createClient({ url }).startRun({ agent: 'clerk' }, { input: 'Go.', thread: 't' })
  const all = [follow(whole), ...views.map((view, n) => follow(view, cutters[n]?.fetch))]
  const areEqual = (): boolean => views.every(({ text, events }) => text === half && events.length === whole.events.length)
  for (const gate of gates) {
    await until(() => whole.text === half && areEqual())
    for (const isSwept of [false, true]) {
      for (const cutter of cutters) cutter.now()
      // Only who has come back can have the text then.
      for (const view of views) if (isSwept) view.text = 'Something that nobody said.'
      await until(areEqual)
    }
    gate.resolve()
  }
  await Promise.all(all)
  for (const view of views) expect(view).toEqual(whole)
  expect(whole.events).toEqual(JSON.parse(JSON.stringify(await eventsOf(clerk, 't'))))
  expect(cutters.reduce((sum, { cuts }) => sum + cuts, 0)).toBeGreaterThanOrEqual(200)
  await server.close({ grace: 0 })
}, 30_000)
