/** Changes of an agent that a recorded test cannot see, each with the reason. */
import { agent, approve, jsonSchema, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { z } from 'zod'
import { changed, scenario, schemaOf, type Unseen } from './planted.ts'
import { add, look, pay } from './scenarios.ts'

const parallel = scenario('tools side by side')
const approval = scenario('an approval')
const durable = scenario('a durable tool that asks and sleeps')
const child = scenario('a child')

const errand = tool({
  name: 'errand',
  durable: true,
  async run(_input, ctx) {
    const price = await ctx.step('price', () => 1_000)
    const answer = await ctx.ask('For this price?', { name: 'ok', show: { price } })
    await ctx.sleep(5_000)
    return { answer: answer.kind, bought: await ctx.step('buy', () => 'nothing', { effect: 'idempotent' }) }
  },
})

const helper = agent({ name: 'helper', description: 'Helps.', instructions: 'Help.', model: scriptedModel('something else'), tools: { look } })

/** What a body does with the same arguments, and what others would have replied, is not in a record. */
const ofTheWorld: readonly Unseen[] = [
  {
    what: 'another body of a tool',
    why: 'bodies of tools do not run: their results are from the record; `execute` runs them',
    scenario: parallel,
    changed: { tools: { look, add: changed(add, { run: () => 0 }), pay } },
  },
  {
    what: 'other steps of a durable body, under the same names',
    why: 'the body runs, and the results of its steps are from the record',
    scenario: durable,
    changed: { tools: { errand, look } },
  },
  {
    what: 'another model',
    why: 'its replies are from the record: evaluate a model with runs of its own',
    scenario: parallel,
    changed: { model: scriptedModel('something else') },
  },
  {
    what: 'another model of a child',
    why: 'its replies are from the record, too',
    scenario: child,
    changed: { tools: { helper, add } },
  },
  {
    what: 'another answer to questions',
    why: 'what people answered is from the record',
    scenario: approval,
    changed: { onQuestion: () => approve({ by: 'bob' }) },
  },
]

/** A record shows only what the run came to. */
const ofOtherPaths: readonly Unseen[] = [
  {
    what: 'more time for a tool',
    why: 'no recorded call needed it',
    scenario: parallel,
    changed: { tools: { look, add, pay: changed(pay, { schedule: { timeout: 500_000 } }) } },
  },
  { what: 'more tries of a request', why: 'no recorded request failed', scenario: parallel, changed: { behaviour: { attempts: 9 } } },
  {
    what: 'another limit of the length of results',
    why: 'no recorded result was cut',
    scenario: parallel,
    changed: { behaviour: { outputLimit: 50_000 } },
  },
  { what: 'another grace period', why: 'nothing was stopped in the recorded run', scenario: parallel, changed: { behaviour: { grace: 9 } } },
  {
    what: 'a rule for a tool that was not called',
    why: 'no recorded call meets it',
    scenario: approval,
    changed: { permissions: { pay: 'ask', add: 'allow', look: 'deny' } },
  },
  {
    what: 'a hook that changes nothing here',
    why: 'what it would do in other runs is not in this one',
    scenario: parallel,
    changed: { hooks: [{ beforeToolExecution: (_context, { tool: name }) => (name === 'missing' ? { input: {} } : undefined) }] },
  },
  {
    what: 'a stricter check of arguments, which the model is not sent',
    why: 'the recorded arguments pass it',
    scenario: parallel,
    changed: {
      tools: {
        look,
        add: changed(add, { input: jsonSchema(schemaOf(add), { validate: z.object({ a: z.number().positive(), b: z.number() }) }) }),
        pay,
      },
    },
  },
  { what: 'an observer', why: 'observers look, and change nothing', scenario: parallel, changed: { observers: [() => {}] } },
]

/** All of them. */
export const unseen: readonly Unseen[] = [...ofTheWorld, ...ofOtherPaths]
