/** A layer of permissions that one run was given (PERM-20, PERM-21). */
import { agent, approve, explainPermission, type Mode, memoryJournal, type Policy, type RunLayer, tool, type Verdict } from '@loom-agent/agent'
import type { JsonObject } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compilePolicy } from '../src/permission/compile-policy.ts'
import { type JudgedCall, judgeAll } from '../src/permission/judge.ts'
import { withRunLayer } from '../src/permission/run-layer.ts'
import { strictest } from './verdicts.ts'

const say = (ran: string[], permission?: Verdict) =>
  tool({ name: 'say', input: z.object({ word: z.string() }), ...(permission && { permission }), run: ({ word }) => ran.push(word) })
const call = (word: string) => ({ calls: [{ tool: 'say', input: { word } }] })

const imaginedCall = (name: string): JudgedCall => ({
  tool: name,
  effect: 'unsafe',
  facts: () => ({ tool: name, effect: 'unsafe', input: {}, thread: '', deps: undefined, calls: [] }),
})

/** What becomes of a call of `say` in a run with the layer: it runs, is asked about, or is denied. */
async function fateOf(layer: RunLayer | undefined, permissions?: Policy, permission?: Verdict): Promise<Verdict> {
  const ran: string[] = []
  const model = scriptedModel([call('hello'), 'Done.'])
  const speaker = agent({ model, tools: [say(ran, permission)], ...(permissions && { permissions }) })
  const { status } = await speaker.run('go', { permissions: layer })
  return status === 'waiting' ? 'ask' : ran.length > 0 ? 'allow' : 'deny'
}

describe('a layer of a run', () => {
  test.each([
    [{ say: 'deny' }, { say: 'allow' }, undefined, 'deny'],
    [{ say: 'deny' }, undefined, undefined, 'deny'],
    [{ say: 'ask' }, undefined, undefined, 'ask'],
    [{ other: 'deny' }, undefined, undefined, 'allow'],
    [{ default: 'deny' }, undefined, undefined, 'deny'],
    [{ rules: [{ tool: 'say', verdict: 'deny', input: { word: 'h*' } }] }, undefined, undefined, 'deny'],
    [{ rules: [{ tool: 'say', verdict: 'deny', input: { word: 'x*' } }] }, undefined, undefined, 'allow'],
    [{ rules: [{ tool: 'say', verdict: 'deny', effect: 'read' }] }, undefined, undefined, 'allow'],
    [{ rules: [], mostMode: 'plan' }, undefined, undefined, 'deny'],
    [{ rules: [], mostMode: 'plan' }, { say: 'allow' }, undefined, 'deny'],
    [{ rules: [], mostMode: 'default' }, { rules: [], default: 'ask', mode: 'bypass' }, undefined, 'ask'],
    [{ rules: [] }, { rules: [], default: 'ask', mode: 'bypass' }, undefined, 'allow'],
    [{ default: 'ask' }, { rules: [], default: 'ask', mode: 'bypass' }, undefined, 'ask'],
    [{ say: 'deny' }, { rules: [], default: 'deny', shadow: true }, undefined, 'deny'],
    [{ say: 'allow' }, { rules: [], default: 'deny', shadow: true }, undefined, 'allow'],
  ] as const)('tightens: %j over %j gives %s', async (layer, permissions, permission, verdict) => {
    expect(await fateOf(layer as RunLayer, permissions as Policy | undefined, permission)).toBe(verdict)
  })

  test.each([
    [undefined, 'ask', 'ask'],
    [undefined, 'deny', 'deny'],
    [{ rules: [], default: 'ask' }, undefined, 'ask'],
    [{ say: 'deny' }, undefined, 'deny'],
    [{ other: 'allow' }, undefined, 'deny'],
  ] as const)('never loosens: `allow` over %j and a tool that says %s gives %s (PERM-20)', async (permissions, permission, verdict) => {
    expect(await fateOf({ say: 'allow', default: 'allow' }, permissions as Policy | undefined, permission)).toBe(verdict)
  })

  test('never loosens and never gives less than its own rules, whatever both hold (PERM-20)', async () => {
    const verdict = fc.constantFrom<Verdict>('allow', 'ask', 'deny')
    const name = fc.constantFrom('say', 's*', '*', 'other')
    const rules = fc.array(fc.record({ tool: name, verdict }), { maxLength: 3 })
    const mode = fc.constantFrom<Mode>('plan', 'default', 'accept-edits', 'auto', 'bypass')
    const policy = fc.option(fc.record({ rules, default: verdict, mode }), { nil: undefined })
    const layer = fc.oneof(fc.record({ rules, default: verdict, mostMode: mode }), fc.record({ rules }), fc.record({ rules, mostMode: mode }))
    const own = fc.option(verdict, { nil: undefined })
    const imagined = imaginedCall('say')
    await fc.assert(
      fc.asyncProperty(policy, layer, own, async (given, recorded, permission) => {
        const policies = [given && compilePolicy(given)]
        const judged = async (held: readonly unknown[]): Promise<Verdict> =>
          (await judgeAll(held as typeof policies, imagined, permission && { verdict: permission })).judgement.verdict
        const alone = await judged(policies)
        const held = await judged(withRunLayer(policies, recorded as JsonObject))
        const byLayer = await explainPermission(
          { rules: recorded.rules, default: 'default' in recorded ? recorded.default : 'allow' },
          { tool: 'say' },
        )
        expect(strictest([alone, held])).toBe(held)
        expect(strictest([byLayer.verdict, held])).toBe(held)
        if (!('mostMode' in recorded)) expect(held).toBe(strictest([alone, byLayer.verdict]))
      }),
      { numRuns: 500 },
    )
  })

  test('is a fact of the run: it holds in a process that knows nothing of the caller, and in that run alone', async () => {
    const journal = memoryJournal()
    const ran: string[] = []
    const first = agent({ name: 'speaker', journal, model: scriptedModel([call('one')]), tools: [say(ran)] })
    const { questions } = await first.run('go', { thread: 't', permissions: { say: 'ask' } })
    const model = scriptedModel([call('two'), 'Done.', call('three'), 'Done.'])
    const second = agent({ name: 'speaker', journal, model, tools: [say(ran)] })
    await second.answer(questions[0]?.id ?? '', approve())
    const again = await second.resume('t').result()
    expect([ran, again.status]).toEqual([['one'], 'waiting'])
    await second.answer(again.questions[0]?.id ?? '', approve())
    await second.resume('t').result()
    await second.run('go on', { thread: 't' })
    expect(ran).toEqual(['one', 'two', 'three'])
  })

  test('holds for children of the run', async () => {
    const ran: string[] = []
    const child = agent({ name: 'child', model: scriptedModel([call('inner'), 'Done.']), tools: [say(ran)], permissions: { say: 'allow' } })
    const parent = agent({ model: scriptedModel([{ calls: [{ tool: 'child', input: { input: 'go' } }] }, 'Done.']), tools: [child] })
    await parent.run('go', { permissions: { say: 'deny' } })
    expect(ran).toEqual([])
  })

  test('is kept by a fork that gives the run another input', async () => {
    const ran: string[] = []
    const speaker = agent({ name: 'speaker', model: scriptedModel(['Hello.', call('fork'), 'Done.']), tools: [say(ran)] })
    await speaker.run('go', { thread: 't', permissions: { say: 'deny' } })
    const fork = await speaker.fork('t@2', { effects: 'live', edit: { kind: 'input', input: 'say it' } })
    await fork.resume().result()
    expect(ran).toEqual([])
  })
})

describe('what is refused', () => {
  const speaker = agent({ name: 'speaker', model: scriptedModel(['Done.', 'Done.']), tools: [say([])] })

  test.each([
    ['deny', /the layer of the run is "deny"/],
    [{ say: 'maybe' }, /verdict/],
    [{ rules: [{ tool: 'say', verdict: 'deny', when: () => true }] }, /the rule "say" of the run has when/],
    [{ rules: [{ tool: 'say(x)', verdict: 'deny', examples: {} }] }, /has examples/],
    [{ rules: [{ tool: 'say(x)', verdict: 'deny' }] }, /that tool has no matcher/],
    [{ rules: [], mode: 'bypass' }, /mode/],
    [{ rules: [], mostMode: 'all' }, /mostMode/],
  ])('%j', async (permissions, words) => {
    await expect(speaker.run('go', { permissions: permissions as never })).rejects.toMatchObject({
      code: expect.stringMatching(/^LOOM_OPTION_(INVALID|UNKNOWN)$/),
      message: expect.stringMatching(words),
    })
  })

  test('a resumption with permissions: they are those of the run', async () => {
    await speaker.run('go', { thread: 't' })
    expect(() => speaker.resume('t', { permissions: { say: 'deny' } } as never)).toThrow(/permissions/)
  })

  test('the same start id with other permissions', async () => {
    await speaker.run('go', { id: 'once', permissions: { say: 'ask' } })
    await expect(speaker.run('go', { id: 'once', permissions: { say: 'deny' } })).rejects.toMatchObject({ code: 'LOOM_RUN_EXISTS' })
    await expect(speaker.run('go', { id: 'once' })).rejects.toMatchObject({ code: 'LOOM_RUN_EXISTS' })
    expect((await speaker.run('go', { id: 'once', permissions: { say: 'ask' } })).status).toBe('done')
  })

  test('a message with permissions that would join a run under way', async () => {
    const journal = memoryJournal()
    const waiting = agent({ name: 'speaker', journal, model: scriptedModel([call('x')]), tools: [say([], 'ask')] })
    await waiting.run('go', { thread: 't' })
    await expect(waiting.run('and', { thread: 't', whenBusy: 'steer', permissions: { say: 'deny' } })).rejects.toMatchObject({
      code: 'LOOM_THREAD_BUSY',
    })
  })
})

describe('a recorded layer that cannot be read', () => {
  test.each([{ say: 'maybe' }, { rules: 'all' }, { rules: [{ verdict: 'allow' }] }, { rules: [{ tool: 'say', verdict: 'deny', input: 7 }] }])(
    'denies every call: %j (PERM-21)',
    async (layer) => {
      const imagined = imaginedCall('x')
      const { judgement } = await judgeAll(withRunLayer([undefined], layer as JsonObject), imagined, undefined)
      expect(judgement).toMatchObject({ verdict: 'deny', reason: 'the permissions of the run cannot be read' })
    },
  )
})
