/** Scenarios in which somebody interferes. */
import type { CrashScenario, Scene } from '../scenario.ts'
import { calls, look, meddling, type Part, pay, played, stuck, until } from './cast.ts'

const steered = (scene: Scene): Part => ({ tools: [until(scene, 'message.steered')], says: [calls('until'), 'Done.', 'And that.'] })

/** Scenarios about control. */
export const controlScenarios: readonly CrashScenario[] = [
  played('a stop while a call runs', (scene) => ({ tools: [stuck(scene), look], says: [calls('stuck', 'look'), 'Done.'] }), {
    ...meddling({ word: 'stuck' }, 'run.stop-requested', (run) => run.stop('enough')),
  }),
  played(
    'a stop while a call runs that may happen once',
    (scene) => ({ tools: [stuck(scene, 'unsafe'), pay(scene)], says: [calls('stuck', 'pay'), 'Done.'] }),
    {
      ...meddling('tool.started', 'run.stop-requested', (run) => run.stop('enough')),
    },
  ),
  played('a stop while the model speaks', () => ({ says: [{ text: 'I am speaking', stallAfter: 3 }] }), {
    ...meddling('model.requested', 'run.stop-requested', (run) => run.stop('enough')),
  }),
  played('a stop while it waits', (scene) => ({ tools: [pay(scene)], permissions: { pay: 'ask' }, says: [calls('pay'), 'Done.'] }), {
    ...meddling('question.asked', 'run.stop-requested', (run) => run.stop('enough')),
    answer: () => undefined,
  }),
  played('a word while it works', steered, { ...meddling('tool.started', 'message.steered', (run) => run.steer('Also this.', { by: 'ann' })) }),
  played('a word at the last moment', ({ seen }) => ({ says: [() => ({ text: 'Done.', until: seen('message.steered') }), 'And that.'] }), {
    ...meddling('model.requested', 'message.steered', (run) => run.steer('Also this.')),
  }),
  played('a pause', (scene) => ({ tools: [until(scene, 'run.pause-requested')], says: [calls('until'), 'Done.'] }), {
    ...meddling('tool.started', 'run.pause-requested', (run) => run.pause({ by: 'ann' })),
  }),
  played('an input while it waits', (scene) => ({ tools: [pay(scene)], permissions: { pay: 'ask' }, says: [calls('pay'), 'One.', 'Two.'] }), {
    play: (stage) => stage.inputs('First.', 'Second.'),
  }),
]
