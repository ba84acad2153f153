/** Planted divergences in what the model is sent and what a run is given. */
import type { ContextStrategy } from '@loom-agent/agent'
import { z } from 'zod'
import { changed, like, type Planted, scenario } from './planted.ts'
import { add, look, pay } from './scenarios.ts'

const parallel = scenario('tools side by side')
const structured = scenario('a structured answer that is sent back')
const failing = scenario('failures of the model, and tries again')

const lastTwo: ContextStrategy = {
  name: 'last two',
  assemble: ({ frame }) =>
    frame.history.length > 2 ? { rebase: { reason: 'short', keepFrom: frame.history.length - 2, lead: 'Earlier: much.' } } : {},
}

/** Changes of what the model is sent. */
export const ofContext: readonly Planted[] = [
  {
    what: 'other instructions',
    scenario: parallel,
    changed: { instructions: 'Be slow.' },
    step: 'turn 1, context.assembled.rebase.system',
    recorded: 'Be quick.',
    now: 'Be slow.',
  },
  {
    what: 'a tool with another name',
    scenario: parallel,
    changed: { tools: { see: look, add, pay } },
    step: 'turn 1, context.assembled.rebase.tools.0.name',
    recorded: 'look',
    now: 'see',
  },
  {
    what: 'a tool that is gone',
    scenario: parallel,
    changed: { tools: { look, add } },
    step: 'turn 1, context.assembled.rebase.tools.2',
    recorded: like(/pay/),
    now: undefined,
  },
  {
    what: 'a tool more',
    scenario: parallel,
    changed: { tools: { look, add, pay, more: add } },
    step: 'turn 1, context.assembled.rebase.tools.3',
    recorded: undefined,
    now: like(/more/),
  },
  {
    what: 'tools in another order',
    scenario: parallel,
    changed: { tools: { add, look, pay } },
    step: 'turn 1, context.assembled.rebase.tools.0.name',
    recorded: 'look',
    now: 'add',
  },
  {
    what: 'another description of a tool',
    scenario: parallel,
    changed: { tools: { look, add: changed(add, { description: 'Adds.' }), pay } },
    step: 'turn 1, context.assembled.rebase.tools.1.description',
    recorded: 'Adds two numbers.',
    now: 'Adds.',
  },
  {
    what: 'an argument more that is required',
    scenario: parallel,
    changed: { tools: { look: changed(look, { input: z.object({ at: z.string(), how: z.string() }) }), add, pay } },
    step: 'turn 1, context.assembled.rebase.tools.0.schema.properties.how',
    recorded: undefined,
    now: { type: 'string' },
  },
  {
    what: 'another strategy of the context',
    scenario: parallel,
    changed: { context: lastTwo, behaviour: { readMore: false } },
    step: 'turn 2, context.assembled.rebase',
    recorded: undefined,
    now: like(/"reason":"short".*"text":"Earlier: much\."/),
  },
  {
    what: 'instructions that depend on what is not there any more',
    scenario: scenario('several runs, one of them queued'),
    changed: { instructions: 'Be quick.' },
    step: 'turn 1, context.assembled.rebase.system',
    recorded: 'Be quick. (2)',
    now: 'Be quick.',
  },
]

/** Changes of what a run may do. */
export const ofLimits: readonly Planted[] = [
  {
    what: 'another limit',
    scenario: scenario('limits that are raised'),
    changed: { limits: { turns: 2 } },
    step: 'run r1, run.started.request.limits.turns',
    recorded: 1,
    now: 2,
  },
  {
    what: 'a limit of tokens that there was not',
    scenario: parallel,
    changed: { limits: { tokens: 5_000 } },
    step: 'run r1, run.started.request.limits.tokens',
    recorded: undefined,
    now: 5_000,
  },
  {
    what: 'other loop limits',
    scenario: scenario('a loop that is noticed'),
    changed: { limits: { loop: { warn: 3, nudge: 4, stop: 9 } } },
    step: 'run r1, run.started.request.limits.loop.stop',
    recorded: 5,
    now: 9,
  },
  {
    what: 'other settings of the model',
    scenario: parallel,
    changed: { settings: { temperature: 0.5 } },
    step: 'run r1, run.started.request.settings',
    recorded: undefined,
    now: { temperature: 0.5 },
  },
  {
    what: 'another number of tries',
    scenario: failing,
    changed: { behaviour: { attempts: 1 } },
    step: 'turn 1, model.failed.triesAgain',
    recorded: true,
    now: false,
  },
  {
    what: 'another number of repairs',
    scenario: structured,
    changed: { behaviour: { repairs: 5 } },
    step: 'run r1, run.started.request.repairs',
    recorded: 2,
    now: 5,
  },
  {
    what: 'a tool that a run must end with',
    scenario: parallel,
    changed: { behaviour: { requireDone: 'add' } },
    step: 'run r1, run.started.request.done',
    recorded: undefined,
    now: 'add',
  },
  {
    what: 'another form of the answer',
    scenario: structured,
    changed: { output: z.object({ sum: z.string() }) },
    step: 'turn 2, model.replied.output.error',
    recorded: like(/sum/),
    now: undefined,
  },
  {
    what: 'no form of the answer',
    scenario: structured,
    changed: { output: undefined } as object,
    step: 'run r1, run.started.request.repairs',
    recorded: 2,
    now: undefined,
  },
  {
    what: 'another agent altogether',
    scenario: parallel,
    changed: { name: 'other' },
    step: 'run r1, run.started.request.agent.name',
    recorded: 'player',
    now: 'other',
  },
]
