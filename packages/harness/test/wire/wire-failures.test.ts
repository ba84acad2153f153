/** Every failure of a wire server reaches the real providers as the error that it is. */
import { APICallError } from '@ai-sdk/provider'
import { afterEach, describe, expect, test } from 'vitest'
import { idle } from '../../../../test/support/event-loop.ts'
import type { WireFault } from '../../src/wire/reply.ts'
import { type WireServer, wireServer } from '../../src/wire/server.ts'
import { type Wire, wires } from '../../src/wire/wire.ts'
import { modelOn, ofType, partsOf, question } from './providers.ts'

const open: WireServer[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})

async function failing(fault: WireFault): Promise<WireServer> {
  const server = await wireServer({ reply: () => ({ text: ['one ', 'two ', 'three ', 'four'], fault }) })
  open.push(server)
  return server
}

/** How many events of a stream are sent until it has some text. */
const someEvents: Readonly<Record<Wire, number>> = { 'openai-chat': 3, 'openai-compatible': 3, 'openai-responses': 6, anthropic: 5, google: 2 }

const isRetried = (status: number): boolean => [408, 409, 429].includes(status) || status >= 500

describe.for(wires)('%s', (wire) => {
  const send = async (fault: WireFault): ReturnType<typeof partsOf> => partsOf(modelOn(wire, await failing(fault)))

  test.for([400, 401, 403, 404, 408, 409, 413, 429, 500, 503, 529])(
    'status %i is an error of the API, with the words of the vendor',
    async (status) => {
      const { parts, thrown } = await send({ kind: 'status', status, message: 'So it is.' })
      expect(parts).toEqual([])
      expect(APICallError.isInstance(thrown)).toBe(true)
      expect(thrown).toMatchObject({ statusCode: status, message: 'So it is.', isRetryable: isRetried(status) })
    },
  )

  test('a rate limit says in the format of the vendor how long to wait', async () => {
    const { thrown } = await send({ kind: 'status', status: 429, retryAfter: 7 })
    expect(thrown).toMatchObject({ statusCode: 429, message: 'Rate limit reached.', responseHeaders: { 'retry-after': '7' } })
  })

  test('a page of a gateway and an empty body are errors by their status', async () => {
    expect((await send({ kind: 'html' })).thrown).toMatchObject({ statusCode: 502, message: 'Bad Gateway', isRetryable: true })
    expect((await send({ kind: 'empty' })).thrown).toMatchObject({ statusCode: 500, isRetryable: true })
  })

  test('an error in the middle of a stream comes after what was sent', async () => {
    const { parts, thrown } = await send({ kind: 'error', after: someEvents[wire], message: 'It broke.' })
    expect(thrown).toBeUndefined()
    expect(ofType(parts, 'text-delta').map(({ delta }) => delta)).toContain('one ')
    expect(ofType(parts, 'error').map(({ error }) => error)).toMatchObject([{ message: 'It broke.' }])
  })

  test('a socket that is torn before the first byte is a failure to connect', async () => {
    const { parts, thrown } = await send({ kind: 'cut' })
    expect(parts).toEqual([])
    expect(thrown).toMatchObject({ name: 'AI_APICallError', statusCode: undefined, isRetryable: true })
  })

  test('a socket that is torn in the middle of a stream throws while it is read', async () => {
    const { parts, thrown } = await send({ kind: 'cut', after: someEvents[wire] })
    expect(ofType(parts, 'text-delta').map(({ delta }) => delta)).toContain('one ')
    expect(ofType(parts, 'finish')).toEqual([])
    expect(thrown).toMatchObject({ name: 'AI_APICallError', statusCode: 200, isRetryable: true })
  })

  test('a stream that ends without its finish is recognised', async () => {
    const { parts, thrown } = await send({ kind: 'end', after: someEvents[wire] })
    expect(thrown).toBeUndefined()
    const [finish] = ofType(parts, 'finish')
    expect(finish?.finishReason.unified).toBe(wire === 'openai-compatible' ? 'error' : 'interrupted')
  })

  test('junk in a stream is an error', async () => {
    const { parts } = await send({ kind: 'junk', after: someEvents[wire] })
    expect(ofType(parts, 'error').length).toBeGreaterThan(0)
    expect(ofType(parts, 'error')[0]?.error).toMatchObject({ name: 'AI_JSONParseError' })
  })

  test.for([
    ['before the first byte', undefined],
    ['after the headers', 0],
    ['in the middle', someEvents[wire]],
  ] as const)('an abort of a stream that stalls %s closes the socket', async ([, after]) => {
    const server = await failing({ kind: 'stall', ...(after !== undefined && { after }) })
    const abort = new AbortController()
    const reading = partsOf(modelOn(wire, server), { ...question, abortSignal: abort.signal })
    await expect.poll(() => server.requests.length, { interval: 5 }).toBe(1)
    await idle()
    const [arrival] = server.requests
    expect(arrival?.closedAt).toBeUndefined()
    abort.abort()
    const { thrown } = await reading
    await arrival?.over
    expect(thrown).toMatchObject({ name: 'AbortError' })
    expect(arrival?.isAborted).toBe(true)
  })

  test('an answer in one piece fails in the same ways', async () => {
    const ask = async (fault: WireFault): Promise<unknown> => {
      const server = await failing(fault)
      return modelOn(wire, server)
        .doGenerate(question)
        .then(
          () => 'answered',
          (error: unknown) => error,
        )
    }
    expect(await ask({ kind: 'status', status: 429 })).toMatchObject({ statusCode: 429, isRetryable: true })
    expect(await ask({ kind: 'error', after: 0, message: 'It broke.' })).toMatchObject({ statusCode: 500, message: 'It broke.' })
    expect(await ask({ kind: 'cut' })).toMatchObject({ name: 'AI_APICallError', isRetryable: true })
    expect(await ask({ kind: 'cut', after: 0 })).toMatchObject({ name: 'AI_APICallError' })
    expect(await ask({ kind: 'junk', after: 0 })).toMatchObject({ name: 'AI_APICallError' })
    expect(await ask({ kind: 'end', after: 0 })).toMatchObject({ name: 'AI_APICallError' })
  })
})
