/** Every scenario of the crash matrix. */
import type { CrashScenario } from '@loom-agent/testing/crash'
import { callScenarios } from './calls.ts'
import { childScenarios } from './children.ts'
import { controlScenarios } from './control.ts'
import { durableScenarios } from './durable.ts'
import { hookScenarios } from './hooks.ts'
import { peopleScenarios } from './people.ts'
import { talkScenarios } from './talk.ts'
import { upgradeScenarios } from './upgrade.ts'

/** Scenarios of every kind, small enough to crash at every crash point. */
export const crashScenarios: readonly CrashScenario[] = [
  ...talkScenarios,
  ...callScenarios,
  ...peopleScenarios,
  ...durableScenarios,
  ...childScenarios,
  ...controlScenarios,
  ...hookScenarios,
  ...upgradeScenarios,
]
