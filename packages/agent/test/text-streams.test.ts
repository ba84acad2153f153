/** `run.text()`: leaving it, joining it late, and blocks of text that interleave (STREAM-5). */
import { type Agent, agent, type Model, memoryJournal, type RunHandle } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

/** A run whose model stops in the middle of its reply, which one consumer has read that far. */
async function halfway(): Promise<{ talker: Agent; run: RunHandle; pieces: AsyncIterator<string> }> {
  const talker = agent({ name: 'talker', model: scriptedModel([{ text: 'one two three', stallAfter: 4 }]), behaviour: { grace: 1 } })
  const run = talker.start('go', { thread: 't' })
  const pieces = run.text()
  let text = ''
  while (text !== 'one two ') text += (await pieces.next()).value ?? ''
  return { talker, run, pieces }
}

/** A stream as a server makes it of an iterator. */
const toWebStream = (pieces: AsyncIterator<string>) =>
  new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (!done) controller.enqueue(value)
    },
    async cancel() {
      await pieces.return?.()
    },
  })

const over = { done: true, value: undefined }

describe('a consumer of text that waits for the next piece', () => {
  test('leaves at once, and all pieces it has asked for are over (found: it was kept until the run moved)', async () => {
    const { run, pieces } = await halfway()
    const asked = [pieces.next(), pieces.next()]
    expect(await pieces.return?.()).toEqual(over)
    expect(await Promise.all(asked)).toEqual([over, over])
    expect(await pieces.next()).toEqual(over)
    await run.stop()
    expect((await run.result()).text).toBe('one two ')
  })

  test('leaves at once as a web stream that is cancelled', async () => {
    const { run } = await halfway()
    const reader = toWebStream(run.text()).getReader()
    expect(await reader.read()).toMatchObject({ value: 'one two ' })
    const asked = reader.read()
    await reader.cancel()
    expect(await asked).toEqual(over)
    await run.stop()
    await run.result()
  })

  test('leaves before the first piece', async () => {
    const { run } = await halfway()
    const pieces = run.text()
    await pieces.return?.()
    expect(await pieces.next()).toEqual(over)
    await run.stop()
    await run.result()
  })
})

describe('the text of a reply that was stopped', () => {
  const textOf = async (run: RunHandle): Promise<string> => (await Array.fromAsync(run.text())).join('')

  test('is given once to a consumer that has seen it', async () => {
    const { run, pieces } = await halfway()
    await run.stop()
    expect(await pieces.next()).toEqual(over)
  })

  test('is given to a handle that comes later (found: nothing was)', async () => {
    const { talker, run } = await halfway()
    await run.stop()
    const { text } = await run.result()
    expect([text, await textOf(talker.resume('t')), await textOf(run)]).toEqual(['one two ', 'one two ', 'one two '])
  })

  test('of a run that is done is given to a handle that comes later', async () => {
    const talker = agent({ model: scriptedModel(['one', 'two']) })
    await talker.run('go', { thread: 't' })
    await talker.run('go on', { thread: 't' })
    expect(await textOf(talker.resume('t'))).toBe('two')
  })

  test('is given to a follower that gets no signals', async () => {
    const { talker, run } = await halfway()
    const follower = agent({ name: 'talker', model: scriptedModel('never'), journal: { ...talker.journal } })
    const followed = follower.resume('t')
    const text = textOf(followed)
    await run.stop()
    expect([await text, (await followed.result()).text]).toEqual(['one two ', 'one two '])
  })

  test('is only what the last attempt had said, where that had begun', async () => {
    const fails = { text: 'Wrong start', errorAfter: { parts: 3, error: { isRetryable: true, message: 'busy' } } }
    const model = scriptedModel([fails, { text: 'Right start', stallAfter: 3 }])
    const talker = agent({ name: 'talker', model, behaviour: { grace: 1 }, ports: { random: () => 0 } })
    const run = talker.start('go', { thread: 't' })
    for await (const event of run.events()) if (event.type === 'text-delta' && event.attempt === 2) break
    await run.stop()
    expect([(await run.result()).text, await textOf(talker.resume('t'))]).toEqual(['Right ', 'Right '])
  })
})

describe('blocks of text that interleave', () => {
  const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
  const finish = { type: 'finish', usage, finishReason: { unified: 'stop' } }
  const piece = (id: string, delta: string) => ({ type: 'text-delta', id, delta })
  const edge = (type: 'text-start' | 'text-end', id: string) => ({ type, id })
  const replies: readonly (readonly [string, readonly object[]])[] = [
    ['one inside the other', [edge('text-start', 'a'), piece('b', 'world'), edge('text-end', 'b'), piece('a', 'Hello '), edge('text-end', 'a')]],
    [
      'one after the other',
      [piece('a', 'Hel'), piece('b', 'wo'), piece('a', 'lo '), edge('text-end', 'a'), piece('b', 'rld'), edge('text-end', 'b')],
    ],
    ['without ends', [piece('a', 'Hel'), piece('b', 'wo'), piece('a', 'lo '), piece('b', 'rld')]],
    ['three', [piece('a', 'Hel'), piece('b', ''), piece('c', 'world'), edge('text-end', 'c'), piece('a', 'lo '), edge('text-end', 'a')]],
    ['beside thoughts', [piece('a', 'Hel'), { type: 'reasoning-delta', id: 'a', delta: 'hm' }, piece('b', 'world'), piece('a', 'lo ')]],
  ]

  /** A model that sends these parts, and waits in the middle until it is let go. */
  function modelOf(parts: readonly object[], middle: Promise<void>): Model {
    async function* stream() {
      for (const [index, part] of parts.entries()) {
        if (index === parts.length - 2) await middle
        yield part
      }
      yield finish
    }
    return { ...scriptedModel('never'), doStream: async () => ({ stream: stream() }) as never }
  }

  test.each(replies)('%s: the text is that of the result, however it is read (found: "worldHello ")', async (_, parts) => {
    const middle = Promise.withResolvers<void>()
    const run = agent({ model: modelOf(parts, middle.promise), journal: memoryJournal() }).start('go')
    const live = run.text()
    const first = await Promise.race([live.next(), new Promise<undefined>((resolve) => setImmediate(resolve, undefined))])
    const joined = Array.fromAsync(run.text())
    await new Promise((resolve) => setImmediate(resolve))
    middle.resolve()
    const { text } = await run.result()
    expect(text).toBe('Hello world')
    const rest = (await Array.fromAsync(live)).join('')
    expect([first === undefined || `${first.value}${rest}` === text, (await joined).join('')]).toEqual([true, text])
  })
})
