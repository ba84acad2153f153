/** `record: { deltas: true }`: how replies were streamed, as facts. */
import { type AgentOptions, agent, isSignal, memoryJournal, tool, watch } from '@loom-agent/agent'
import type { EventOf, Journal, LoomEvent, StreamedDelta } from '@loom-agent/kernel'
import { assertHistory, type ScriptedReply, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from './journals.ts'

const look = tool({ name: 'look', effect: 'read', run: () => 'seen' })
const steps: readonly ScriptedReply[] = [
  { reasoning: 'Let me see.', text: 'I look.', calls: [{ tool: 'look', input: { at: 'it' } }] },
  { text: 'I saw it all.' },
]

/** A journal that counts what is appended to it. */
function counted(): { journal: Journal; batches: LoomEvent['type'][][] } {
  const journal = memoryJournal()
  const batches: LoomEvent['type'][][] = []
  const append: Journal['append'] = async (thread, batch) => {
    const result = await journal.append(thread, batch)
    if (result.kind === 'appended') batches.push(batch.events.map(({ type }) => type))
    return result
  }
  return { journal: { ...journal, append }, batches }
}
const talker = (options: Partial<AgentOptions>) => agent({ model: scriptedModel(steps), tools: [look], ...options })
const textOf = (deltas: readonly StreamedDelta[], type: StreamedDelta['type']): string =>
  deltas
    .filter((delta) => delta.type === type)
    .map(({ text }) => text)
    .join('')

describe('deltas', () => {
  test('are not recorded by default', async () => {
    const boss = talker({})
    await boss.run('go', { thread: 't' })
    expect(await factsOf(boss, 't', 'model.streamed')).toEqual([])
  })

  test('are recorded with the reply, in the same commit: the run takes as many commits as without (DELTA-1)', async () => {
    const [plain, recorded] = [counted(), counted()]
    await talker({ journal: plain.journal }).run('go', { thread: 't' })
    const boss = talker({ journal: recorded.journal, record: { deltas: true } })
    await boss.run('go', { thread: 't' })
    expect(recorded.batches.map((types) => types.filter((type) => type !== 'model.streamed'))).toEqual(plain.batches)
    for (const types of recorded.batches.filter((batch) => batch.includes('model.streamed')))
      expect(types[types.indexOf('model.streamed') + 1]).toBe('model.replied')
    assertHistory(await eventsOf(boss, 't'))
  })

  test('are read by watchers afterwards: text, reasoning and the arguments of calls, as they were streamed', async () => {
    const boss = talker({ record: { deltas: true } })
    await boss.run('go', { thread: 't' })
    const seen = await Array.fromAsync(watch(boss.journal, 't', { until: 'rest' }))
    const [first, second] = seen.filter((event): event is EventOf<'model.streamed'> => event.type === 'model.streamed')
    expect(textOf(first?.data.deltas ?? [], 'reasoning-delta')).toBe('Let me see.')
    expect(textOf(first?.data.deltas ?? [], 'text-delta')).toBe('I look.')
    expect(JSON.parse(textOf(first?.data.deltas ?? [], 'input-delta'))).toEqual({ at: 'it' })
    expect(first?.data.deltas.find(({ type }) => type === 'input-delta')?.id).toBeTypeOf('string')
    expect(textOf(second?.data.deltas ?? [], 'text-delta')).toBe('I saw it all.')
    expect(second).toMatchObject({ turn: 2, run: 'r1', data: { attempt: 1 } })
  })

  test('of failed attempts are recorded too', async () => {
    const fails = { text: 'Wrong start', errorAfter: { parts: 3, error: { isRetryable: true, message: 'busy' } } }
    const boss = talker({ model: scriptedModel([fails, 'Right.']), ports: { random: () => 0 }, record: { deltas: true } })
    await boss.run('go', { thread: 't' })
    const streamed = await factsOf(boss, 't', 'model.streamed')
    expect(streamed.map(({ data: { attempt, deltas } }) => [attempt, textOf(deltas, 'text-delta')])).toEqual([
      [1, 'Wrong '],
      [2, 'Right.'],
    ])
    assertHistory(await eventsOf(boss, 't'))
  })

  test('keep their times, and those that come close together are one piece', async () => {
    let now = 1000
    const clock = { now: () => now, elapsed: () => now, at: () => () => {} }
    const pauses = [0, 10, 200, 20]
    const stream = new ReadableStream(
      {
        pull(controller) {
          const index = 4 - pauses.length
          const pause = pauses.shift()
          if (pause === undefined) {
            controller.enqueue({ type: 'text-end', id: '0' })
            controller.enqueue({
              type: 'finish',
              finishReason: { unified: 'stop' },
              usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
            })
            return controller.close()
          }
          now += pause
          controller.enqueue({ type: 'text-delta', id: '0', delta: `${index}` })
        },
      },
      { highWaterMark: 0 },
    )
    const model = { ...scriptedModel('unused'), doStream: async () => ({ stream }) }
    const boss = talker({ model: model as never, tools: [], ports: { clock }, record: { deltas: true } })
    await boss.run('go', { thread: 't' })
    expect((await factsOf(boss, 't', 'model.streamed'))[0]?.data.deltas).toEqual([
      { type: 'text-delta', text: '01', ms: 0 },
      { type: 'text-delta', text: '23', ms: 210 },
    ])
  })

  test('are bounded: what exceeds the bound is counted, and the reply has it all (DELTA-2)', async () => {
    const long = 'x'.repeat(100_000)
    const boss = talker({ model: scriptedModel({ deltas: [long, long, long, long] }), record: { deltas: true } })
    const { text } = await boss.run('go', { thread: 't' })
    const [streamed] = await factsOf(boss, 't', 'model.streamed')
    expect(text).toHaveLength(400_000)
    expect(textOf(streamed?.data.deltas ?? [], 'text-delta')).toHaveLength(262_144)
    expect(streamed?.data.dropped).toBe(400_000 - 262_144)
  })

  test('that are recorded change nothing about the text of a run', async () => {
    const run = talker({ record: { deltas: true } }).start('go')
    expect((await Array.fromAsync(run.text())).join('')).toBe('I look.I saw it all.')
    const events = await Array.fromAsync(run.events({ from: 1 }))
    expect(events.filter((event) => isSignal(event))).toEqual([])
    expect((await run.result()).text).toBe('I saw it all.')
  })

  test('are asked for by a known option', () => {
    expect(() => talker({ record: { delta: true } as never })).toThrowError(expect.objectContaining({ code: 'LOOM_OPTION_UNKNOWN' }))
    expect(() => talker({ record: { deltas: 'yes' } as never })).toThrowError(expect.objectContaining({ code: 'LOOM_OPTION_INVALID' }))
  })
})
