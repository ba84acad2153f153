/** Planted divergences in what becomes of calls. */
import { jsonSchema, type Tool } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { z } from 'zod'
import { changed, like, type Planted, scene } from './planted.ts'
import { add, look, type Options, pay } from './scenes.ts'

const parallel = scene('tools side by side')
const approval = scene('an approval')
const hooks = scene('hooks that have a say')
const wrong = scene('calls that go wrong')

const hookWith = (more: object): Options => {
  const [hook = {}] = hooks.options().hooks ?? []
  return { hooks: [{ ...hook, ...more }] }
}

function schemaOf(given: Tool): Parameters<typeof jsonSchema>[0] {
  const standard = toolDefinitionOf(given).input?.['~standard'] as { jsonSchema?: { input(options: { target: string }): object } } | undefined
  return standard?.jsonSchema?.input({ target: 'draft-07' }) as Parameters<typeof jsonSchema>[0]
}

/** Changes of how calls are judged. */
export const judged: readonly Planted[] = [
  {
    what: 'a call that was allowed and is asked about',
    scene: parallel,
    changed: { permissions: { rules: [{ tool: 'pay', verdict: 'ask' }], default: 'allow' } },
    step: 'turn 2, call 2.0, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/^\{"question\.asked".*"kind":"approval"/),
  },
  {
    what: 'a call that was allowed and is denied',
    scene: parallel,
    changed: { permissions: { rules: [{ tool: 'add', verdict: 'deny', reason: 'no sums' }], default: 'allow' } },
    step: 'turn 1, call 1.1, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/^\{"tool\.denied".*no sums/),
  },
  {
    what: 'a call that was asked about and is allowed',
    scene: approval,
    changed: { permissions: { pay: 'allow', add: 'allow' } },
    step: 'turn 1, call 1.0, question.asked',
    recorded: like(/"kind":"approval"/),
    now: like(/^\{"tool\.started"/),
  },
  {
    what: 'a call that was asked about and is denied',
    scene: approval,
    changed: { permissions: { pay: 'deny', add: 'allow' } },
    step: 'turn 1, call 1.0, question.asked',
    recorded: like(/"kind":"approval"/),
    now: like(/^\{"tool\.denied"/),
  },
  {
    what: 'another rule that allows',
    scene: approval,
    changed: { permissions: { rules: [{ tool: 'pay', verdict: 'ask' }], default: 'allow' } },
    step: 'turn 1, call 1.1, tool.started.allowedBy',
    recorded: 'add',
    now: undefined,
  },
  {
    what: 'another question',
    scene: approval,
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
    scene: approval,
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
    what: 'nobody who answers',
    scene: approval,
    changed: { behaviour: { unattended: 'deny' } },
    step: 'run r1, run.started.request.unattended',
    recorded: undefined,
    now: 'deny',
  },
  {
    what: 'a tool that is not available',
    scene: parallel,
    changed: { tools: { look: changed(look, { available: () => false }), add, pay } },
    step: 'turn 1, call 1.0, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/"errorType":"unavailable"/),
  },
  {
    what: 'arguments that do not fit any more, though the model is told the same',
    scene: parallel,
    changed: {
      tools: { look, add: changed(add, { input: jsonSchema(schemaOf(add), { validate: z.object({ a: z.number().max(0), b: z.number() }) }) }), pay },
    },
    step: 'turn 1, call 1.1, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/"errorType":"validation"/),
  },
]

/** Changes of how calls run and what comes of them. */
export const made: readonly Planted[] = [
  {
    what: 'another class of effect',
    scene: parallel,
    changed: { tools: { look, add, pay: changed(pay, { effect: 'idempotent' }) } },
    step: 'turn 2, call 2.0, tool.started.effect',
    recorded: 'unsafe',
    now: 'idempotent',
  },
  {
    what: 'calls one after another that ran side by side',
    scene: parallel,
    changed: { tools: { look: changed(look, { schedule: { parallel: false } }), add, pay } },
    step: 'turn 1, model.replied.parts.0.serial',
    recorded: undefined,
    now: true,
  },
  {
    what: 'calls side by side that ran one after another',
    scene: parallel,
    changed: { tools: { look, add, pay: changed(pay, { schedule: { parallel: true } }) } },
    step: 'turn 2, model.replied.parts.0.serial',
    recorded: true,
    now: undefined,
  },
  {
    what: 'calls in another order',
    scene: parallel,
    changed: { hooks: [{ name: 'turn', afterModelReply: (_context, { parts }) => (parts.length > 1 ? { parts: parts.toReversed() } : undefined) }] },
    step: 'turn 1, call 1.0, tool.started',
    recorded: like(/^\{"tool\.started"/),
    now: like(/"hook":"turn"/),
  },
  {
    what: 'results that are cut elsewhere',
    scene: wrong,
    changed: { behaviour: { outputLimit: 80 } },
    step: 'turn 1, call 1.5, tool.finished.output.value',
    recorded: like(/200 characters left out/),
    now: like(/220 characters left out/),
  },
  {
    what: 'results that are not cut any more',
    scene: wrong,
    changed: { behaviour: {} },
    step: 'turn 1, call 1.5, tool.finished.output.value',
    recorded: like(/200 characters left out/),
    now: like(/^"x+\.+x+"$/),
  },
  {
    what: 'less time than a tool needed',
    scene: parallel,
    changed: { tools: { look, add, pay: changed(pay, { schedule: { timeout: 0.5 } }) } },
    step: 'turn 2, call 2.0, tool.finished.status',
    recorded: 'success',
    now: 'error',
  },
  {
    what: 'another patch of a hook before a call',
    scene: hooks,
    changed: hookWith({
      beforeToolExecution: (_context: object, { tool: name }: { tool: string }) => (name === 'add' ? { input: { a: 6, b: 5 } } : undefined),
    }),
    step: 'turn 1, call 1.0, hook.applied.patch.input.a',
    recorded: 5,
    now: 6,
  },
  {
    what: 'a hook that does not look any more',
    scene: hooks,
    changed: hookWith({ beforeToolExecution: undefined }),
    step: 'turn 1, call 1.0, hook.applied',
    recorded: like(/beforeToolExecution/),
    now: like(/^\{"tool\.started"/),
  },
  {
    what: 'a hook more that looks at results',
    scene: parallel,
    changed: { hooks: [{ name: 'more', afterToolExecution: () => ({ output: { type: 'text', value: 'hidden' } }) }] },
    step: 'turn 1, call 1.1, hook.applied',
    recorded: undefined,
    now: like(/hidden/),
  },
  {
    what: 'a hook that makes another result',
    scene: hooks,
    changed: hookWith({
      afterToolExecution: (_context: object, { tool: name }: { tool: string }) =>
        name === 'look' ? { output: { type: 'text', value: 'seen all' } } : undefined,
    }),
    step: 'turn 1, call 1.1, hook.applied.patch.outcome.output.value',
    recorded: 'seen nothing',
    now: 'seen all',
  },
  {
    what: 'a hook that says something else to the model',
    scene: hooks,
    changed: hookWith({ beforeIterationStart: ({ turn }: { turn: number }) => (turn === 2 ? { say: 'Take your time.' } : undefined) }),
    step: 'turn 1, hook.applied.patch.say.0.parts.0.text',
    recorded: 'Mind the time.',
    now: 'Take your time.',
  },
  {
    what: 'a hook that changes the request otherwise',
    scene: hooks,
    changed: hookWith({ beforeModelCall: () => ({ settings: { temperature: 1 } }) }),
    step: 'turn 1, hook.applied.patch.keep',
    recorded: like(/\d/),
    now: undefined,
  },
]
