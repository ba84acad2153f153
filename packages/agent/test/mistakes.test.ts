/**
 * Mistakes that programs make, one table for each entry: what is given, the code of the error, and what its message names.
 *
 * OPTION-1 holds for every public entry: none of these hangs, is accepted, or throws what is no LoomError.
 */
import {
  type Agent,
  agent,
  analytics,
  approve,
  type ContextPlan,
  circuitBreaker,
  contextInjection,
  costBudget,
  type DurableContext,
  edit,
  fallback,
  frameOf,
  humanApproval,
  memoryJournal,
  parseMoment,
  rateLimit,
  reject,
  respond,
  retry,
  searchThread,
  tool,
  turnsOf,
} from '@loom-agent/agent'
import { AgentExecutor } from '@loom-agent/agent/compat'
import { scriptedModel } from '@loom-agent/testing'
import { describe, expect, test } from 'vitest'

type Mistake = readonly [given: string, act: () => unknown, code: string, named: string]

/** What an act throws or rejects with. */
async function errorOf(act: () => unknown): Promise<{ code: unknown; message: unknown }> {
  try {
    const value = await act()
    return { code: 'none', message: `accepted: ${JSON.stringify(value)}` }
  } catch (error) {
    const { code, message } = error as { code?: unknown; message?: unknown }
    return { code, message }
  }
}

const unknown = 'LOOM_OPTION_UNKNOWN'
const invalid = 'LOOM_OPTION_INVALID'

function check(title: string, mistakes: readonly Mistake[]): void {
  describe(title, () => {
    test.each(mistakes)('%s', async (_given, act, code, named) => {
      expect(await errorOf(act)).toEqual({ code, message: expect.stringContaining(named) as string })
    })
  })
}

const model = scriptedModel(() => 'ok')
const make = (options: object): unknown => agent({ model, ...options })
/** Options of an agent, each with what the message names. */
const agents: readonly (readonly [options: object, named: string, code?: string])[] = [
  [{ behaviour: { concurrency: 0 } }, 'behaviour.concurrency is 0. Give a whole number of at least 1.'],
  [{ behaviour: { concurrency: -3 } }, 'behaviour.concurrency is -3'],
  [{ behaviour: { concurrency: 'x' } }, 'behaviour.concurrency is "x"'],
  [{ behaviour: { attempts: 0 } }, 'behaviour.attempts is 0'],
  [{ behaviour: { repairs: -1 } }, 'behaviour.repairs is -1'],
  [{ behaviour: { grace: -1 } }, 'behaviour.grace is -1'],
  [{ behaviour: { modelIdle: '60s' } }, 'behaviour.modelIdle is "60s"'],
  [{ behaviour: { outputLimit: -1 } }, 'behaviour.outputLimit is -1'],
  [{ behaviour: { unattended: 'allow' } }, 'behaviour.unattended is "allow". Give one of wait, deny.'],
  [{ behaviour: { requireDone: 'nope' } }, 'behaviour.requireDone is "nope", which is no tool of the agent.'],
  [{ behaviour: 5 }, 'behaviour is 5'],
  [{ limits: 5 }, 'limits is 5'],
  [{ limits: { turns: '5' } }, 'limits.turns is "5"'],
  [{ limits: { cost: 0.5 } }, 'limits.cost is 0.5. Give whole micro-units'],
  [{ limits: { cost: 1.5 } }, 'limits.cost is 1.5. Give whole micro-units: 1_000_000 are one unit of money.'],
  [{ limits: { tokens: 1.5 } }, 'limits.tokens is 1.5. Give a whole number of at least 0.'],
  [{ limits: { turns: 1.5 } }, 'limits.turns is 1.5. Give a whole number of at least 0.'],
  [{ limits: { depth: 1.5 } }, 'limits.depth is 1.5. Give a whole number of at least 0.'],
  [{ limits: { loop: { warn: 1.5, nudge: 2, stop: 3 } } }, 'limits.loop is {warn, nudge, stop}'],
  [{ limits: { onReached: 'fail' } }, 'limits.onReached is "fail". Give one of ask, stop.'],
  [{ limits: { loop: true } }, 'limits.loop is true. Give false, or how often: { warn, nudge, stop }.'],
  [{ limits: { loop: { stop: 'x' } } }, 'limits.loop is {stop}'],
  [{ limits: { maxTurns: 5 } }, 'Did you mean "turns"?', unknown],
  [{ settings: 'x' }, 'settings is "x"'],
  [{ settings: { temperature: 'hot' } }, 'settings.temperature is "hot"'],
  [{ tools: 5 }, 'tools is 5'],
  [{ observers: [5] }, 'observers[0] is 5. Give a list of functions.'],
  [{ permissions: [] }, '[] is not a policy'],
  [{ instructions: { role: 'system' } }, 'instructions is {role}. Give a text, or a function.'],
  [{ name: 5 }, 'name is 5'],
  [{ onQuestion: 5 }, 'onQuestion is 5. Give a function.'],
  [{ hooks: {} }, 'hooks is {}. Give a list of hooks'],
  [{ hooks: [null] }, 'hooks[0] is null'],
  [{ hooks: [{}, () => {}] }, 'hooks[1] is a function'],
  [{ hooks: [{ beforeModelCall: 'x' }] }, 'hooks[0]: beforeModelCall is "x". Give a function.'],
  [{ hooks: [{ before_tool_execution: () => {} }] }, 'Did you mean "beforeToolExecution"?', unknown],
  [{ ports: { clok: 1 } }, 'ports has no option "clok". Did you mean "clock"?', unknown],
  [{ ports: { clock: Date } }, 'ports.clock is a function. Give a clock with now() and at().'],
  [{ context: { assemble: () => ({}) } }, 'Give a strategy: { name, assemble(request) }'],
]
check(
  'agent()',
  agents.map(([options, named, code = invalid]) => [JSON.stringify(options), () => make(options), code, named] as const),
)

const worker = agent({ model })
const run = (options: unknown) => () => worker.run('x', options as object)
check('a run', [
  ['null', run(null), invalid, 'takes an object of options, not null'],
  ['a text', run('thread-1'), invalid, 'not "thread-1"'],
  ['no signal', run({ signal: {} }), invalid, 'signal is {}. Give an AbortSignal.'],
  ['metadata that is a text', run({ metadata: 'x' }), invalid, 'metadata is "x"'],
  ['tools that are a number', run({ tools: 5 }), invalid, 'tools is 5'],
  ['a misspelt limit', run({ limits: { turn: 1 } }), unknown, 'Did you mean "turns"?'],
  ['resume on another thread', () => worker.resume('t', { thread: 'x' } as object).result(), unknown, 'has no option "thread"'],
  ['resume of no thread', () => worker.resume(undefined as never), 'LOOM_THREAD_INVALID', 'null cannot be the id of a thread'],
  ['recover(null)', () => worker.recover(null as never), invalid, 'not null'],
  ['answer(undefined)', () => worker.answer(undefined as never, approve()), 'LOOM_QUESTION_NOT_FOUND', 'is not the id of a question'],
  ['answer(5)', () => worker.answer(5 as never, approve()), 'LOOM_QUESTION_NOT_FOUND', '5 is not the id of a question'],
  ['fork of nothing', () => worker.fork(undefined as never), 'LOOM_THREAD_INVALID', 'undefined is no moment'],
  ['fork of an object', () => worker.fork({ thread: 't', seq: 3 } as never), 'LOOM_THREAD_INVALID', '{"thread":"t","seq":3} is no moment'],
  ['an edit without its text', () => worker.fork('t@1', { edit: { kind: 'instructions' } as never }), invalid, 'text is undefined. Give a text.'],
  ['new AgentExecutor()', () => new AgentExecutor(undefined as never), invalid, 'Agent takes an object of options, not undefined'],
])

const handle = worker.start('x', { thread: 'handled' })
check('a handle', [
  ['events({ form })', () => handle.events({ form: 3 } as object), unknown, 'Did you mean "from"?'],
  ['steer with prio', () => handle.steer('x', { prio: 1 } as object), unknown, 'steer has no option "prio"'],
  ['stop with an object', () => handle.stop({ reason: 'x' } as never), invalid, 'stop: reason is {reason}. Give a text.'],
])

const journal = memoryJournal()
check('reading', [
  ['turnsOf(agent)', () => turnsOf(worker as never, 't'), invalid, 'Give a journal, such as agent.journal'],
  ['searchThread without words', () => searchThread(journal, 't', undefined as never), invalid, 'words is undefined'],
  ['parseMoment(undefined)', () => parseMoment(undefined as never), 'LOOM_THREAD_INVALID', 'undefined is no moment'],
  ['frameOf(undefined)', () => frameOf(journal, undefined as never), 'LOOM_THREAD_INVALID', 'undefined is no moment'],
])

check('answers', [
  ['approve("ann")', () => approve('ann' as never), invalid, 'approve takes an object of options, not "ann"'],
  ['approve({ scop })', () => approve({ scop: 'thread' } as object), unknown, 'Did you mean "scope"?'],
  ['reject with from', () => reject('x', { from: 'y' } as object), unknown, 'reject has no option "from"'],
  ['respond by a text', () => respond('x', 'ann' as never), invalid, 'respond takes an object of options, not "ann"'],
  ['edit({}, { bye })', () => edit({}, { bye: 1 } as object), unknown, 'Did you mean "by"?'],
])

const nothing = undefined as never
check('built-in hooks and wrappers', [
  ['humanApproval()', () => humanApproval(nothing), invalid, 'humanApproval takes an object of options, not undefined'],
  ['humanApproval({})', () => humanApproval({} as never), invalid, 'tools is undefined. Give a list of names of tools'],
  ['humanApproval of tool objects', () => humanApproval({ tools: [tool({ name: 'x', run: () => 1 })] as never }), invalid, 'humanApproval: tools is'],
  ['rateLimit()', () => rateLimit(nothing), invalid, 'rateLimit takes'],
  ['costBudget()', () => costBudget(nothing), invalid, 'costBudget takes'],
  ['contextInjection()', () => contextInjection(nothing), invalid, 'contextInjection takes'],
  ['analytics()', () => analytics(nothing), invalid, 'analytics takes'],
  ['retry()', () => retry(nothing), invalid, 'retry: fn is undefined. Give a function.'],
  ['circuitBreaker()', () => circuitBreaker(nothing), invalid, 'circuitBreaker: fn is undefined'],
  ['fallback of one', () => fallback(() => 1, nothing), invalid, 'fallback: secondary is undefined'],
  ['tool(null)', () => tool(null as never), 'LOOM_TOOL_INVALID', 'tool() takes an object of options, not null'],
])

const calling = () => scriptedModel(({ prompt }) => (prompt.at(-1)?.role === 'tool' ? 'end' : { calls: [{ tool: 'act' }] }))
const act = tool({ name: 'act', effect: 'read', run: () => 'ran' })

/** What a call of a durable body returned to the model, or the status of the run when it waits. */
async function resultOf(body: (context: DurableContext) => unknown): Promise<string> {
  const durable = tool({ name: 'act', durable: true, effect: 'read', run: (_, context) => body(context) })
  const one: Agent = agent({ model: calling(), tools: [durable] })
  const { status } = await one.run('x', { thread: 't' })
  const events = await one.journal.read('t')
  const finished = events.flatMap((event) => (event.type === 'tool.finished' ? [String(event.data.output.value)] : []))
  return finished.at(-1) ?? status
}

const bodies: readonly (readonly [string, (context: DurableContext) => unknown, string])[] = [
  ['sleep(NaN)', (ctx) => ctx.sleep(Number.NaN), 'ctx.sleep: ms is NaN. Give milliseconds'],
  ['sleep("1h")', (ctx) => ctx.sleep('1h' as never), 'ctx.sleep: ms is "1h"'],
  ['sleep(Infinity)', (ctx) => ctx.sleep(Number.POSITIVE_INFINITY), 'ctx.sleep: ms is Infinity'],
  ['sleep()', (ctx) => ctx.sleep(nothing), 'ctx.sleep: ms is undefined'],
  ['sleep(Date)', (ctx) => ctx.sleep(new Date(0) as never), 'ctx.sleep: ms is "1970-'],
  ['ask()', (ctx) => ctx.ask(nothing), 'ctx.ask: prompt is undefined'],
  ['ask that expires in "1h"', (ctx) => ctx.ask('x', { expires: '1h' as never }), 'ctx.ask: expires is "1h"'],
  ['ask of 0 approvers', (ctx) => ctx.ask('x', { approvers: 0 }), 'ctx.ask: approvers is 0. Give a count of people.'],
  ['ask with choices', (ctx) => ctx.ask('x', { choices: ['a'] } as object), 'ctx.ask has no option "choices"'],
  ['step of an unknown effect', (ctx) => ctx.step('a', () => 1, { effect: 'x' as never }), 'ctx.step: effect is "x". Give one of pure, read'],
  ['step with retries', (ctx) => ctx.step('a', () => 1, { retries: 3 } as object), 'ctx.step has no option "retries"'],
  ['step without a function', (ctx) => ctx.step('a', nothing), 'ctx.step: run is undefined'],
]
describe('a durable body', () => {
  test.each(bodies)('%s is an error that the model reads', async (_, body, named) => {
    expect(await resultOf(body)).toContain(named)
  })
})

const plans: readonly (readonly [unknown, string])[] = [
  [undefined, 'plan is undefined'],
  [null, 'plan is null'],
  ['x', 'plan is "x"'],
  [{ rebsae: {} }, 'plan has no option "rebsae". Did you mean "rebase"?'],
  [{ rebase: { keepFrom: 0 } }, 'plan.rebase.reason is undefined'],
  [{ rebase: { reason: 'x', lead: 4 } }, 'plan.rebase.lead is 4'],
  [{ rebase: { reason: 'x', keepFrom: Number.NaN } }, 'plan.rebase.keepFrom is NaN'],
  [{ rebase: { reason: 'x', keepFrom: '1' } }, 'plan.rebase.keepFrom is "1"'],
]
describe('a context strategy', () => {
  test.each(plans)('that returns %j fails the run, by its name and the field', async (plan, named) => {
    const broken = agent({ model: scriptedModel('ok'), context: { name: 'short', assemble: () => plan as ContextPlan } })
    const result = await broken.run('x')
    const message = result.status === 'failed' ? result.error.message : result.status
    expect(message).toContain('The context strategy "short"')
    expect(message).toContain(named)
  })
})

describe('humanApproval', () => {
  test('guards by patterns, as policies do', async () => {
    const guarded = agent({ model: calling(), tools: [act], hooks: [humanApproval({ tools: ['a*'] })] })
    expect(await guarded.run('x')).toMatchObject({ status: 'waiting', questions: [{ kind: 'hook' }] })
  })
})
