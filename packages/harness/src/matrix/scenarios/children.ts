/** Scenarios about children. */
import { tool } from '@loom-agent/agent'
import type { CrashScenario, ProcessContext } from '@loom-agent/testing/crash'
import { type AgentScript, calls, look, pay, scenario, scriptedAgent, stoppedAfter, stuck } from './tools.ts'

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

const fromChild = 'From the child.'
const paying = (context: ProcessContext): AgentScript => ({ tools: [pay(context)], says: [calls('pay'), fromChild] })
const asking = ({ world }: ProcessContext): AgentScript => ({
  tools: [tool({ name: 'pay', permission: 'ask', run: () => world.act('pay') })],
  says: [calls('pay'), fromChild],
})
const looking: AgentScript = { tools: [look], says: [calls('look'), fromChild] }
const stalling = (context: ProcessContext): AgentScript => ({ tools: [stuck(context)], says: [calls('stuck'), fromChild] })
const failing: AgentScript = { says: [{ throws: new Error('no words') }] }

/** Scenarios about children. */
export const childScenarios: readonly CrashScenario[] = [
  scenario(
    'a child',
    withChild(() => looking),
  ),
  scenario('a child that pays', withChild(paying)),
  scenario('a child that asks', withChild(asking)),
  scenario('children side by side', withChild(paying, 3)),
  scenario('children side by side that ask', withChild(asking, 2)),
  scenario('children of children', nested),
  scenario(
    'a child that fails',
    withChild(() => failing),
  ),
  scenario('a child that is stopped with its parent', withChild(stalling), stoppedAfter({ mark: 'stuck' })),
  scenario('a stop while a child waits', withChild(asking), { ...stoppedAfter('run.suspended'), answer: () => undefined }),
]
