/** Crashes in simulated processes: the matrix of scenarios, simulations, and the plans that both random tests and kills run. */
export { crashMatrix, type MatrixOptions, type MatrixReport } from './matrix/matrix.ts'
export { crashScenarios } from './matrix/scenarios/scenarios.ts'
export { callKinds, effectName, type Plan, type PlannedEffect, planInput, type Turns } from './plan/plan.ts'
export { type AnswerKind, type PlanHooks, planAgent, planAnswer } from './plan/plan-agent.ts'
export type { PlanWorld } from './plan/plan-tools.ts'
export { type SimFault, simFaults } from './simulate/faults.ts'
export { assertSimulation, type SimulateOptions, type SimulationReport, simulate } from './simulate/simulate.ts'
