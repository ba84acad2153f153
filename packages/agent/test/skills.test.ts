import { agent, type ContextStrategy, compress, explain, memoryJournal, pipeline, type Skill, skills, tool } from '@loom-agent/agent'
import { assertCachePrefix, checkContexts, mortalJournal, type ScriptedReply, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from '../../../test/support/threads.ts'

const refunds: Skill = { name: 'refunds', description: 'How refunds are made.', body: 'First look up the order, then pay.', origin: 'skills/refunds' }
const letters: Skill = { name: 'letters', description: 'How letters are written.', body: 'Begin with the name.', trust: 'untrusted' }
const opening = (...names: readonly string[]): ScriptedReply => ({ calls: names.map((name) => ({ tool: 'open_skill', input: { name } })) })
const look = tool({ name: 'look', effect: 'read', run: () => `seen ${'x y '.repeat(400)}` })
const limits = { turns: 200, loop: false } as const

const itemsOf = async (worker: ReturnType<typeof agent>, thread = 't'): Promise<readonly string[]> =>
  (await factsOf(worker, thread, 'context.assembled')).flatMap(({ data }) => (data.items ?? []).map(({ kind, id }) => `${kind} ${id}`))

describe('a skill', () => {
  test('is known by its description, and its body is an item at the end once a call has opened it', async () => {
    const model = scriptedModel([opening('refunds'), 'Done.'])
    const worker = agent({ model, tools: [skills([refunds, letters])] })
    await worker.run('Give it back.', { thread: 't' })
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('How refunds are made.')
    expect(JSON.stringify(model.requests[0]?.prompt)).not.toContain('then pay')
    expect(model.requests[1]?.prompt.at(-1)).toEqual({
      role: 'user',
      content: [{ type: 'text', text: '[Skill refunds]\nFirst look up the order, then pay.' }],
    })
    const events = await eventsOf(worker, 't')
    const { parts } = await explain(worker.journal, { thread: 't', turn: 2 })
    expect(parts.find(({ kind }) => kind === 'item')).toMatchObject({ name: 'refunds', origin: 'skills/refunds', fate: { as: 'verbatim' } })
    assertCachePrefix(model.requests, events)
    expect(checkContexts(events, model.requests)).toEqual([])
  })

  test('keeps where it comes from and whether it is to be trusted', async () => {
    const worker = agent({ model: scriptedModel([opening('letters'), 'Done.']), tools: [skills([refunds, letters])] })
    await worker.run('Write.', { thread: 't' })
    const { parts } = await explain(worker.journal, { thread: 't', turn: 2 })
    expect(parts.find(({ kind }) => kind === 'item')).toMatchObject({ name: 'letters', origin: 'skill', trust: 'untrusted' })
  })

  test('is shown once, however often it is opened, by several calls at once too', async () => {
    const worker = agent({
      model: scriptedModel([opening('refunds', 'letters', 'refunds'), opening('refunds'), 'Done.']),
      tools: [skills([refunds, letters])],
    })
    await worker.run('Go.', { thread: 't' })
    expect(await itemsOf(worker)).toEqual(['skill refunds', 'skill letters'])
  })

  test('is shown again when it is opened after a rebase has left it out', async () => {
    const cutting: ContextStrategy = {
      name: 'cutting',
      assemble: ({ frame }) =>
        frame.turn === 3
          ? { rebase: { reason: 'old', segments: [{ to: frame.history.length - 2, as: 'dropped', rule: 'old', reason: 'It is old.' }] } }
          : {},
    }
    const model = scriptedModel([opening('refunds'), { calls: [{ tool: 'look' }] }, opening('refunds'), opening('refunds'), 'Done.'])
    const worker = agent({ model, tools: [skills([refunds]), look], context: cutting, limits })
    await worker.run('Go.', { thread: 't' })
    expect(await itemsOf(worker)).toEqual(['skill refunds', 'skill refunds'])
    expect(JSON.stringify(model.requests[2]?.prompt)).not.toContain('then pay')
    expect(JSON.stringify(model.requests[3]?.prompt)).toContain('then pay')
  })

  test('that is not known, or whose call is denied, brings nothing', async () => {
    const model = scriptedModel([opening('magic'), opening('refunds'), 'Done.'])
    const permissions = {
      rules: [{ tool: 'open_skill', verdict: 'deny' as const, when: ({ input }: { input: unknown }) => JSON.stringify(input).includes('refunds') }],
    }
    const worker = agent({ model, tools: [skills([refunds])], permissions: permissions as never })
    await worker.run('Go.', { thread: 't' })
    expect(await itemsOf(worker)).toEqual([])
    expect(JSON.stringify(model.requests[1]?.prompt)).toMatch(/magic|enum/)
  })

  test('is opened by the tool under the name that the agent has for it, with a text of your own', async () => {
    const model = scriptedModel([{ calls: [{ tool: 'learn', input: { name: 'refunds' } }] }, 'Done.'])
    const show = ({ name, body }: Skill): string => `<skill name="${name}">${body}</skill>`
    const worker = agent({
      model,
      tools: { learn: skills([refunds], { show }) },
      layers: { framework: (text) => text.replace('Before', 'Whenever') },
    })
    await worker.run('Go.', { thread: 't' })
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('call learn with its name')
    expect(JSON.stringify(model.requests[0]?.prompt)).toContain('Whenever you do')
    expect(model.requests[1]?.prompt.at(-1)?.content).toMatchObject([{ text: '<skill name="refunds">First look up the order, then pay.</skill>' }])
  })

  test('whose text is none fails the run, and says whose option it was', async () => {
    const worker = agent({ model: scriptedModel([opening('refunds'), 'Done.']), tools: [skills([refunds], { show: () => '' })] })
    expect(await worker.run('Go.')).toMatchObject({
      status: 'failed',
      error: { message: expect.stringContaining('skills(): the text that show returned is') },
    })
  })

  test('that was opened before a process died is shown by the next one, once', async () => {
    for (let append = 3; append <= 9; append += 1) {
      const shared = memoryJournal()
      const model = scriptedModel(({ prompt }) => (JSON.stringify(prompt).includes('open_skill","type":"tool-result') ? 'Done.' : opening('refunds')))
      const mortal = mortalJournal(shared, { append, when: 'after' })
      const first = agent({ model, tools: [skills([refunds])], journal: mortal.journal })
      await Promise.race([first.run('Go.', { thread: 't' }), mortal.died])
      const second = agent({ model, tools: [skills([refunds])], journal: mortalJournal(shared, undefined).journal })
      if (mortal.isDead()) await second.resume('t').result()
      expect(await itemsOf(second)).toEqual(['skill refunds'])
      expect(model.requests.at(-1)?.prompt.at(-1)?.content).toMatchObject([{ text: expect.stringContaining('then pay') }])
    }
  })

  test('is given again by a replay, and by a fork', async () => {
    const model = scriptedModel([opening('refunds'), 'Done.', 'Well.'])
    const worker = agent({ model, tools: [skills([refunds])] })
    await worker.run('Go.', { thread: 't' })
    expect((await worker.replay('t')).turns.map(({ differs }) => differs)).toEqual([false, false])
    const entered = (await eventsOf(worker, 't')).findLast(({ type }) => type === 'turn.entered')
    const fork = await worker.fork(`t@${entered?.seq}`, { limits: { tokens: 100_000 } })
    await fork.resume().result()
    expect(await itemsOf(worker, fork.thread)).toEqual(['skill refunds'])
    expect(JSON.stringify(model.requests.at(-1)?.prompt)).toContain('then pay')
  })

  test('leaves the context with what is old, and its description stays', async () => {
    let calls = 0
    const model = scriptedModel(() => (calls++ === 0 ? opening('refunds') : calls < 60 ? { calls: [{ tool: 'look' }] } : 'Done.'))
    const worker = agent({ model, tools: [skills([refunds]), look], context: pipeline(compress({ max: 4000 })), limits })
    await worker.run('Go.', { thread: 't' })
    const last = JSON.stringify(model.requests.at(-1)?.prompt)
    expect(last).toContain('How refunds are made.')
    expect(last).not.toContain('[Skill refunds]')
    expect(checkContexts(await eventsOf(worker, 't'), model.requests)).toEqual([])
  })
})

test('skills that cannot be offered are refused', () => {
  expect(() => skills([{ ...refunds, name: 'Re funds' }])).toThrow(/skills\(\)\[0\]: name is .*lower-case letters, digits and hyphens/)
  expect(() => skills([{ ...refunds, description: 'x'.repeat(1025) }])).toThrow(/description is .*1 to 1,024 characters/)
  expect(() => skills([refunds, refunds])).toThrow(/two skills are called "refunds"/)
  expect(() => skills(refunds as never)).toThrow(/Give a list of skills/)
  expect(() => skills([refunds], { names: 'x' } as never)).toThrow(/has no option "names". Did you mean "name"/)
})

test('without skills there is no layer, and nothing can be opened', async () => {
  const model = scriptedModel(() => 'Yes.')
  await agent({ model, tools: [skills([])] }).run('Hi')
  expect(model.requests[0]?.prompt.map(({ role }) => role)).toEqual(['user'])
})
