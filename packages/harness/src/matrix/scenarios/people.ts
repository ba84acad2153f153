/** Scenarios in which questions are answered, or are not. */
import { approve, edit, type Question, reject, respond, type SignedAnswer, tool } from '@loom-agent/agent'
import type { CrashScenario, ProcessContext } from '@loom-agent/testing/crash'
import { type AgentScript, calls, look, pay, scenario } from './tools.ts'

const asking = ({ world }: ProcessContext): AgentScript => ({
  tools: [tool({ name: 'pay', permission: 'ask', run: (input) => world.act(`pay ${JSON.stringify(input)}`) }), look],
  says: [calls(['pay', { sum: 5 }], 'look'), 'Done.'],
})

const ruled =
  (rule: object) =>
  (context: ProcessContext): AgentScript => ({
    tools: [pay(context)],
    permissions: { rules: [{ tool: 'pay', verdict: 'ask', ...rule }] },
    says: [calls('pay'), 'Done.'],
  })

const twice =
  (permissions: AgentScript['permissions']) =>
  (context: ProcessContext): AgentScript => ({
    tools: [pay(context)],
    ...(permissions && { permissions }),
    says: [calls('pay'), calls('pay'), 'Done.'],
  })

const inTurn = ({ approvals }: Question): SignedAnswer => approve({ by: approvals === 0 ? 'ann' : 'bob' })

/** Scenarios in which people answer. */
export const peopleScenarios: readonly CrashScenario[] = [
  scenario('an approval', asking),
  scenario('an approval with other arguments', asking, { answer: () => edit({ sum: 1 }) }),
  scenario('a rejection', asking, { answer: () => reject('too much') }),
  scenario('a result given by a human', asking, { answer: () => respond('paid by hand') }),
  scenario('an approval for the thread', twice({ pay: 'ask' }), { answer: () => approve({ scope: 'thread' }) }),
  scenario('an approval for each call', twice({ pay: 'ask' })),
  scenario('several approvers', ruled({ approvers: 2 }), { answer: inTurn }),
  scenario('a question that expires', ruled({ expires: 30_000 }), { answer: () => undefined }),
  scenario('a question that expires after a day', ruled({ expires: 86_400_000 }), { answer: () => undefined }),
  scenario('several questions at once', (context) => ({
    tools: [tool({ name: 'pay', permission: 'ask', schedule: { parallel: true }, run: () => context.world.act('pay') })],
    says: [calls('pay', 'pay', 'pay'), 'Done.'],
  })),
  scenario('a call in doubt that is given up', twice(undefined), { doubt: () => reject('leave it') }),
  scenario('a call in doubt, unattended', (context) => ({
    tools: [pay(context), tool({ name: 'ask', permission: 'ask', run: () => context.world.act('ask') })],
    behaviour: { unattended: 'deny' },
    says: [calls('pay', 'ask'), 'Done.'],
  })),
]
