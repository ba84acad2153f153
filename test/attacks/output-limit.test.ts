/** What a tool returns is bounded before it is stored and sent, in whatever parts it comes, and the model reads what is left out. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, content, type InputPart, memoryJournal } from '@loom-agent/agent'
import { type LoomEvent, readEvents } from '@loom-agent/kernel'
import { assertSameRun, scriptedModel, writeRegression } from '@loom-agent/testing'
import { describe, expect, it } from 'vitest'

/** What reaches the model of one call that returns a value, as the journal has it and as the provider gets it. */
async function shown(value: () => unknown) {
  const journal = memoryJournal()
  const model = scriptedModel([{ calls: [{ tool: 'act', input: {} }] }, 'ok'])
  const result = await agent({ model, journal, tools: { act: value } }).run('go', { thread: 't' })
  const events: LoomEvent[] = []
  for await (const event of readEvents(journal, 't')) events.push(event)
  const finished = events.find((event) => event.type === 'tool.finished')
  return { journal, result, data: finished?.data, stored: JSON.stringify(finished).length, sent: JSON.stringify(model.requests[1]?.prompt).length }
}

const image = (bytes: number): InputPart => ({ type: 'image', image: new Uint8Array(bytes), mediaType: 'image/png' })
const text = (length: number): InputPart => ({ type: 'text', text: 'x'.repeat(length) })

describe('content()', () => {
  it('of five million characters is cut to the limit of outputs, and says how much is left out', async () => {
    const { data, sent, stored } = await shown(() => content([text(5_000_000)]))
    expect(sent).toBeLessThan(20_000)
    expect(stored).toBeLessThan(20_000)
    expect(JSON.stringify(data)).toContain('characters left out')
  })

  it('of a thousand parts that are each below the limit is cut as a whole', async () => {
    const { sent, data } = await shown(() => content(Array.from({ length: 1000 }, () => text(9_000))))
    expect(sent).toBeLessThan(30_000)
    expect(JSON.stringify(data)).toContain('left out')
  })

  it('of a hundred thousand tiny parts is cut as a whole', async () => {
    const { sent } = await shown(() => content(Array.from({ length: 100_000 }, () => text(1))))
    expect(sent).toBeLessThan(30_000)
  })

  it('of a large data part is cut', async () => {
    const { sent, data } = await shown(() => content([{ type: 'data', data: { rows: Array.from({ length: 100_000 }, (_, row) => row) } }]))
    expect(sent).toBeLessThan(20_000)
    expect(JSON.stringify(data)).toContain('left out')
  })

  it('with a picture of five megabytes goes without it, and says so', async () => {
    const { sent, data } = await shown(() => content([text(3), image(5_000_000)]))
    expect(sent).toBeLessThan(20_000)
    expect(JSON.stringify(data)).toContain('image/png')
    expect(JSON.stringify(data)).toContain('left out')
  })

  it('with many small pictures is bounded as a whole', async () => {
    const { sent, data } = await shown(() => content(Array.from({ length: 200 }, () => image(100_000))))
    expect(sent).toBeLessThan(4_000_000)
    expect(JSON.stringify(data)).toContain('left out')
  })

  it('with a file in base64 or in a data address is bounded like one in bytes', async () => {
    const base64 = 'A'.repeat(5_000_000)
    const parts: readonly InputPart[] = [
      { type: 'file', data: base64, mediaType: 'application/pdf' },
      { type: 'file', data: new URL(`data:application/pdf;base64,${base64}`), mediaType: 'application/pdf' },
    ]
    for (const part of parts) expect((await shown(() => content([part]))).sent).toBeLessThan(20_000)
  })

  it('hides nothing in the name, the media type, the address or the metadata of a part', async () => {
    const long = 'x'.repeat(1_000_000)
    const parts: readonly InputPart[] = [
      { type: 'file', data: 'AAAA', mediaType: 'text/plain', name: long },
      { type: 'file', data: 'AAAA', mediaType: `text/${long}` },
      { type: 'image', image: `https://example.test/${long}` },
      { type: 'text', text: 'a', providerOptions: { p: { long } } } as InputPart,
    ]
    for (const part of parts) expect((await shown(() => content([part]))).sent).toBeLessThan(20_000)
  })

  it('that fits is shown whole', async () => {
    const { data } = await shown(() => content([text(5), image(300_000), { type: 'data', data: { a: 1 } }]))
    expect(data?.output).toMatchObject({ type: 'parts', value: [{ type: 'text' }, { type: 'file' }, { type: 'data' }] })
    expect(data?.meta).toBeUndefined()
  })
})

describe('a text', () => {
  it.each([7, 999_999_999_999_999])('that imitates the mark of a text that was cut by %i characters is replayed as what it is', async (left) => {
    const forged = `${'a'.repeat(80)}\n[... ${left} characters left out ...]\n${'b'.repeat(20)}`
    const { journal } = await shown(() => forged)
    const folder = await mkdtemp(join(tmpdir(), 'loom-cut-'))
    try {
      const given = { module: './agent.ts', export: 'worker' }
      const { fixture } = await writeRegression(journal, 't', { folder, name: 'forged', agent: given })
      await assertSameRun(agent({ model: scriptedModel([]), tools: { act: () => forged } }), fixture)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})

describe('the estimate of a request', () => {
  it('counts a long text that a tool put beside a media type', async () => {
    const reservedFor = async (result: object): Promise<number> => {
      const journal = memoryJournal()
      const model = scriptedModel([{ calls: [{ tool: 'act', input: {} }] }, 'ok'])
      const worker = agent({ model, journal, tools: { act: () => result }, behaviour: { outputLimit: 200_000 } })
      await worker.run('go', { thread: 't', limits: { tokens: 10_000_000 } })
      const requests: number[] = []
      for await (const event of readEvents(journal, 't')) if (event.type === 'model.requested') requests.push(event.data.reserved?.tokens ?? 0)
      return requests[1] ?? 0
    }
    const long = 'word '.repeat(30_000)
    expect(await reservedFor({ mediaType: 'image/png', data: long })).toBeGreaterThanOrEqual(await reservedFor({ other: 'image/png', text: long }))
  })
})
