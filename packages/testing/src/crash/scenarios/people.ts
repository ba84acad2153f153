/** Scenarios in which people answer, or do not. */
import { approve, edit, type Question, reject, respond, type SignedAnswer, tool } from '@loom-agent/agent'
import type { CrashScenario, Scene } from '../scenario.ts'
import { calls, look, type Part, pay, played } from './cast.ts'

const asking = ({ outside }: Scene): Part => ({
  tools: [tool({ name: 'pay', permission: 'ask', run: (input) => outside.act(`pay ${JSON.stringify(input)}`) }), look],
  says: [calls(['pay', { sum: 5 }], 'look'), 'Done.'],
})

const ruled =
  (rule: object) =>
  (scene: Scene): Part => ({
    tools: [pay(scene)],
    permissions: { rules: [{ tool: 'pay', verdict: 'ask', ...rule }] },
    says: [calls('pay'), 'Done.'],
  })

const twice =
  (permissions: Part['permissions']) =>
  (scene: Scene): Part => ({
    tools: [pay(scene)],
    ...(permissions && { permissions }),
    says: [calls('pay'), calls('pay'), 'Done.'],
  })

const inTurn = ({ approvals }: Question): SignedAnswer => approve({ by: approvals === 0 ? 'ann' : 'bob' })

/** Scenarios in which people answer. */
export const peopleScenarios: readonly CrashScenario[] = [
  played('an approval', asking),
  played('an approval with other arguments', asking, { answer: () => edit({ sum: 1 }) }),
  played('a rejection', asking, { answer: () => reject('too much') }),
  played('a result given by a human', asking, { answer: () => respond('paid by hand') }),
  played('an approval for the thread', twice({ pay: 'ask' }), { answer: () => approve({ scope: 'thread' }) }),
  played('an approval for each call', twice({ pay: 'ask' })),
  played('several approvers', ruled({ approvers: 2 }), { answer: inTurn }),
  played('a question that expires', ruled({ expires: 30_000 }), { answer: () => undefined }),
  played('a question that expires after a day', ruled({ expires: 86_400_000 }), { answer: () => undefined }),
  played('several questions at once', (scene) => ({
    tools: [tool({ name: 'pay', permission: 'ask', schedule: { parallel: true }, run: () => scene.outside.act('pay') })],
    says: [calls('pay', 'pay', 'pay'), 'Done.'],
  })),
  played('a call in doubt that is given up', twice(undefined), { doubt: () => reject('leave it') }),
  played('a call in doubt and nobody there', (scene) => ({
    tools: [pay(scene), tool({ name: 'ask', permission: 'ask', run: () => scene.outside.act('ask') })],
    behaviour: { unattended: 'deny' },
    says: [calls('pay', 'ask'), 'Done.'],
  })),
]
