/** Scenarios in which new code continues what old code has started. */
import { tool } from '@loom-agent/agent'
import type { CrashScenario } from '@loom-agent/testing/crash'
import { calls, look, note, pay, scenario } from './tools.ts'

/** Scenarios about new code. */
export const upgradeScenarios: readonly CrashScenario[] = [
  scenario('new instructions', (context) => ({
    instructions: context.process === 0 ? 'Be brief.' : 'Be kind.',
    tools: [pay(context), look],
    says: [calls('pay', 'look'), 'Done.'],
  })),
  scenario('a new tool', (context) => ({
    tools: context.process === 0 ? [pay(context), look] : [look, note(context), pay(context)],
    says: [calls('pay', 'look'), 'Done.'],
  })),
  scenario('a tool that has changed its class', ({ world, process }) => ({
    tools: [tool({ name: 'pay', effect: process === 0 ? 'unsafe' : 'idempotent', run: (_input, { key }) => world.put('pay', key) })],
    says: [calls('pay'), 'Done.'],
  })),
]
