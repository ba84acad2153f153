/** Attacks count rounds of the event loop. What Loom loads on use is loaded before, so that no attack waits for a disk. */
import { agent, approve, memoryJournal, tool } from '@loom-agent/agent'
import { loadOnUse } from '@loom-agent/agent/kit'
import { manualClock, scriptedModel } from '@loom-agent/testing'

/** Uses once what most runs do without: hooks, rules, questions, durable bodies, children, observers, limits, recovery. */
export async function loadAll(): Promise<void> {
  await loadOnUse()
  const model = scriptedModel(({ prompt }) =>
    prompt.at(-1)?.role === 'tool' ? 'ok' : { calls: [{ tool: 'act' }, { tool: 'child', input: { prompt: 'go' } }] },
  )
  const act = tool({
    name: 'act',
    durable: true,
    run: async (_, ctx) => {
      await ctx.step('s', () => 1, { effect: 'read' })
      await ctx.ask('Well?')
    },
  })
  const child = agent({ name: 'child', model: scriptedModel('ok') })
  const journal = memoryJournal()
  const worker = agent({
    model,
    tools: [act, child],
    journal,
    permissions: { rules: [{ tool: '*', verdict: 'allow', when: () => true }] },
    hooks: [{ afterIterationEnd: () => undefined }],
    observers: [() => undefined],
    onQuestion: () => approve(),
  })
  const events = await Array.fromAsync(worker.start('go').events({ nested: true }))
  if (events.length === 0) throw new Error('Nothing has happened.')
  await worker.recover()
  await agent({ model, tools: [child], limits: { turns: 1 } }).run('go')
  await agent({ model: { ...model, doStream: () => Promise.reject(new Error('none')) }, behaviour: { attempts: 1 } }).run('go')
  const waiting = agent({ model, tools: [tool({ name: 'act', permission: 'ask', run: () => 1 }), child], ports: { clock: manualClock() } })
  await waiting.run('go')
}
