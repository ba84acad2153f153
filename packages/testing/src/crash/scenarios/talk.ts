/** Scenarios about runs: how they begin, how often, and what ends them. */
import { approve, jsonSchema, reject, tool } from '@loom-agent/agent'
import type { CrashScenario } from '../scenario.ts'
import type { SteadyLine } from '../steady-model.ts'
import { calls, look, played } from './cast.ts'

const overloaded = Object.assign(new Error('overloaded'), { statusCode: 529 })

/** A model that refuses so many times, whoever asks. */
const failing =
  (times: number, { outside }: { readonly outside: { tick(what: string): number } }): SteadyLine =>
  () =>
    outside.tick('asked') > times ? 'Hello.' : { throws: overloaded }

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
  played('a plain answer', () => ({ says: ['Hello.'] })),
  played('an answer after some thought', () => ({ says: [{ text: 'Hello.', reasoning: 'What is said to a stranger?' }] })),
  played('several runs on a thread', () => ({ tools: [look], says: [calls('look'), 'One.', calls('look', 'look'), 'Two.'] }), {
    async play(stage) {
      await stage.input('First.')
      await stage.input('Second.')
    },
  }),
  played('a queue', () => ({ tools: [look], says: [calls('look'), 'One.', calls('look'), 'Two.', 'Three.'] }), {
    play: (stage) => stage.inputs('First.', 'Second.', 'Third.'),
  }),
  played('an answer that is repaired', () => ({ output: number as never, says: ['nothing', '{"n":"x"}', '{"n":1}'] })),
  played('a model that fails twice', (scene) => ({ says: [failing(2, scene)] })),
  played('a run that fails and is resumed', (scene) => ({ says: [failing(3, scene)] }), {
    async play(stage) {
      await stage.input('Go.')
      await stage.again()
    },
  }),
  played('a loop', () => ({ tools: [look], says: Array.from({ length: 9 }, () => calls('look')) })),
  played('a limit that is raised', () => ({ tools: [look], limits: { turns: 1 }, says: [calls('look'), 'Done.'] }), {
    async play(stage) {
      await stage.input('Go.')
      await stage.raise({ turns: 3 })
    },
  }),
  played('a budget that is granted', () => costly, { answer: () => approve({ limits: { tokens: 1000 } }) }),
  played('a budget that is refused', () => costly, { answer: () => reject('no money') }),
  played('an end through a tool', () => ({ tools: [done], behaviour: { requireDone: 'done' }, says: ['Nearly.', calls('done'), 'Done.'] })),
]
