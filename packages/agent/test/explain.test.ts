/** Explaining a request: what it held, what it did not hold, and why. */
import {
  agent,
  assembliesOf,
  type ContextPlan,
  type ContextStrategy,
  type ExplainWhat,
  type Explanation,
  explain,
  exportAssemblies,
  type Hook,
  presenceOf,
  renderExplanation,
  renderPresence,
  tool,
} from '@loom-agent/agent'
import type { Segment } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { factsOf } from './journals.ts'

const pages = ['', 'The launch code is tulip-42.', 'The weather is fine.', 'The boat is blue.', 'The cat sleeps.', 'The road is long.']
const read = tool({
  name: 'read',
  description: 'Reads a page.',
  effect: 'read',
  run: ({ n = 0 }: { n?: number }) => `${pages[n]} ${'lorem ipsum '.repeat(20)}the end of page ${n}`,
})

const dropped = (to: number): Segment => ({ to, as: 'dropped', rule: 'window', reason: 'It is older than the last turns' })
const summary =
  '# Summary\n\n## Background context\nThey read pages.\n\n## Key decisions\n- The launch code was on page one.\n\n## Open issues\nNone.'

/** A strategy that makes one plan, in one turn. */
const planning = (turn: number, plan: (length: number) => ContextPlan): ContextStrategy => ({
  name: 'planned',
  assemble: ({ frame }) => (frame.turn === turn ? plan(frame.history.length) : {}),
})

/** A thread that reads five pages, one a turn, and answers in turn six. */
async function reading(context: ContextStrategy | undefined, hooks: readonly Hook[] = []) {
  let spoken = 0
  const model = scriptedModel(() =>
    ++spoken === 6 ? 'Done.' : { text: `Page ${spoken}.`, reasoning: `thought ${spoken}`, calls: [{ tool: 'read', input: { n: spoken } }] },
  )
  const worker = agent({ instructions: 'Be exact.', model, tools: [read], hooks, behaviour: { readMore: false }, ...(context && { context }) })
  await worker.run('Read all pages.', { thread: 't' })
  const asked = (what?: ExplainWhat): Promise<Explanation> => explain(worker.journal, { thread: 't', turn: 6 }, what)
  return { worker, model, asked }
}

const fateOf = ({ parts }: Explanation, entry: number) => parts.find((part) => part.entry === entry)?.fate

describe('what became of an entry', () => {
  test('verbatim, with the index of its message', async () => {
    const { asked, model } = await reading(undefined)
    const { asked: answer, parts, tokens, messages } = await asked('TULIP - 42')
    expect(answer).toMatchObject({
      isShown: true,
      count: 1,
      found: [{ where: 'result', fate: { as: 'verbatim', message: 3 }, part: { entry: 2, turn: 1 } }],
    })
    expect(JSON.stringify(model.requests[5]?.prompt[3])).toContain('tulip-42')
    expect(messages).toBe(model.requests[5]?.prompt.length)
    expect(parts.reduce((sum, part) => sum + part.tokens, 0)).toBe(tokens.total)
    expect(parts.map(({ kind }) => kind).slice(0, 3)).toEqual(['system', 'tool', 'input'])
  })

  test('dropped: by which rule, under which budget, and what took the room', async () => {
    const budget = { max: 900, before: 1500, after: 700 }
    const { asked } = await reading(planning(6, () => ({ rebase: { reason: 'too long', segments: [{ to: 1, as: 'kept' }, dropped(5)], budget } })))
    const { asked: answer, words, rebase } = await asked('launch code')
    const fate = answer?.found[0]?.fate
    expect(answer?.isShown).toBe(false)
    expect(fate).toMatchObject({ as: 'dropped', rule: 'window', reason: 'It is older than the last turns', budget })
    expect(fate?.as === 'dropped' && fate.took[0]).toMatchObject({ kind: 'results', entry: 6 })
    expect(rebase).toMatchObject({ reason: 'too long', turn: 6 })
    expect(words).toContain('of at most 900 tokens')
    expect(words).toContain('4 entries were dropped by the rule "window"')
    expect(words).toContain('The request of turn 6 does not have "launch code".')
  })

  test('summarised: by which summary, in which section, by which line', async () => {
    const plan = (): ContextPlan => ({
      compressed: { from: 1, to: 20, summary },
      rebase: {
        reason: 'full',
        segments: [
          { to: 1, as: 'kept' },
          { to: 5, as: 'summary', summary: 0 },
        ],
      },
    })
    const { asked } = await reading(planning(6, plan))
    const explanation = await asked('tulip-42')
    expect(fateOf(explanation, 2)).toMatchObject({
      as: 'summarised',
      summary: 0,
      section: 'key_decisions',
      line: '- The launch code was on page one.',
    })
    expect(explanation.words).toContain('4 entries were summarised by summary 0')
    expect(explanation.parts.find(({ kind }) => kind === 'summary')).toMatchObject({ name: '0', fate: { as: 'verbatim', message: 2 } })
    expect((await asked('was on page one')).asked).toMatchObject({ isShown: true, found: [{ part: { kind: 'summary' } }] })
  })

  test('trimmed: by which rule, and how much is left; the words may be in what was cut', async () => {
    const trims = [{ rule: 'long', tools: ['read'], over: 100, head: 60, tail: 20 }]
    const { asked } = await reading(planning(6, (length) => ({ rebase: { reason: 'full', segments: [{ to: length, as: 'kept', trims }] } })))
    expect(fateOf(await asked(), 2)).toMatchObject({ as: 'trimmed', cuts: [{ call: '1.0', tool: 'read', rule: 'long', left: 80 }] })
    expect((await asked('tulip-42')).asked).toMatchObject({ isShown: true, found: [{ isShown: true, fate: { as: 'trimmed' } }] })
    expect((await asked('lorem ipsum lorem ipsum lorem ipsum lorem ipsum')).asked).toMatchObject({ isShown: false })
    expect((await asked('1.0')).asked).toMatchObject({ what: 'the call 1.0', isShown: false, count: 2 })
  })

  test('not yet: it came later', async () => {
    const { worker, asked } = await reading(undefined)
    await worker.run('And the harbour?', { thread: 't' }).catch(() => undefined)
    expect((await asked('harbour')).asked).toMatchObject({ isShown: false, found: [{ fate: { as: 'not yet' } }] })
    expect((await asked('harbour')).hints).toEqual([])
  })

  test('replaced: an earlier summary by a later one, and what a hook put in place of a reply or a result', async () => {
    const context: ContextStrategy = {
      name: 'twice',
      assemble: ({ frame }): ContextPlan => {
        const number = frame.turn === 4 ? 0 : frame.turn === 6 ? 1 : undefined
        if (number === undefined) return {}
        return {
          compressed: { from: 1, to: frame.seq, summary: `Summary ${number}.` },
          rebase: {
            reason: 'full',
            segments: [
              { to: 1, as: 'kept' },
              { to: 5, as: 'summary', summary: number },
            ],
          },
        }
      },
    }
    const hook: Hook = {
      name: 'censor',
      afterModelReply: (_, { parts }) =>
        JSON.stringify(parts).includes('Page 2.')
          ? { parts: parts.map((part) => (part.type === 'text' ? { ...part, text: 'Page two.' } : part)) }
          : undefined,
      afterToolExecution: (_, { id }) => (id === '3.0' ? { output: { type: 'text', value: 'hidden' } } : undefined),
    }
    const { asked } = await reading(context, [hook])
    expect((await asked()).parts.filter(({ kind }) => kind === 'summary').map(({ name, fate }) => [name, fate.as])).toEqual([
      ['1', 'verbatim'],
      ['0', 'replaced'],
    ])
    expect((await asked('Page 2.')).asked?.found.map(({ fate }) => fate)).toEqual([
      expect.objectContaining({ as: 'replaced', by: 'the reply that the hook "censor" gave' }),
    ])
    expect((await asked('boat is blue')).asked).toMatchObject({ isShown: false, found: [{ fate: { by: 'the result that the hook "censor" gave' } }] })
  })

  test('never eligible: a hook took it out of the request', async () => {
    const hook: Hook = {
      name: 'shy',
      beforeModelCall: ({ turn }, { messages }) =>
        turn === 6 ? { messages: messages.filter((message) => !JSON.stringify(message).includes('weather')) } : undefined,
    }
    const { asked, model, worker } = await reading(undefined, [hook])
    const explanation = await asked('weather')
    expect(explanation.asked).toMatchObject({ isShown: false, found: [{ fate: { as: 'never eligible', hook: 'shy' } }] })
    expect(explanation.messages).toBe(model.requests[5]?.prompt.length)
    expect(fateOf(explanation, 6)).toEqual({ as: 'verbatim', message: 6 })
    const [row] = (await presenceOf(worker.journal, 't', 'weather')).rows
    expect(row?.turns.map(({ from, to, as }) => [from, to, as])).toEqual([
      [3, 5, 'in'],
      [6, 6, 'absent'],
    ])
  })

  test('never eligible: reasoning that the vendor does not take, and blank texts', async () => {
    const parts = [
      { type: 'reasoning-start', id: 'x' },
      { type: 'reasoning-delta', id: 'x', delta: 'a hidden thought' },
      { type: 'reasoning-end', id: 'x', providerMetadata: { google: { s: '1' } } },
    ] as const
    const model = scriptedModel([{ text: 'One.', parts: [...parts] }, { text: '  ' }, 'Two.'], { modelId: 'x' })
    const worker = agent({ model: { ...model, provider: 'anthropic' } })
    for (const input of ['first', 'second', 'third']) await worker.run(input, { thread: 't' })
    const { asked } = await explain(worker.journal, { thread: 't', turn: 3 }, 'hidden thought')
    expect(asked?.found).toMatchObject([{ where: 'reasoning', isShown: false, fate: { as: 'never eligible' } }])
    const { parts: all } = await explain(worker.journal, { thread: 't', turn: 3 })
    expect(all.filter(({ fate }) => fate.as === 'never eligible').map(({ fate }) => fate)).toMatchObject([
      { because: expect.stringContaining('blank') as string },
    ])
  })
})

describe('what is looked for', () => {
  test('is a text, the seq of an entry, the id of a call or the id of an item', async () => {
    const items = [{ kind: 'reminder', id: 'todo', origin: 'test', text: 'Two tasks are open.' }]
    const { asked, worker } = await reading(planning(3, () => ({ items })))
    expect((await asked('todo')).asked).toMatchObject({ what: 'the item "todo"', isShown: true, count: 1 })
    expect((await asked({ item: 'todo' })).asked?.found[0]?.part).toMatchObject({ kind: 'item', name: 'todo' })
    expect((await asked('2.0')).asked?.found.map(({ where }) => where)).toEqual(['arguments', 'result'])
    expect((await asked({ text: '2.0' })).asked?.count).toBe(0)
    const [reply] = await factsOf(worker, 't', 'model.replied')
    expect((await asked(reply?.seq)).asked?.found).toMatchObject([{ part: { kind: 'reply', seq: reply?.seq }, where: 'all of it' }])
    expect((await asked('be EXACT')).asked?.found[0]?.part.kind).toBe('system')
    expect((await asked('reads a page')).asked?.found[0]?.part).toMatchObject({ kind: 'tool', name: 'read' })
    expect((await asked('nowhere')).words).toContain('Nothing in the thread has "nowhere".')
  })

  test('is refused when it is nothing that can be looked for, and so is a moment without a context', async () => {
    const { worker, asked } = await reading(undefined)
    for (const what of ['', 0, 1.5, {}, { text: 'a', seq: 1 }, { name: 'x' }, null])
      await expect(asked(what as never)).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    await expect(explain(worker.journal, 't@1')).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    await expect(explain(worker.journal, 't@999')).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    await expect(explain(worker.journal, { thread: 't', turn: 9 })).rejects.toMatchObject({ code: 'LOOM_OPTION_INVALID' })
    await expect(explain(worker.journal, 'nobody@1')).rejects.toMatchObject({ code: 'LOOM_THREAD_NOT_FOUND' })
    await expect(explain(worker.journal, 'no moment')).rejects.toMatchObject({ code: 'LOOM_THREAD_INVALID' })
  })

  test('at a moment is explained by the context of that moment', async () => {
    const { worker } = await reading(undefined)
    const contexts = await factsOf(worker, 't', 'context.assembled')
    const turns = await Promise.all(
      contexts.flatMap(({ seq }) => [seq, seq + 1]).map(async (seq) => (await explain(worker.journal, `t@${seq}`)).turn),
    )
    expect(turns).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6])
  })
})

describe('over all turns', () => {
  test('presence has ranges of entries and of turns', async () => {
    const { worker } = await reading(planning(4, () => ({ rebase: { reason: 'full', segments: [{ to: 1, as: 'kept' }, dropped(3)] } })))
    const { rows } = await presenceOf(worker.journal, 't')
    expect(rows.map(({ from, to, turns }) => [from, to, turns.map(({ from: first, to: last, as }) => [first, last, as])])).toEqual([
      [0, 0, [[1, 6, 'in']]],
      [
        1,
        2,
        [
          [2, 3, 'in'],
          [4, 6, 'dropped'],
        ],
      ],
      [3, 4, [[3, 6, 'in']]],
      [5, 6, [[4, 6, 'in']]],
      [7, 8, [[5, 6, 'in']]],
      [9, 10, [[6, 6, 'in']]],
    ])
    const found = await presenceOf(worker.journal, 't', 'tulip-42')
    expect(renderPresence(found)).toMatch(/#2 +turns 2 to 3 in, turns 4 to 6 dropped: The launch code is tulip-42\./)
  })

  test('presence of ten thousand messages that came together is one row', async () => {
    const messages = Array.from({ length: 10_000 }, (_, n) => ({ role: 'user' as const, content: `message ${n}` }))
    const worker = agent({ model: scriptedModel(() => 'ok') })
    await worker.run(messages, { thread: 't' })
    const { rows } = await presenceOf(worker.journal, 't')
    expect(rows.map(({ from, to }) => [from, to])).toEqual([[0, 9999]])
  })

  test('assemblies are exported as JSON lines, with the tokens that an explanation has', async () => {
    const { worker } = await reading(planning(4, () => ({ rebase: { reason: 'full', segments: [{ to: 1, as: 'kept' }, dropped(3)] } })))
    const records = await Array.fromAsync(assembliesOf(worker.journal, 't'))
    const lines = await Array.fromAsync(exportAssemblies(worker.journal, 't'))
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(records)
    expect(lines.every((line) => line.endsWith('\n') && line.indexOf('\n') === line.length - 1)).toBe(true)
    for (const { at: moment, turn, tokens, messages } of records) {
      const explanation = await explain(worker.journal, moment)
      expect({ turn, tokens, messages }).toEqual({ turn: explanation.turn, tokens: explanation.tokens.total, messages: explanation.messages })
    }
    expect(records.map(({ rebase }) => rebase?.reason)).toEqual(['start', undefined, undefined, 'full', undefined, undefined])
  })
})

describe('the picture', () => {
  test('shows the request as bars, the parts with marks, and what was looked for; without colours unless asked', async () => {
    const { asked } = await reading(planning(6, () => ({ rebase: { reason: 'full', segments: [{ to: 1, as: 'kept' }, dropped(5)] } })))
    const explanation = await asked('tulip-42')
    const picture = renderExplanation(explanation)
    expect(picture).toMatch(/results +\d+ #+/)
    expect(picture).toMatch(/- +\d+ {2}#1 to #4, 4 entries dropped by "window"/)
    expect(picture).toContain('"tulip-42": not in the request')
    expect(picture).toContain('1. Pin the entry of event')
    expect(picture).not.toContain('\u001B')
    expect(picture.split('\n').every(({ length }) => length <= 100)).toBe(true)
    expect(renderExplanation(explanation, { color: true })).toContain('\u001B[31m')
    expect(renderExplanation(explanation, { parts: 4 })).toContain('more lines')
  })
})

test('a request that was never sent is said to be not sent', async () => {
  const refusing: Hook = {
    beforeModelCall: () => {
      throw new Error('not now')
    },
  }
  const worker = agent({ model: scriptedModel(() => 'ok'), hooks: [refusing] })
  await worker.run('go', { thread: 't' })
  const contexts = await factsOf(worker, 't', 'context.assembled')
  const explanation = await explain(worker.journal, `t@${contexts[0]?.seq}`)
  expect(explanation.request).toBeUndefined()
  expect(explanation.words).toContain('was not sent')
})
