/** Scenarios in which new code goes on with what old code began. */
import { tool } from '@loom-agent/agent'
import type { CrashScenario } from '../scenario.ts'
import { calls, look, note, pay, played } from './cast.ts'

/** Scenarios about new code. */
export const upgradeScenarios: readonly CrashScenario[] = [
  played('new instructions', (scene) => ({
    instructions: scene.process === 0 ? 'Be brief.' : 'Be kind.',
    tools: [pay(scene), look],
    says: [calls('pay', 'look'), 'Done.'],
  })),
  played('a new tool', (scene) => ({
    tools: scene.process === 0 ? [pay(scene), look] : [look, note(scene), pay(scene)],
    says: [calls('pay', 'look'), 'Done.'],
  })),
  played('a tool that has changed its class', ({ outside, process }) => ({
    tools: [tool({ name: 'pay', effect: process === 0 ? 'unsafe' : 'idempotent', run: (_input, { key }) => outside.put('pay', key) })],
    says: [calls('pay'), 'Done.'],
  })),
]
