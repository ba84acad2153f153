/** Guards: what comes in and what goes out is looked at before it is stored. */
import { agent, answer, answerWith, approve, type Guard, memoryJournal, reject, respond, steer, tool } from '@loom-agent/agent'
import { allDetectors, piiGuard, secretsGuard } from '@loom-agent/agent/guards'
import type { Journal } from '@loom-agent/kernel'
import { assertHistory, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from './journals.ts'

/** A guard that replaces a word. */
const replacing = (word: string, by: string, name = `no ${word.toLowerCase()}`): Guard => {
  const look = (text: string) => (text.includes(word) ? { rewrite: text.replaceAll(word, by) } : undefined)
  return { name, input: look, result: look, output: look }
}
const saying = (verdict: object, at: 'input' | 'result' | 'output' = 'input'): Guard => ({ name: 'strict', [at]: () => verdict }) as Guard

async function recordOf(journal: Journal, thread = 't'): Promise<string> {
  const events = await eventsOf(journal, thread)
  assertHistory(events)
  return JSON.stringify(events)
}

describe('an input', () => {
  test('is rewritten before it is stored, and the record says by whom, with a digest of what was given', async () => {
    const model = scriptedModel(['Hello.'])
    const one = agent({ model, guards: [replacing('Ann', 'B'), replacing('B', 'C')] })
    await one.run('I am Ann.', { thread: 't' })
    const record = await recordOf(one.journal)
    expect(record).not.toContain('Ann.')
    const [started] = await factsOf(one, 't', 'run.started')
    expect(started?.data).toMatchObject({
      request: {
        input: [{ parts: [{ text: 'I am C.' }] }],
        guarded: [
          { guard: 'no ann', verdict: 'rewrite', digest: expect.stringMatching(/^\w{16,}$/) },
          { guard: 'no b', verdict: 'rewrite' },
        ],
      },
    })
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('I am C.')
  })

  test('that is blocked is not stored, and stops its run before the model is asked', async () => {
    const model = scriptedModel(['Hello.'])
    const one = agent({ model, guards: [saying({ block: 'it is rude' }), replacing('x', 'y')] })
    const result = await one.run('A rude word.', { thread: 't' })
    expect(result).toMatchObject({ status: 'stopped', reason: 'The guard strict blocked the input: it is rude' })
    expect(await recordOf(one.journal)).not.toContain('rude word')
    expect(model.requests).toEqual([])
  })

  test('that a guard asks about waits for a person', async () => {
    const guards = [saying({ ask: 'is it meant?' })]
    const one = agent({ model: scriptedModel(['Hello.', 'Again.']), guards })
    const first = await one.run('Delete all.', { thread: 't' })
    expect(first).toMatchObject({ status: 'waiting', questions: [{ prompt: 'strict asks about the input: is it meant?' }] })
    await one.answer(first.questions[0]?.id ?? '', approve())
    expect(await one.resume('t').result()).toMatchObject({ status: 'done', text: 'Hello.' })
    const second = await one.run('Delete all.', { thread: 't', onQuestion: () => reject('no') })
    const message =
      'The input was not released, which the guard strict had asked about: no. Start a run with another input: where this one is resumed, the answer holds.'
    expect(second).toMatchObject({ status: 'failed', error: { code: 'LOOM_HOOK_FAILED', message, context: { guard: 'strict' } } })
    expect(await one.resume('t', { onQuestion: () => approve() }).result()).toMatchObject({ status: 'failed', error: { message } })
    await recordOf(one.journal)
  })

  test('that a guard warns of passes, and the record has the warning', async () => {
    const one = agent({ model: scriptedModel(['Hello.']), guards: [saying({ warn: 'it is long' })] })
    expect((await one.run('Hi.', { thread: 't' })).status).toBe('done')
    expect(await recordOf(one.journal)).toContain('"verdict":"warn","reason":"it is long"')
  })

  test('with an id is the same start however often it is said', async () => {
    const one = agent({ model: scriptedModel(['Hello.', 'Again.']), guards: [replacing('Ann', 'B')] })
    const [first, second] = [await one.run('I am Ann.', { id: 'x' }), await one.run('I am Ann.', { id: 'x' })]
    expect([first.text, second.text]).toEqual(['Hello.', 'Hello.'])
  })

  test.each([
    [() => Promise.reject(new Error('down')), 'it failed: down'],
    [() => ({ verdict: 'allow' }), 'which is no verdict'],
    [() => ({ rewrite: 'a', block: 'b' }), 'which is no verdict'],
    [() => ({ rewrite: 7 }), 'which is no verdict'],
  ])('is blocked where a guard fails (%#), unless the guard says that it passes', async (input, words) => {
    const guard = { name: 'broken', input } as unknown as Guard
    const one = agent({ model: scriptedModel(['Hello.', 'Hello.']), guards: [guard] })
    expect(await one.run('Hi.')).toMatchObject({ status: 'stopped', reason: expect.stringContaining(words) })
    expect((await agent({ model: scriptedModel(['Hello.']), guards: [{ ...guard, onError: 'pass' }] }).run('Hi.')).status).toBe('done')
  })

  test('that is steered through a handle is looked at before it is stored, one by the journal alone when its driver takes it in', async () => {
    const journal = memoryJournal()
    const model = scriptedModel([{ calls: [{ tool: 'wait' }] }, 'Done.'])
    const wait = tool({
      run: async () => {
        await handle.steer('Ann says hello.')
        await steer(journal, 't', 'Ann says bye.')
        return 'waited'
      },
    })
    const one = agent({ model, tools: { wait }, journal, guards: [replacing('Ann', 'B')] })
    const handle = one.start('Go.', { thread: 't' })
    await handle.result()
    const record = await recordOf(journal)
    expect(record).not.toContain('Ann says hello')
    const shown = JSON.stringify(model.requests[1]?.prompt)
    expect([shown.includes('Ann'), shown.includes('B says hello.'), shown.includes('B says bye.')]).toEqual([false, true, true])
  })

  test('of a child passes the guards of its agent', async () => {
    const model = scriptedModel(['Hello.'])
    const child = agent({ name: 'child', model, guards: [replacing('Ann', 'B')] })
    await agent({ model: scriptedModel([{ calls: [{ tool: 'child', input: { prompt: 'Ask Ann.' } }] }, 'Done.']), tools: { child } }).run('Go.')
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('Ask B.')
  })
})

describe('a result', () => {
  const resultOf = async (returned: unknown, guards: readonly Guard[]) => {
    const model = scriptedModel([{ calls: [{ tool: 'read' }] }, 'Done.'])
    const read = tool({
      run: () => {
        if (returned instanceof Error) throw returned
        return returned
      },
    })
    const one = agent({ model, tools: { read }, guards })
    const result = await one.run('Go.', { thread: 't' })
    const [ended] = await factsOf(one, 't', 'tool.finished')
    return { record: await recordOf(one.journal), ended: ended?.data, result, shown: JSON.stringify(model.requests[1]?.prompt.at(-1)) }
  }

  test.each([
    ['Ann is here.', 'B is here.'],
    [{ list: ['Ann', 1, null], Ann: true }, '"list":["B",1,null],"B":true'],
    [new Error('Ann is away'), 'B is away'],
  ])('is rewritten before it is stored: %j', async (returned, left) => {
    const { record, shown, ended } = await resultOf(returned, [replacing('Ann', 'B')])
    expect(record).not.toContain('Ann')
    expect(shown.replaceAll('\\', '')).toContain(left)
    expect(ended?.meta).toEqual({ guards: [{ guard: 'no ann', verdict: 'rewrite' }] })
  })

  test('that is blocked says that the tool has run', async () => {
    const { record, shown } = await resultOf('Ann', [saying({ block: 'private' }, 'result')])
    expect(record).not.toContain('"Ann"')
    expect(shown).toContain('read failed: it has run, and its result is withheld by the guard strict: private')
  })

  test('that nobody minds is as it was', async () => {
    expect((await resultOf({ a: 1 }, [replacing('Ann', 'B')])).ended).toMatchObject({ output: { type: 'json', value: { a: 1 } } })
    expect((await resultOf({ a: 1 }, [replacing('Ann', 'B')])).ended?.meta).toBeUndefined()
  })

  test('that a guard asks about reaches the model when a person has released it', async () => {
    const guards = [saying({ ask: 'may it see this?' }, 'result')]
    const read = tool({ effect: 'read', run: () => 'Ann' })
    const script = () => scriptedModel([{ calls: [{ tool: 'read' }] }, 'Done.'])
    const model = script()
    const waiting = await agent({ model, tools: { read }, guards }).run('Go.')
    expect([waiting.status, model.requests.length, waiting.questions[0]?.prompt]).toEqual([
      'waiting',
      1,
      'strict asks about the result of read: may it see this?',
    ])
    for (const [reply, text] of [
      [approve(), 'Ann'],
      [reject('no'), 'The result of read is withheld: no.'],
    ] as const) {
      const released = script()
      await agent({ model: released, tools: { read }, guards, onQuestion: () => reply }).run('Go.', { thread: 't' })
      expect(JSON.stringify(released.requests[1]?.prompt.at(-1))).toContain(text)
    }
  })

  test('that a person or a hook gave passes the guards before the model sees it', async () => {
    const script = () => scriptedModel([{ calls: [{ tool: 'pay' }] }, 'Done.'])
    const guards = [replacing('Ann', 'B')]
    const [asked, answered] = [script(), script()]
    const pay = tool({ permission: 'ask', run: () => 'paid' })
    const one = agent({ model: asked, tools: { pay }, guards })
    const { questions } = await one.run('Go.', { thread: 't' })
    await answer(one.journal, questions[0]?.id ?? '', respond('Ann has paid.'))
    await one.resume('t').result()
    const hooks = [{ name: 'cache', beforeToolExecution: () => answerWith({ type: 'text', value: 'Ann has paid.' }) }]
    await agent({ model: answered, tools: { pay: tool({ run: () => 'paid' }) }, guards, hooks }).run('Go.')
    for (const model of [asked, answered]) expect(JSON.stringify(model.requests[1]?.prompt.at(-1))).toContain('B has paid.')
  })
})

describe('a reply', () => {
  const deltas = ['My name', ' is An', 'n, and ', 'Ann it is.']

  test('is shown and stored as the guards leave it: whole, or in pieces', async () => {
    const whole = agent({ model: scriptedModel([{ text: deltas.join(''), deltas }]), guards: [replacing('Ann', 'B')], record: { deltas: true } })
    const handle = whole.start('Who?', { thread: 't' })
    const shown: string[] = []
    for await (const piece of handle.text()) shown.push(piece)
    expect(shown.join('')).toBe('My name is B, and B it is.')
    expect(await recordOf(whole.journal)).not.toContain('Ann')
    expect((await handle.result()).text).toBe('My name is B, and B it is.')
  })

  test('in pieces is held back only as far as needed', async () => {
    const mail = 'ann@example.com'
    const pieces = ['Write to ', 'an', 'n@exam', 'ple.com', ', please.', ' Or call.']
    const model = scriptedModel([{ text: pieces.join(''), deltas: pieces }])
    const one = agent({ model, guards: [piiGuard()] })
    const handle = one.start('How?', { thread: 't' })
    const shown: string[] = []
    for await (const piece of handle.text()) shown.push(piece)
    expect(shown.join('')).toBe('Write to [email], please. Or call.')
    expect(shown.length).toBeGreaterThan(2)
    expect(await recordOf(one.journal)).not.toContain(mail)
  })

  test('that a guard blocks is retracted: nothing of it is stored, and the run ends as filtered', async () => {
    const stream = () => {
      let text = ''
      return {
        push: (piece: string) => {
          text += piece
          return text.includes('Ann') ? { block: 'a name' } : piece
        },
        end: () => '',
      }
    }
    for (const guard of [{ name: 'strict', stream }, saying({ block: 'a name' }, 'output')] as readonly Guard[]) {
      const one = agent({
        model: scriptedModel([{ text: deltas.join(''), deltas, calls: [{ tool: 'none' }] }]),
        guards: [guard],
        record: { deltas: true },
      })
      const result = await one.run('Who?', { thread: 't' })
      const reason = 'The guard strict blocked the reply: a name. Change the instructions or the input, and run the thread again.'
      expect(result).toMatchObject({ status: 'stopped', kind: 'filtered', reason, text: '[withheld by the guard strict: a name]' })
      const events = await eventsOf(one.journal, 't')
      assertHistory(events)
      const [reply] = await factsOf(one, 't', 'model.replied')
      expect(reply?.data).toMatchObject({ finish: 'content-filter', warnings: [{ type: 'guard-block', feature: 'strict', message: 'a name' }] })
      expect(JSON.stringify(reply)).not.toContain('My name')
    }
  })

  test('that a guard asks about is the answer when a person has released it', async () => {
    const guards = [saying({ ask: 'may it say so?' }, 'output')]
    const run = (onQuestion: () => ReturnType<typeof approve> | undefined) =>
      agent({ model: scriptedModel(['I quit.']), guards, onQuestion: onQuestion as never }).run('Well?', { thread: 't' })
    expect(await run(() => undefined)).toMatchObject({ status: 'waiting', questions: [{ prompt: 'strict asks about the reply: may it say so?' }] })
    expect((await run(() => approve())).text).toBe('I quit.')
    expect((await run(() => reject('no') as never)).text).toBe('[withheld: no]')
  })

  test('is blocked where a guard that looks at pieces fails', async () => {
    const failing: Guard = { name: 'broken', onError: 'pass', stream: () => ({ push: () => 7 as never, end: () => '' }) }
    expect(await agent({ model: scriptedModel(['Hi.']), guards: [failing] }).run('Hi.')).toMatchObject({ status: 'stopped', kind: 'filtered' })
  })

  test('with reasoning that was changed loses what the provider signed', async () => {
    const parts = (text: string) => [
      { type: 'reasoning-start' as const, id: 'r' },
      { type: 'reasoning-delta' as const, id: 'r', delta: text },
      { type: 'reasoning-end' as const, id: 'r', providerMetadata: { vendor: { signature: 's' } } },
    ]
    const one = agent({
      model: scriptedModel([
        { parts: parts('Ann?'), text: 'Yes.' },
        { parts: parts('Bob?'), text: 'Yes.' },
      ]),
      guards: [replacing('Ann', 'B')],
    })
    await one.run('1', { thread: 't' })
    await one.run('2', { thread: 't' })
    const replies = (await factsOf(one, 't', 'model.replied')).map(({ data }) => JSON.stringify(data.parts))
    expect([replies[0]?.includes('signature'), replies[0]?.includes('B?'), replies[1]?.includes('"signature":"s"')]).toEqual([false, true, true])
  })
})

test('secrets and personal data are in no record: of inputs, results, errors and replies', async () => {
  const secret = ['ghp', '0123456789abcdefghijklmnopqrstuvwxyz'].join('_')
  const model = scriptedModel([{ calls: [{ tool: 'read' }, { tool: 'fail' }] }, { text: `It is ${secret}, mail ann@example.com.` }])
  const tools = {
    read: tool({ run: () => ({ password: 'hunter2hunter2', note: `key ${secret}`, card: '4111 1111 1111 1111' }) }),
    fail: tool({
      run: () => {
        throw new Error(`no access for ann@example.com with ${secret}`)
      },
    }),
  }
  const one = agent({ model, tools, guards: [secretsGuard(), piiGuard()], record: { deltas: true } })
  const { text } = await one.run(`My key is ${secret} and my card 4111-1111-1111-1111.`, { thread: 't' })
  expect(text).toMatch(/^It is (?:ghp_)?\[redacted\], mail \[email\].$/)
  const record = await recordOf(one.journal)
  for (const item of [secret, 'hunter2', '4111', 'ann@example.com']) expect(record).not.toContain(item)
})

test('placeholders are put back for those who ask for them, on their thread', async () => {
  const guard = piiGuard({ reversible: true })
  const sent: string[] = []
  const mail = tool({ run: ({ to }: { to?: string }, { thread }) => sent.push(guard.restore(thread, to ?? '')) } as Parameters<typeof tool>[0] &
    object)
  const model = scriptedModel([{ calls: [{ tool: 'mail', input: { to: '[email 1]' } }] }, 'I wrote to [email 1] and [email 2].'])
  const one = agent({ model, tools: { mail }, guards: [guard] })
  const { text } = await one.run('Write to ann@example.com, bob@example.com and ann@example.com.', { thread: 't' })
  expect(sent).toEqual(['ann@example.com'])
  expect(guard.restore('t', text)).toBe('I wrote to ann@example.com and bob@example.com.')
  expect(guard.restore('other', text)).toBe(text)
})

test.each([[[{ input: () => undefined }]], [[{ name: 'x', imput: () => undefined }]], [[{ name: 'x', input: 'no' }]], ['x']])(
  '%j are no guards',
  (guards) => {
    expect(() => agent({ model: scriptedModel([]), guards: guards as never })).toThrow(/guards/)
  },
)

test.each([
  [[{ name: 'blind' }], 'guards[0] is {name}'],
  [[{ name: 'late', onError: 'pass' }], 'guards[0] is {name, onError}'],
  [
    [
      { name: 'a', input: () => undefined },
      { name: 'b', inputs: () => undefined },
    ],
    'guards[1] is {name, inputs}',
  ],
  [[{ output: () => undefined }], 'guards[0] is {output}'],
])('a guard that guards nothing is refused by its place in the list: %#', (guards, words) => {
  expect(() => agent({ guards: guards as never })).toThrow(words)
})

test('a detector that is none is refused by its place in the list, with what a detector has', () => {
  const half = { name: 'customer', find: () => undefined }
  expect(() => piiGuard({ detectors: [...allDetectors, half as never] })).toThrow(
    /detectors\[\d+\] is \{name, find\}\. Give .*mayHave\(character\) and longest/,
  )
})
