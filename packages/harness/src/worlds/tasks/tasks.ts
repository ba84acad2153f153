/** All tasks of honest people. */
import type { World } from '../world/scenario.ts'
import { cleanTasks } from './clean.ts'
import { taintedTasks } from './tainted.ts'

/** All of them. */
export const benignTasks: readonly World[] = [...cleanTasks, ...taintedTasks]
