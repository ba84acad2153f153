/** Scenarios about children. */
import { tool } from '@loom-agent/agent'
import type { CrashScenario, Scene } from '../scenario.ts'
import { calls, look, meddling, type Part, pay, played, player, stuck } from './cast.ts'

const task = (agent: string): readonly [string, unknown] => [agent, { prompt: 'Go.' }]

const withChild =
  (child: (scene: Scene) => Part, children = 1): ((scene: Scene) => Part) =>
  (scene) => ({
    tools: [player({ name: 'child', ...child(scene) }, scene)],
    says: [calls(...Array.from({ length: children }, () => task('child'))), 'Done.'],
  })

const nested = (scene: Scene): Part => {
  const leaf = player({ name: 'leaf', tools: [pay(scene), look], says: [calls('pay', 'look'), 'From the leaf.'] }, scene)
  const branch = player({ name: 'branch', tools: [leaf, pay(scene)], says: [calls(task('leaf'), 'pay'), 'From the branch.'] }, scene)
  return { tools: [branch, pay(scene)], says: [calls(task('branch'), 'pay'), 'From the root.'] }
}

const askingPay = ({ outside }: Scene) => tool({ name: 'pay', permission: 'ask', run: () => outside.act('pay') })

/** Scenarios about children. */
export const childScenarios: readonly CrashScenario[] = [
  played(
    'a child',
    withChild(() => ({ tools: [look], says: [calls('look'), 'From the child.'] })),
  ),
  played(
    'a child that pays',
    withChild((scene) => ({ tools: [pay(scene)], says: [calls('pay'), 'From the child.'] })),
  ),
  played(
    'a child that asks',
    withChild((scene) => ({ tools: [askingPay(scene)], says: [calls('pay'), 'From the child.'] })),
  ),
  played(
    'children side by side',
    withChild((scene) => ({ tools: [pay(scene)], says: [calls('pay'), 'From the child.'] }), 3),
  ),
  played(
    'children side by side that ask',
    withChild((scene) => ({ tools: [askingPay(scene)], says: [calls('pay'), 'From the child.'] }), 2),
  ),
  played('children of children', nested),
  played(
    'a child that fails',
    withChild(() => ({ says: [{ throws: new Error('no words') }] })),
  ),
  played(
    'a child that is stopped with its parent',
    withChild((scene) => ({ tools: [stuck(scene)], says: [calls('stuck'), 'From the child.'] })),
    {
      ...meddling({ word: 'stuck' }, 'run.stop-requested', (run) => run.stop('enough')),
    },
  ),
  played(
    'a stop while a child waits',
    withChild((scene) => ({ tools: [askingPay(scene)], says: [calls('pay'), 'From the child.'] })),
    {
      ...meddling('run.suspended', 'run.stop-requested', (run) => run.stop('enough')),
      answer: () => undefined,
    },
  ),
]
