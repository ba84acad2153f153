/** The law of replays: under its own strategy a thread differs nowhere, and no model is asked. */
import { agent, type ContextStrategy, compress, type Hook, type Model, memoryJournal, pipeline, reminders, steer, tool } from '@loom-agent/agent'
import { type Journal, readEvents } from '@loom-agent/kernel'
import { assertHistory, type ScriptedModel, scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyStrategy, live, lives, replayerOf } from './context-lives.ts'
import { expectSeen } from './expect-seen.ts'

/** `LOOM_LAW_RUNS=2000 npx vitest run test/laws/replays.test.ts` is the long form. */
const runs = Number(process.env['LOOM_LAW_RUNS'] ?? 40)

const silent = (): Model => scriptedModel(() => ({ throws: new Error('A replay asked a model.') }))

describe('a thread under its own strategy', () => {
  test('differs nowhere, over random lives with steering, stops, overflows, hooks, forks and deaths', { timeout: 60_000 + runs * 500 }, async () => {
    const seen = { overflows: 0, forks: 0, rebases: 0 }
    await fc.assert(
      fc.asyncProperty(lives, async (given) => {
        const life = { ...given, rules: 'Hurry.' }
        for (const lived of await live(life)) {
          const { journal, thread, events } = lived
          const [before, after] = [anyStrategy(life.seed), anyStrategy(life.seed + 1)]
          const context: ContextStrategy = { name: 'any', assemble: (request) => (request.frame.fork ? after : before).assemble(request) }
          const { divergence, totals } = await replayerOf({ ...life, context }, { journal, model: silent() }).replay(thread)
          expect(divergence).toBeUndefined()
          expect(totals.tokens.replayed).toBe(totals.tokens.recorded)
          seen.overflows += JSON.stringify(events).includes('"reason":"overflow"') ? 1 : 0
          seen.forks += thread === 'f' ? 1 : 0
          seen.rebases += events.filter(({ type, data }) => type === 'context.assembled' && 'rebase' in data).length
        }
      }),
      { numRuns: runs },
    )
    expectSeen(seen, runs, ['rebases'])
  })

  /** What a life under compression has. */
  interface Plan {
    readonly max: number
    readonly turns: readonly number[]
    readonly overflowAt: readonly number[]
    readonly failAt: readonly number[]
    readonly compactAt: number
    readonly steerAt: number
    readonly hooked: boolean
    readonly forkAt: number | undefined
  }
  const plans: fc.Arbitrary<Plan> = fc.record({
    max: fc.integer({ min: 500, max: 1500 }),
    turns: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 3 }),
    overflowAt: fc.array(fc.integer({ min: 2, max: 20 }), { maxLength: 2 }),
    failAt: fc.array(fc.nat(4), { maxLength: 2 }),
    compactAt: fc.nat(20),
    steerAt: fc.nat(20),
    hooked: fc.boolean(),
    forkAt: fc.option(fc.double({ min: 0.3, max: 1, noNaN: true }), { nil: undefined }),
  })

  /** Writes a summary of its own each time; some of its calls fail, and some of its texts cannot be read. */
  function summarizer(failAt: readonly number[]): ScriptedModel {
    return scriptedModel((_, number) => {
      if (failAt.includes(number))
        return number % 2 === 0 ? 'Nothing that can be read.' : { throws: Object.assign(new Error('no'), { statusCode: 400 }) }
      return `## key_decisions\n- decided ${number}\n\n## execution_results\n- result ${number}`
    })
  }

  const hurrying: Hook = { beforeModelCall: ({ turn }, { messages }) => (turn % 3 === 0 ? { messages: [...messages, hurry] } : undefined) }
  const hurry = { role: 'user' as const, content: [{ type: 'text' as const, text: 'Hurry.' }] }

  function makeAgent(plan: Plan, world: { readonly journal: Journal; readonly model: Model; readonly writer: Model }): ReturnType<typeof agent> {
    let calls = 0
    const read = tool({
      name: 'read',
      effect: 'read',
      async run({ n }: { n?: number }, ctx) {
        calls += 1
        if (calls === plan.steerAt) await steer(world.journal, ctx.thread, `steered ${n}`)
        if (calls === plan.compactAt) await worker.compact(ctx.thread)
        return `page ${n}: ${'stone river cloud engine '.repeat(1 + ((n ?? 0) % 9))}`
      },
    })
    const worker = agent({
      name: 'reader',
      instructions: 'Read.',
      journal: world.journal,
      model: world.model,
      tools: [read],
      hooks: plan.hooked ? [hurrying] : [],
      context: pipeline(compress({ max: plan.max, perSection: 32, model: world.writer, ephemeral: { read: 6 } }), reminders()),
      limits: { turns: 50, loop: false },
    })
    return worker
  }

  async function lived(plan: Plan): Promise<{ readonly journal: Journal; readonly threads: readonly string[] }> {
    const journal = memoryJournal()
    let left = [...plan.turns]
    const model = scriptedModel((_, number) => {
      if (plan.overflowAt.includes(number)) return { throws: Object.assign(new Error('prompt is too long: 250000 tokens'), { statusCode: 400 }) }
      const [turns = 0, ...rest] = left
      left = turns > 0 ? [turns - 1, ...rest] : rest
      return turns > 0 ? { text: `turn ${number}`, calls: [{ tool: 'read', input: { n: number } }] } : `Done ${number}.`
    })
    const worker = makeAgent(plan, { journal, model, writer: summarizer(plan.failAt) })
    for (const [index] of plan.turns.entries()) await worker.run(`Read part ${index}.`, { thread: 't', ...(index === 0 && { pin: true }) })
    if (plan.forkAt === undefined) return { journal, threads: ['t'] }
    const places = (await Array.fromAsync(readEvents(journal, 't'))).filter(({ type }) => type === 'turn.entered')
    const cut = places[Math.floor(plan.forkAt * (places.length - 1))]
    left = [3]
    const fork = await worker.fork(`t@${cut?.seq}`, { thread: 'f', effects: 'live', limits: { tokens: 1_000_000 } })
    await fork.resume().result()
    await worker.run('Read on.', { thread: 'f' })
    return { journal, threads: ['t', 'f'] }
  }

  test('differs nowhere with summaries that a model wrote, and asks no model for them', { timeout: 60_000 + runs * 500 }, async () => {
    const seen = { byModel: 0, byExtract: 0, overflows: 0, forks: 0, compacted: 0 }
    await fc.assert(
      fc.asyncProperty(plans, async (plan) => {
        const { journal, threads } = await lived(plan)
        for (const thread of threads) {
          const events = await Array.fromAsync(readEvents(journal, thread))
          assertHistory(events)
          const worker = makeAgent(plan, { journal, model: silent(), writer: silent() })
          const report = await worker.replay(thread)
          expect(report.divergence).toBeUndefined()
          expect(report.totals.tokens.replayed).toBe(report.totals.tokens.recorded)
          const text = JSON.stringify(events)
          seen.byModel += text.includes('"by":"model"') ? 1 : 0
          seen.byExtract += text.includes('"by":"extract"') ? 1 : 0
          seen.overflows += text.includes('"reason":"overflow"') ? 1 : 0
          seen.compacted += text.includes('"reason":"compact"') ? 1 : 0
          seen.forks += thread === 'f' ? 1 : 0
        }
      }),
      { numRuns: runs },
    )
    expectSeen(seen, runs, ['rebases'])
  })
})
