/**
 * W9: hostile replies. Each is measured against one of a tenth of its size: what is bounded costs no more than ten times as much, in time and in memory.
 *
 * A reply that exceeds the bounds is measured with the default ones, and ends at once; the calls that are let through are measured with the bounds raised.
 */
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent, tool } from '@loom-agent/agent'
import { cpuOf, type Figure, figure, median } from './measure.ts'
import { benchModel } from './model.ts'

type Sends = (number: number) => LanguageModelV4StreamPart | undefined

const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
  finishReason: { unified: 'stop', raw: 'stop' },
}

/** A model whose first reply has these parts, made one by one as they are read; its second is an answer. */
function sending(sends: Sends): LanguageModelV4 {
  let replies = 0
  const doStream = async (): Promise<{ stream: ReadableStream<LanguageModelV4StreamPart> }> => {
    replies += 1
    const isFirst = replies === 1
    let number = 0
    const pull = (controller: ReadableStreamDefaultController<LanguageModelV4StreamPart>): void => {
      const part = isFirst ? sends(number) : number === 0 ? ({ type: 'text-delta', id: '0', delta: 'done' } as const) : undefined
      number += 1
      controller.enqueue(part ?? finish)
      if (!part) controller.close()
    }
    return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }) }
  }
  return { ...benchModel({ turns: 0 }), doStream }
}

/** A kind of reply, in a size. */
interface Hostile {
  readonly what: string
  readonly size: number
  /** How it ends: `done` where the bounds are raised. */
  readonly ends: 'done' | 'failed'
  readonly sends: (size: number) => Sends
}

const upTo =
  (count: number, part: (number: number) => LanguageModelV4StreamPart): Sends =>
  (number) =>
    number < count ? part(number) : undefined

const callOf = (number: number, toolName: string, input = '{}'): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId: `c${number}`,
  toolName,
  input,
})

const calls = (name: (number: number) => string) => (size: number) => upTo(size, (number) => callOf(number, name(number), `{"n":${number}}`))

const hostile: readonly Hostile[] = [
  { what: 'calls that read', size: 10_000, ends: 'done', sends: calls(() => 'read') },
  { what: 'calls one after another', size: 10_000, ends: 'done', sends: calls(() => 'write') },
  { what: 'calls that are denied', size: 10_000, ends: 'done', sends: calls(() => 'denied') },
  { what: 'calls of unknown names', size: 10_000, ends: 'done', sends: calls((number) => `${'n'.repeat(900)}${number}`) },
  { what: 'calls beyond the bound', size: 10_000, ends: 'failed', sends: calls(() => 'read') },
  { what: 'a name of 10 MB', size: 10_000_000, ends: 'failed', sends: (size) => upTo(1, () => callOf(0, 'n'.repeat(size))) },
  {
    what: 'arguments of 100 MB',
    size: 100_000_000,
    ends: 'failed',
    sends: (size) => upTo(1, () => callOf(0, 'read', `[${'0,'.repeat(size / 2)}0]`)),
  },
  {
    what: 'a stream of 1,000,000,000 characters',
    size: 100_000,
    ends: 'failed',
    sends: (size) => upTo(size, () => ({ type: 'text-delta', id: '0', delta: 'x'.repeat(10_000) })),
  },
  { what: 'a stream of pieces without content', size: 2_000_000, ends: 'failed', sends: (size) => upTo(size, () => ({ type: 'raw', rawValue: 0 })) },
]

const read = tool({ name: 'read', effect: 'read', run: () => 'ok' })
const write = tool({ name: 'write', run: () => 'ok' })
const denied = tool({ name: 'denied', permission: 'deny', run: () => 'never' })
const raised = { behaviour: { reply: { calls: 20_000, parts: 20_000 } }, limits: { calls: 20_000 } }

async function suffer({ what, ends, sends }: Hostile, size: number): Promise<void> {
  const victim = agent({ name: 'victim', model: sending(sends(size)), tools: [read, write, denied], ...(ends === 'done' && raised) })
  const { status } = await victim.run('go')
  // A tenth of a reply that exceeds a bound may be within it.
  if (status !== ends && !(ends === 'failed' && status === 'done')) throw new Error(`${what} ended as ${status}`)
}

/** The bytes that the process has come to need at most while something was done, above what it needed before. */
async function memoryOf(work: () => Promise<void>): Promise<number> {
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, process.memoryUsage().rss)
  }, 5)
  await work()
  clearInterval(timer)
  return Math.max(most, process.memoryUsage().rss) - before
}

/** CPU and memory of hostile replies, over those of a tenth. */
export async function measureHostile(quick: boolean): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const reply of hostile) {
    const size = quick ? reply.size / 10 : reply.size
    await suffer(reply, size / 100)
    const small: number[] = []
    const large: number[] = []
    const memory: number[] = []
    for (let repetition = 0; repetition < (quick ? 3 : 5); repetition += 1) {
      small.push(await cpuOf(() => suffer(reply, size / 10)))
      memory.push(
        await memoryOf(async () => {
          large.push(await cpuOf(() => suffer(reply, size)))
        }),
      )
    }
    const detail = `${size.toLocaleString('en')}: ${Math.round(median(large) / 1000)} ms of CPU, a tenth of it ${Math.round(median(small) / 1000)} ms; ${Math.round(Math.max(...memory) / 1e6)} MB more at most`
    figures.push(figure('W9', `${reply.what}, over a tenth of them`, { value: median(large) / median(small), goal: 14, detail }))
  }
  return figures
}
