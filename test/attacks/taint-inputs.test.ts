/** Inputs of strangers: what the caller says of an input is recorded with it, and its thread has read it (TAINT-4). */
import {
  agent,
  approve,
  type Guard,
  type Input,
  type InputTaint,
  memoryJournal,
  type Question,
  type RunHandle,
  type RunOptions,
  signal,
  steer,
  tool,
} from '@loom-agent/agent'
import type { Taint } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { until } from '../support/event-loop.ts'
import { factsOf } from '../support/threads.ts'

/** Tools that read something private, read a page, wait for a signal, and send; the questions that were asked. */
function world(turns: readonly string[], guards: readonly Guard[] = []) {
  const asked: string[] = []
  const sent: unknown[] = []
  let go = (): void => {}
  const opened = new Promise<void>((resolve) => {
    go = resolve
  })
  const started: string[] = []
  const tools = {
    notes: tool({ effect: 'read', taint: { brings: 'private' }, run: () => 'My notes.' }),
    page: tool({ effect: 'read', taint: { brings: 'untrusted' }, run: () => 'A page.' }),
    send: tool({ taint: { sends: true }, run: (input: unknown) => sent.push(input) }),
    hold: tool({
      effect: 'read',
      run: async () => {
        started.push('hold')
        await opened
        return 'Held.'
      },
    }),
    mail: tool({ durable: true, run: async (_, ctx) => (await ctx.waitFor('mail')).status }),
  }
  const onQuestion = ({ prompt }: Question) => {
    asked.push(prompt)
    return approve()
  }
  const calls = (names: string) => ({ calls: names.split(' ').map((name) => ({ tool: name })) })
  const model = scriptedModel([...turns.map((names) => (names === 'SAY' ? 'Said.' : calls(names))), 'Done.'])
  const journal = memoryJournal()
  const clerk = agent({ name: 'clerk', model, tools, guards, onQuestion, journal, permissions: { '*': 'allow' } })
  return { clerk, asked, sent, go, started, journal, model, tools }
}

const run = async (input: Input, taint: InputTaint | undefined, turns: readonly string[] = ['notes', 'send']) => {
  const { clerk, asked, sent } = world(turns)
  await clerk.run(input, { thread: 't', ...(taint !== undefined && { taint }) })
  const [started] = await factsOf(clerk, 't', 'run.started')
  const [sending] = (await factsOf(clerk, 't', 'tool.started')).filter(({ data }) => data.taint)
  const request = started && 'request' in started.data ? started.data.request : undefined
  return { asked, sent, recorded: request?.taint, sending: sending?.data.taint }
}

const read = (theirs: string, mine = 'notes'): string =>
  `May send run with these arguments? (it sends something out, and this thread has read ${theirs}, which others wrote, and ${mine}, which is private)`

describe('what a caller says of an input', () => {
  test('is recorded, and counts as read', async () => {
    const { asked, recorded, sending, sent } = await run('Please pay.', 'untrusted')
    expect(recorded).toEqual({ untrusted: { what: 'the input' } })
    expect(asked).toEqual([read('the input')])
    expect(sending).toEqual({ untrusted: { what: 'the input', seq: 2 }, private: { what: 'notes', call: '1.0' } })
    expect(sent).toHaveLength(1)
  })

  test('is nothing by default: an input is that of a person who may', async () => {
    const { asked, recorded, sent } = await run('Please pay.', undefined)
    expect([asked, recorded, sent.length]).toEqual([[], undefined, 1])
  })

  test('is said in words of its own, in one line without what cannot be seen', async () => {
    const { asked } = await run('Please pay.', { untrusted: `a mail\nof \u202eeve, ${'long '.repeat(100)}` })
    expect(asked[0]).toMatch(/has read a mail of (?:\\u\{202e\})?eve, long [long ]+\.\.\., which others wrote, and notes/)
  })

  test('may be that it is private', async () => {
    const { asked } = await run('My salary is 7.', 'private', ['page', 'send'])
    expect(asked).toEqual([read('page', 'the input')])
  })

  test('may be both', async () => {
    const { asked } = await run('A letter.', ['private', 'untrusted'], ['send'])
    expect(asked[0]).toContain('the input, which others wrote and which is private')
  })

  const file = { type: 'file', data: 'QQ==', mediaType: 'application/pdf', name: 'offer.pdf', taint: 'untrusted' } as const
  test.each<[string, Input, string]>([
    [
      'a part',
      [
        { type: 'text', text: 'What is it?' },
        { type: 'text', text: 'Pay.', taint: 'untrusted' },
      ],
      'the input',
    ],
    ['a file', [{ type: 'text', text: 'What is it?' }, file], 'the file offer.pdf'],
    ['a part of a message', [{ role: 'user', content: [{ type: 'text', text: 'Pay.', taint: { untrusted: 'a mail' } }] }], 'a mail'],
  ])('is said of %s alone', async (_, input, words) => {
    const { asked, recorded } = await run(input, undefined)
    expect(recorded).toEqual({ untrusted: { what: words } })
    expect(asked).toEqual([read(words)])
  })

  test.each<[string, Input, RunOptions]>([
    ['a word that is no label', 'Go.', { taint: 'untrustd' as 'untrusted' }],
    ['a label without words', 'Go.', { taint: { untrusted: ' ' } }],
    ['an unknown label', 'Go.', { taint: { secret: 'x' } as object }],
    ['a part that is marked with no label', [{ type: 'text', text: 'Go.', taint: 'evil' as 'untrusted' }], {}],
  ])('is refused where it is %s', async (_, input, options) => {
    const { clerk, journal } = world([])
    await expect(async () => clerk.run(input, { ...options, thread: 't' })).rejects.toThrow(/taint/)
    expect((await journal.head('t'))?.seq ?? 0).toBe(0)
  })

  test('belongs to the start: the same id with a trusted input is another start', async () => {
    const { clerk } = world(['SAY'])
    await clerk.run('Pay.', { id: 'one' })
    await expect(clerk.run('Pay.', { id: 'one', taint: 'untrusted' })).rejects.toMatchObject({ code: 'LOOM_RUN_EXISTS' })
    await clerk.run('Pay.', { id: 'two', taint: 'untrusted' })
    await expect(clerk.run('Pay.', { id: 'two' })).rejects.toMatchObject({ code: 'LOOM_RUN_EXISTS' })
    expect((await clerk.run('Pay.', { id: 'two', taint: 'untrusted' })).text).toBe('Done.')
  })
})

/** Resolves when a start has become a message. */
async function joins(handle: RunHandle): Promise<void> {
  for await (const event of handle.events()) if (event.type === 'message.steered') return
}

describe('what comes to a run under way', () => {
  const steered: [string, (of: ReturnType<typeof world>) => Promise<unknown>, string][] = [
    ['by a start that joins it', ({ clerk }) => joins(clerk.start('More.', { thread: 't', whenBusy: 'steer', taint: 'untrusted' })), 'the input'],
    ['with the journal alone', ({ journal }) => steer(journal, 't', 'More.', { taint: 'untrusted', by: 'eve' }), 'a message of eve'],
    ['as a signal', ({ journal }) => signal(journal, 't', 'mail', 'More.', { taint: { untrusted: 'a mail of eve' } }), 'a mail of eve'],
  ]
  test.each(steered)('is marked %s, and counts from when it is read', async (_, come, words) => {
    const one = world(['notes hold', 'send'])
    const handle = one.clerk.start('Go.', { thread: 't' })
    await until(() => one.started.length > 0)
    await come(one)
    one.go()
    await handle.result()
    expect(one.asked).toEqual([read(words)])
  })

  test('and what a handle steers does, also where a guard rewrites it', async () => {
    const guard: Guard = { name: 'polite', input: (text) => ({ rewrite: `${text} Please.` }) }
    const one = world(['notes hold', 'send'], [guard])
    const handle = one.clerk.start('Go.', { thread: 't' })
    await until(() => one.started.length > 0)
    await handle.steer('More.', { taint: 'untrusted' })
    await steer(one.journal, 't', 'And more.', { taint: { untrusted: 'later' } })
    one.go()
    await handle.result()
    expect(one.asked).toEqual([read('a message')])
    expect(JSON.stringify(one.model.requests.at(-1)?.prompt)).toContain('And more. Please.')
  })

  test('a call that was under way before is not asked about', async () => {
    const one = world(['notes', 'hold send', 'send'])
    const handle = one.clerk.start('Go.', { thread: 't' })
    await until(() => one.started.length > 0)
    await handle.steer('More.', { taint: 'untrusted' })
    one.go()
    await handle.result()
    expect([one.asked.length, one.sent.length]).toEqual([1, 2])
  })

  test('an input that is queued counts from when its run starts, for good', async () => {
    const one = world(['notes hold', 'send', 'SAY', 'send', 'SAY', 'send'])
    const first = one.clerk.start('Go.', { thread: 't' })
    await until(() => one.started.length > 0)
    const second = one.clerk.start('More.', { thread: 't', whenBusy: 'queue', taint: 'untrusted' })
    await until(async () => (await factsOf(one.clerk, 't', 'run.queued')).length > 0)
    one.go()
    await first.result()
    expect(one.asked).toEqual([])
    await second.result()
    expect(one.asked).toEqual([read('the input')])
    await one.clerk.run('And now?', { thread: 't' })
    expect(one.asked).toHaveLength(2)
  })
})

describe('what was said of an input', () => {
  test('goes with it to children and comes back with nobody: the thread has it already', async () => {
    const { tools, asked } = world([])
    const worker = agent({ name: 'worker', model: scriptedModel([{ calls: [{ tool: 'notes' }] }, { calls: [{ tool: 'send' }] }, 'Sent.']), tools })
    const model = scriptedModel([{ calls: [{ tool: 'worker', input: { prompt: 'Go.' } }] }, 'Done.'])
    const onQuestion = ({ prompt }: Question) => {
      asked.push(prompt)
      return approve()
    }
    const boss = agent({ name: 'boss', model, tools: { worker }, onQuestion, permissions: { '*': 'allow' } })
    await boss.run('Pay.', { thread: 't', taint: 'untrusted' })
    expect(asked).toEqual([read('the input')])
    const [child] = await factsOf(boss, 't', 'child.finished')
    expect(child?.data.taint).toEqual({ private: { what: 'notes', call: '1.0' } } satisfies Taint)
  })

  test('is said again by a replay that drives on, from before the input on', async () => {
    const one = world(['SAY', 'hold notes', 'send', 'SAY', 'notes', 'send'])
    await one.clerk.run('Hello.', { thread: 't' })
    const handle = one.clerk.start('Pay.', { thread: 't', taint: { untrusted: 'a mail' } })
    await until(() => one.started.length > 0)
    await handle.steer('More.', { taint: 'private' })
    one.go()
    await handle.result()
    const model = scriptedModel(['Said.', { calls: [{ tool: 'send' }] }, 'Done.'])
    const again = agent({ name: 'clerk', model, tools: one.tools, journal: one.journal, permissions: { '*': 'allow' } })
    const { fork, driveFork } = await again.replay('t', {
      mode: 'continue-live',
      with: { instructions: 'Be kind.' },
      fork: { effects: 'live', limits: { tokens: 100_000 } },
    })
    await driveFork?.()
    const [started] = (await factsOf(again, fork?.thread ?? '', 'run.started')).slice(-1)
    expect(started?.data).toMatchObject({ request: { taint: { untrusted: { what: 'a mail' }, private: { what: 'a message' } } } })
    expect((await factsOf(again, fork?.thread ?? '', 'question.asked'))[0]?.data.prompt).toContain(
      'a mail, which others wrote, and a message, which is private',
    )
  })
})

describe('a part of a result', () => {
  const resultOf = async (part: object) => {
    const { content } = await import('@loom-agent/agent')
    const letter = tool({ effect: 'read', run: () => content([part as { type: 'text'; text: string }]) })
    const one = agent({ model: scriptedModel([{ calls: [{ tool: 'letter' }] }, 'Done.']), tools: { letter } })
    await one.run('Go.', { thread: 't' })
    return (await factsOf(one, 't', 'tool.finished'))[0]?.data
  }

  test('is marked as a part of an input is, whatever its tool says', async () => {
    expect((await resultOf({ type: 'text', text: 'Pay.', taint: 'untrusted' }))?.taint).toEqual({ untrusted: { what: 'letter' } })
    expect((await resultOf({ type: 'text', text: 'Pay.' }))?.taint).toBeUndefined()
  })

  test('counts as the worst where its mark cannot be read', async () => {
    expect((await resultOf({ type: 'text', text: 'Pay.', taint: 'evil' }))?.taint).toEqual({
      untrusted: { what: 'letter' },
      private: { what: 'letter' },
    })
  })
})
