/** Planted divergences in how calls are judged and run. */
import { jsonSchema, skip, tool } from '@loom-agent/agent'
import { z } from 'zod'
import { changed, like, type Planted, scenario, schemaOf } from './planted.ts'
import { add, look, type Options, pay } from './scenarios.ts'

const parallel = scenario('tools side by side')
const approval = scenario('an approval')
const hooks = scenario('hooks that change something')
const wrong = scenario('calls that go wrong')

const hookWith = (more: object): Options => {
  const [hook = {}] = hooks.options().hooks ?? []
  return { hooks: [{ ...hook, ...more }] }
}

/** Changes of how calls are judged. */
export const ofJudgement: readonly Planted[] = [
  {
    what: 'a call that was allowed and is asked about',
    scenario: parallel,
    changed: { permissions: { rules: [{ tool: 'pay', verdict: 'ask' }], default: 'allow' } },
    step: 'turn 2, call 2.0, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/^\{"question\.asked".*"kind":"approval"/),
  },
  {
    what: 'a call that was allowed and is denied',
    scenario: parallel,
    changed: { permissions: { rules: [{ tool: 'add', verdict: 'deny', reason: 'no sums' }], default: 'allow' } },
    step: 'turn 1, call 1.1, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/^\{"tool\.denied".*no sums/),
  },
  {
    what: 'a call that was asked about and is allowed',
    scenario: approval,
    changed: { permissions: { pay: 'allow', add: 'allow' } },
    step: 'turn 1, call 1.0, question.asked',
    recorded: like(/"kind":"approval"/),
    now: like(/^\{"tool\.started"/),
  },
  {
    what: 'a call that was asked about and is denied',
    scenario: approval,
    changed: { permissions: { pay: 'deny', add: 'allow' } },
    step: 'turn 1, call 1.0, question.asked',
    recorded: like(/"kind":"approval"/),
    now: like(/^\{"tool\.denied"/),
  },
  {
    what: 'another rule that allows',
    scenario: approval,
    changed: { permissions: { rules: [{ tool: 'pay', verdict: 'ask' }], default: 'allow' } },
    step: 'turn 1, call 1.1, tool.started.allowedBy',
    recorded: 'add',
    now: undefined,
  },
  {
    what: 'another question',
    scenario: approval,
    changed: {
      permissions: {
        rules: [
          { tool: 'pay', verdict: 'ask', reason: 'money' },
          { tool: 'add', verdict: 'allow' },
        ],
      },
    },
    step: 'turn 1, call 1.0, question.asked.prompt',
    recorded: 'May pay run with these arguments?',
    now: 'May pay run with these arguments? (money)',
  },
  {
    what: 'more people who must approve',
    scenario: approval,
    changed: {
      permissions: {
        rules: [
          { tool: 'pay', verdict: 'ask', approvers: 2 },
          { tool: 'add', verdict: 'allow' },
        ],
      },
    },
    step: 'turn 1, call 1.0, question.asked.approvers',
    recorded: undefined,
    now: 2,
  },
  {
    what: 'a question that expires',
    scenario: approval,
    changed: {
      permissions: {
        rules: [
          { tool: 'pay', verdict: 'ask', expires: 60_000 },
          { tool: 'add', verdict: 'allow' },
        ],
      },
    },
    step: 'turn 1, call 1.0, question.asked.expiresIn',
    recorded: undefined,
    now: 60_000,
  },
  {
    what: 'an unattended run',
    scenario: approval,
    changed: { behaviour: { unattended: 'deny' } },
    step: 'run r1, run.started.request.unattended',
    recorded: undefined,
    now: 'deny',
  },
  {
    what: 'a tool that is not available',
    scenario: parallel,
    changed: { tools: { look: changed(look, { available: () => false }), add, pay } },
    step: 'turn 1, call 1.0, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/"errorType":"unavailable"/),
  },
  {
    what: 'arguments that do not fit any more, though the model is sent the same schema',
    scenario: parallel,
    changed: {
      tools: { look, add: changed(add, { input: jsonSchema(schemaOf(add), { validate: z.object({ a: z.number().max(0), b: z.number() }) }) }), pay },
    },
    step: 'turn 1, call 1.1, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/"errorType":"validation"/),
  },
]

/** Changes of how calls run, and of their results. */
export const ofExecution: readonly Planted[] = [
  {
    what: 'another class of effect',
    scenario: parallel,
    changed: { tools: { look, add, pay: changed(pay, { effect: 'idempotent' }) } },
    step: 'turn 2, call 2.0, tool.started.effect',
    recorded: 'unsafe',
    now: 'idempotent',
  },
  {
    what: 'calls one after another that ran side by side',
    scenario: parallel,
    changed: { tools: { look: changed(look, { schedule: { parallel: false } }), add, pay } },
    step: 'turn 1, model.replied.parts.0.serial',
    recorded: undefined,
    now: true,
  },
  {
    what: 'calls side by side that ran one after another',
    scenario: parallel,
    changed: { tools: { look, add, pay: changed(pay, { schedule: { parallel: true } }) } },
    step: 'turn 2, model.replied.parts.0.serial',
    recorded: true,
    now: undefined,
  },
  {
    what: 'calls in another order',
    scenario: parallel,
    changed: { hooks: [{ name: 'turn', afterModelReply: (_context, { parts }) => (parts.length > 1 ? { parts: parts.toReversed() } : undefined) }] },
    step: 'turn 1, call 1.0, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/"hook":"turn"/),
  },
  {
    what: 'results that are cut elsewhere',
    scenario: wrong,
    changed: { behaviour: { outputLimit: 80 } },
    step: 'turn 1, call 1.5, tool.finished.output.value',
    recorded: like(/200 characters left out/),
    now: like(/220 characters left out/),
  },
  {
    what: 'results that are not cut any more',
    scenario: wrong,
    changed: { behaviour: {} },
    step: 'turn 1, call 1.5, tool.finished.output.value',
    recorded: like(/200 characters left out/),
    now: like(/^"x+\.+x+"$/),
  },
  {
    what: 'less time than a tool needed',
    scenario: scenario('a slow tool'),
    changed: { tools: { slow: tool({ name: 'slow', effect: 'read', schedule: { timeout: 500 }, run: () => '' }) } },
    step: 'turn 1, call 1.0, tool.finished.status',
    recorded: 'success',
    now: 'error',
  },
  {
    what: 'another patch of a hook before a call',
    scenario: hooks,
    changed: hookWith({
      beforeToolExecution: (_context: object, { tool: name }: { tool: string }) => (name === 'add' ? { input: { a: 6, b: 5 } } : undefined),
    }),
    step: 'turn 1, call 1.0, hook.applied.patch.input.a',
    recorded: 5,
    now: 6,
  },
  {
    what: 'a hook that does not look any more',
    scenario: hooks,
    changed: hookWith({ beforeToolExecution: undefined }),
    step: 'turn 1, call 1.0, hook.applied',
    recorded: like(/beforeToolExecution/),
    now: like(/^\{"tool\.started"/),
  },
  {
    what: 'a hook more that looks at results',
    scenario: parallel,
    changed: { hooks: [{ name: 'more', afterToolExecution: () => ({ output: { type: 'text', value: 'hidden' } }) }] },
    step: 'turn 1, call 1.1, hook.applied',
    recorded: undefined,
    now: like(/hidden/),
  },
  {
    what: 'a hook that makes another result',
    scenario: hooks,
    changed: hookWith({
      afterToolExecution: (_context: object, { tool: name }: { tool: string }) =>
        name === 'look' ? { output: { type: 'text', value: 'seen all' } } : undefined,
    }),
    step: 'turn 1, call 1.1, hook.applied.patch.outcome.output.value',
    recorded: 'seen nothing',
    now: 'seen all',
  },
  {
    what: 'a hook that adds another message for the model',
    scenario: hooks,
    changed: hookWith({ beforeIterationStart: ({ turn }: { turn: number }) => (turn === 2 ? { say: 'Take your time.' } : undefined) }),
    step: 'turn 1, hook.applied.patch.say.0.parts.0.text',
    recorded: 'Mind the time.',
    now: 'Take your time.',
  },
  {
    what: 'a hook that changes the request differently',
    scenario: hooks,
    changed: hookWith({ beforeModelCall: () => ({ settings: { temperature: 1 } }) }),
    step: 'turn 1, hook.applied.patch.keep',
    recorded: like(/\d/),
    now: undefined,
  },
  {
    what: 'a hook that skips a call',
    scenario: parallel,
    changed: { hooks: [{ name: 'thrift', beforeToolExecution: (_context, { tool: name }) => (name === 'pay' ? skip('too much') : undefined) }] },
    step: 'turn 2, call 2.0, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/too much/),
  },
  {
    what: 'a tool body that returns something else, where the test executes it',
    scenario: parallel,
    changed: { tools: { look, add: changed(add, { run: () => 0 }), pay } },
    options: { execute: true },
    step: 'turn 1, call 1.1, tool.finished.output.value',
    recorded: 3,
    now: 0,
  },
  {
    what: 'a tool body that throws, where the test executes it',
    scenario: parallel,
    changed: { tools: { look, add: changed(add, { run: () => Promise.reject(new Error('no sums')) }), pay } },
    options: { execute: ['add'] },
    step: 'turn 1, call 1.1, tool.finished.status',
    recorded: 'success',
    now: 'error',
  },
]
