/** Scenarios about runs: how they start, how often, and what ends them. */
import { approve, jsonSchema, reject, tool } from '@loom-agent/agent'
import type { SteadyLine } from '@loom-agent/testing'
import type { CrashScenario } from '@loom-agent/testing/crash'
import { calls, look, scenario } from './tools.ts'

const overloaded = Object.assign(new Error('overloaded'), { statusCode: 529 })

/** A model that refuses so many requests, of all processes together. */
const failing =
  (times: number, { world }: { readonly world: { tick(what: string): number } }): SteadyLine =>
  () =>
    world.tick('asked') > times ? 'Hello.' : { throws: overloaded }

const number = jsonSchema<{ n: number }>(
  { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
  { validate: { '~standard': { version: 1, vendor: 'crash', validate: checkNumber } } },
)

function checkNumber(value: unknown): { value: unknown } | { issues: readonly { message: string }[] } {
  const fits = typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number'
  return fits ? { value } : { issues: [{ message: 'n is missing' }] }
}

const done = tool({ name: 'done', effect: 'pure', run: () => 'noted' })
const costly = { tools: [look], limits: { tokens: 12 }, settings: { maxOutputTokens: 1 }, says: [calls('look'), 'Done.'] }

/** Scenarios about runs. */
export const talkScenarios: readonly CrashScenario[] = [
  scenario('a plain answer', () => ({ says: ['Hello.'] })),
  scenario('an answer after some thought', () => ({ says: [{ text: 'Hello.', reasoning: 'What is said to a stranger?' }] })),
  scenario('several runs on a thread', () => ({ tools: [look], says: [calls('look'), 'One.', calls('look', 'look'), 'Two.'] }), {
    async play(user) {
      await user.input('First.')
      await user.input('Second.')
    },
  }),
  scenario('a queue', () => ({ tools: [look], says: [calls('look'), 'One.', calls('look'), 'Two.', 'Three.'] }), {
    play: (user) => user.inputs('First.', 'Second.', 'Third.'),
  }),
  scenario('starts with ids, which every process makes again', () => ({ tools: [look], says: [calls('look'), 'One.', calls('look'), 'Two.'] }), {
    async play(user) {
      await user.input('First.', { id: 'one' })
      await user.input('Second.', { id: 'two' })
    },
  }),
  scenario('an answer that is repaired', () => ({ output: number as never, says: ['nothing', '{"n":"x"}', '{"n":1}'] })),
  scenario('a model that fails twice', (context) => ({ says: [failing(2, context)] })),
  scenario('a run that fails and is resumed', (context) => ({ says: [failing(3, context)] }), {
    async play(user) {
      await user.input('Go.')
      await user.again()
    },
  }),
  scenario('a loop', () => ({ tools: [look], says: Array.from({ length: 9 }, () => calls('look')) })),
  scenario('a limit that is raised', () => ({ tools: [look], limits: { turns: 1 }, says: [calls('look'), 'Done.'] }), {
    async play(user) {
      await user.input('Go.')
      await user.raise({ turns: 3 })
    },
  }),
  scenario('a budget that is granted', () => costly, { answer: () => approve({ limits: { tokens: 1000 } }) }),
  scenario('a budget that is refused', () => costly, { answer: () => reject('no money') }),
  scenario('an end through a tool', () => ({ tools: [done], behaviour: { requireDone: 'done' }, says: ['Nearly.', calls('done'), 'Done.'] })),
]
