/** Scenarios about children. */
import { tool } from '@loom-agent/agent'
import type { CrashScenario, ProcessContext } from '@loom-agent/testing/crash'
import { type AgentScript, calls, interrupted, look, pay, scenario, scriptedAgent, stuck } from './tools.ts'

const task = (agent: string): readonly [string, unknown] => [agent, { prompt: 'Go.' }]

const withChild =
  (child: (context: ProcessContext) => AgentScript, children = 1): ((context: ProcessContext) => AgentScript) =>
  (context) => ({
    tools: [scriptedAgent({ name: 'child', ...child(context) }, context)],
    says: [calls(...Array.from({ length: children }, () => task('child'))), 'Done.'],
  })

const nested = (context: ProcessContext): AgentScript => {
  const leaf = scriptedAgent({ name: 'leaf', tools: [pay(context), look], says: [calls('pay', 'look'), 'From the leaf.'] }, context)
  const branch = scriptedAgent({ name: 'branch', tools: [leaf, pay(context)], says: [calls(task('leaf'), 'pay'), 'From the branch.'] }, context)
  return { tools: [branch, pay(context)], says: [calls(task('branch'), 'pay'), 'From the root.'] }
}

const askingPay = ({ world }: ProcessContext) => tool({ name: 'pay', permission: 'ask', run: () => world.act('pay') })

/** Scenarios about children. */
export const childScenarios: readonly CrashScenario[] = [
  scenario(
    'a child',
    withChild(() => ({ tools: [look], says: [calls('look'), 'From the child.'] })),
  ),
  scenario(
    'a child that pays',
    withChild((context) => ({ tools: [pay(context)], says: [calls('pay'), 'From the child.'] })),
  ),
  scenario(
    'a child that asks',
    withChild((context) => ({ tools: [askingPay(context)], says: [calls('pay'), 'From the child.'] })),
  ),
  scenario(
    'children side by side',
    withChild((context) => ({ tools: [pay(context)], says: [calls('pay'), 'From the child.'] }), 3),
  ),
  scenario(
    'children side by side that ask',
    withChild((context) => ({ tools: [askingPay(context)], says: [calls('pay'), 'From the child.'] }), 2),
  ),
  scenario('children of children', nested),
  scenario(
    'a child that fails',
    withChild(() => ({ says: [{ throws: new Error('no words') }] })),
  ),
  scenario(
    'a child that is stopped with its parent',
    withChild((context) => ({ tools: [stuck(context)], says: [calls('stuck'), 'From the child.'] })),
    {
      ...interrupted({ mark: 'stuck' }, 'run.stop-requested', (run) => run.stop('enough')),
    },
  ),
  scenario(
    'a stop while a child waits',
    withChild((context) => ({ tools: [askingPay(context)], says: [calls('pay'), 'From the child.'] })),
    {
      ...interrupted('run.suspended', 'run.stop-requested', (run) => run.stop('enough')),
      answer: () => undefined,
    },
  ),
]
