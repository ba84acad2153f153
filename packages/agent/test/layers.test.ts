import { type AgentOptions, agent, explain, frameOf, type Hook, memoryJournal, requestAt, skills, todo } from '@loom-agent/agent'
import { assertCachePrefix, checkContexts, scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'
import { eventsOf, factsOf } from '../../../test/support/threads.ts'

const refunds = { name: 'refunds', description: 'How refunds are made.', body: 'First look up the order.' }
const returns = { name: 'returns', description: 'How goods come back.', body: 'Send a label.' }

const layered = (model = scriptedModel(() => 'Yes.')): AgentOptions => ({
  model,
  instructions: 'Be brief.',
  tools: [skills([refunds, returns]), todo()],
  layers: { rules: 'Promise nothing.' },
})

const systemOf = (model: ReturnType<typeof scriptedModel>, request = -1): unknown => model.requests.at(request)?.prompt[0]?.content

describe('the system text by layers', () => {
  test('is the instructions, the layers of the agent, the skills and what Loom says, in this order', async () => {
    const model = scriptedModel(() => 'Yes.')
    await agent(layered(model)).run('Hi', { thread: 't' })
    expect(systemOf(model)).toBe(
      [
        'Be brief.',
        'Promise nothing.',
        'Skills:\n- refunds: How refunds are made.\n- returns: How goods come back.',
        'Before you do what a skill is about, open it: call open_skill with its name. Its text is then part of the conversation.\n' +
          'When the work has several steps, keep a list of tasks: call todo with the whole list, at the start and whenever a task changes.',
      ].join('\n\n'),
    )
  })

  test('is shown with origins, texts and tokens by a preview, by the record of the request and by its explanation', async () => {
    const model = scriptedModel(() => 'Yes.')
    const worker = agent(layered(model))
    await worker.run('Hi', { thread: 't' })
    const events = await eventsOf(worker, 't')
    const asked = events.find(({ type }) => type === 'model.requested')
    const origins = [
      ['instructions', 'agent'],
      ['rules', 'agent'],
      ['skills', 'agent'],
      ['framework', 'loom'],
    ]
    const { layers } = await worker.preview('And now?', { thread: 't' })
    expect(layers.map(({ name, origin }) => [name, origin])).toEqual(origins)
    expect(layers.map(({ text }) => text).join('\n\n')).toBe(systemOf(model))
    expect(layers.every(({ tokens }) => tokens > 0)).toBe(true)
    expect((await requestAt(worker.journal, `t@${asked?.seq}`)).layers).toEqual(layers)
    const { parts, asked: found } = await explain(worker.journal, `t@${asked?.seq}`, 'Promise nothing')
    const system = parts.filter(({ kind }) => kind === 'system')
    expect(system.map(({ name, origin }) => [name, origin])).toEqual(origins)
    expect(system.map(({ text }) => text)).toEqual(layers.map(({ text }) => expect.stringContaining(text.slice(0, 20).split('\n')[0] ?? '')))
    expect(found?.found.map(({ part, isShown }) => [part.name, isShown])).toEqual([['rules', true]])
    expect(checkContexts(events, model.requests)).toEqual([])
  })

  test('has nothing that an option cannot replace, change or leave out', async () => {
    const model = scriptedModel(() => 'Yes.')
    const layers = { framework: false as const, skills: (text: string) => text.toUpperCase(), rules: 'Promise all.' }
    await agent({ ...layered(model), layers }).run('Hi')
    expect(systemOf(model)).toBe('Be brief.\n\nPromise all.\n\nSKILLS:\n- REFUNDS: HOW REFUNDS ARE MADE.\n- RETURNS: HOW GOODS COME BACK.')
    await agent({ ...layered(model), layers: { framework: false, skills: false } }).run('Hi')
    expect(systemOf(model)).toBe('Be brief.')
  })

  test('is the instructions alone, with no layers recorded, where nothing else is used', async () => {
    const model = scriptedModel(() => 'Yes.')
    const worker = agent({ model, instructions: 'Be brief.' })
    await worker.run('Hi', { thread: 't' })
    const [assembled] = await factsOf(worker, 't', 'context.assembled')
    expect(assembled?.data).toEqual({ rebase: { reason: 'start', system: 'Be brief.', tools: [] } })
    expect((await worker.preview('Hi', { thread: 't' })).layers).toEqual([{ name: 'instructions', origin: 'agent', text: 'Be brief.', tokens: 3 }])
    expect(Object.keys((await frameOf(worker.journal, 't@8')).context)).not.toContain('layers')
  })

  test('changes at the start of a run, as a rebase that says whether it was the instructions or a layer', async () => {
    const model = scriptedModel(() => 'Yes.')
    const journal = memoryJournal()
    const options = { ...layered(model), journal }
    await agent(options).run('1', { thread: 't' })
    await agent(options).run('2', { thread: 't' })
    await agent({ ...options, layers: { rules: 'Promise little.' } }).run('3', { thread: 't' })
    await agent({ ...options, instructions: 'Be long.', layers: { rules: 'Promise little.' } }).run('4', { thread: 't' })
    const worker = agent(options)
    const reasons = (await factsOf(worker, 't', 'context.assembled')).map(({ data }) => data.rebase?.reason)
    expect(reasons).toEqual(['start', undefined, 'layers', 'instructions'])
    assertCachePrefix(model.requests, await eventsOf(worker, 't'))
  })

  test('without the instructions is what is left: an agent may have layers alone', async () => {
    const model = scriptedModel(() => 'Yes.')
    const worker = agent({ model, layers: { rules: 'Promise nothing.' } })
    await worker.run('Hi', { thread: 't' })
    expect(systemOf(model)).toBe('Promise nothing.')
    expect((await worker.preview('Hi', { thread: 't' })).layers.map(({ name }) => name)).toEqual(['rules'])
  })

  test('of an option that is no layer fails the run, and so do instructions among the layers', async () => {
    const run = async (layers: object): Promise<string> => {
      const result = await agent({ model: scriptedModel(() => 'Yes.'), layers: layers as never }).run('Hi')
      return result.status === 'failed' ? result.error.message : result.status
    }
    expect(await run({ rules: 5 })).toMatch(/layers: rules is 5. Give a text, or a function, or false/)
    expect(await run({ instructions: 'Be brief.' })).toMatch(/Give instructions as the option "instructions"/)
    expect(() => agent({ layers: 'Be brief.' as never })).toThrow(/layers is "Be brief."/)
  })

  test('whose function returns no text fails the run', async () => {
    const result = await agent({ model: scriptedModel(() => 'Yes.'), layers: { rules: () => 5 as never } }).run('Hi')
    expect(result).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('layers.rules: the text that it returned is 5') } })
  })
})

describe('other instructions', () => {
  const prefixing: Hook = {
    afterContextAssembly: ({ turn }, { instructions }) =>
      turn === 1 && !instructions.startsWith('Hurry.') ? { instructions: `Hurry. ${instructions}` } : undefined,
  }

  test('of a hook replace the layer of the instructions, which is all that the hook is shown', async () => {
    const model = scriptedModel(() => 'Yes.')
    const worker = agent({ ...layered(model), hooks: [prefixing] })
    await worker.run('Hi', { thread: 't' })
    expect(systemOf(model)).toMatch(/^Hurry. Be brief.\n\nPromise nothing.\n\nSkills:/)
    expect(String(systemOf(model)).match(/Promise nothing/g)).toHaveLength(1)
    const asked = (await eventsOf(worker, 't')).find(({ type }) => type === 'model.requested')
    const { layers } = await requestAt(worker.journal, `t@${asked?.seq}`)
    expect(layers.map(({ name, origin }) => [name, origin])).toEqual([
      ['instructions', 'hook'],
      ['rules', 'agent'],
      ['skills', 'agent'],
      ['framework', 'loom'],
    ])
  })

  test('of a fork replace the layer of the instructions, and the other layers stay', async () => {
    const model = scriptedModel(() => 'Yes.')
    const worker = agent(layered(model))
    await worker.run('Hi', { thread: 't' })
    const fork = await worker.fork('t@8', { edit: [{ kind: 'instructions', text: 'Be kind.' }] })
    await worker.run('And now?', { thread: fork.thread })
    expect(systemOf(model)).toMatch(/^Be kind.\n\nPromise nothing.\n\nSkills:/)
    const { layers } = await worker.preview('Once more', { thread: fork.thread })
    expect(layers[0]).toMatchObject({ name: 'instructions', origin: 'fork', text: 'Be kind.' })
    const reasons = (await factsOf(worker, fork.thread, 'context.assembled')).map(({ data }) => data.rebase?.reason)
    expect(reasons).toEqual(['start', 'fork'])
  })

  test('are not the cause of a rebase that makes room: the layers and who gave them stay', async () => {
    const tooLong = Object.assign(new Error('prompt is too long: 250000 tokens'), { statusCode: 400 })
    const model = scriptedModel((_, number) => (number === 2 ? { throws: tooLong } : 'Yes.'))
    const context = {
      name: 'all or nothing',
      assemble: ({ rebase, frame }: { rebase: string | undefined; frame: { history: { length: number } } }) =>
        rebase === 'overflow'
          ? { rebase: { reason: 'overflow', segments: [{ to: frame.history.length, as: 'dropped' as const, rule: 'all', reason: 'No room.' }] } }
          : {},
    }
    const worker = agent({ ...layered(model), context })
    await worker.run('Hi', { thread: 't' })
    await worker.run('And now?', { thread: 't' })
    const rebases = (await factsOf(worker, 't', 'context.assembled')).flatMap(({ data }) => data.rebase ?? [])
    expect(rebases.map(({ reason }) => reason)).toEqual(['start', 'overflow'])
    expect(rebases[1]?.layers).toEqual(rebases[0]?.layers)
    expect(rebases[1]?.system).toBe(rebases[0]?.system)
  })
})

test('a replay under other layers shows the difference, and under the same ones none', async () => {
  const worker = agent(layered())
  await worker.run('Hi', { thread: 't' })
  expect((await worker.replay('t')).turns.map(({ differs }) => differs)).toEqual([false])
  const { turns } = await worker.replay('t', { with: { layers: { rules: 'Promise all.' } } })
  expect(turns.map(({ differs, added }) => [differs, added.some((text) => text.includes('Promise all.'))])).toEqual([[true, true]])
})

test('layers are part of what distinguishes an agent from a later version of itself', async () => {
  const journal = memoryJournal()
  const fingerprints: string[] = []
  for (const layers of [undefined, { rules: 'A' }, { rules: 'B' }]) {
    const worker = agent({ model: scriptedModel(() => 'Yes.'), journal, ...(layers && { layers }) })
    const thread = `t${fingerprints.length}`
    await worker.run('Hi', { thread })
    const [started] = await factsOf(worker, thread, 'run.started')
    fingerprints.push(started && 'request' in started.data ? started.data.request.agent.fingerprint : '')
  }
  expect(new Set(fingerprints).size).toBe(3)
})
