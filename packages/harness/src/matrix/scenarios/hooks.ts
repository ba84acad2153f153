/** Scenarios with hooks: all nine points change something, and each may suspend. */
import { answerWith, approve, type Hook, type HookPoint, hookPoints, skip, suspend } from '@loom-agent/agent'
import type { CrashScenario, ProcessContext } from '@loom-agent/testing/crash'
import { type AgentScript, calls, look, pay, scenario } from './tools.ts'

const nine: Hook = {
  name: 'nine',
  beforeIterationStart: () => ({ settings: { temperature: 0 } }),
  beforeContextAssembly: () => ({ limits: { turns: 7 } }),
  afterContextAssembly: ({ turn }) => ({ say: `Mind the gap ${turn}.` }),
  beforeModelCall: () => ({ settings: { temperature: 1 } }),
  afterModelReply: (_context, { parts }) => ({ parts: parts.filter((part) => part.type !== 'reasoning') }),
  beforeToolExecution: () => ({ input: { changed: true } }),
  afterToolExecution: async (_context, { output }) => ({ output: { type: 'text', value: `${String(output.value)}!` } }),
  beforeRecursion: ({ turn }) => ({ say: `After ${turn}.` }),
  afterIterationEnd: () => ({ settings: { seed: 2 } }),
}

const hooked =
  (...hooks: readonly Hook[]): ((context: ProcessContext) => AgentScript) =>
  (context) => ({
    tools: [look, pay(context)],
    hooks,
    says: [{ ...calls('look', 'pay'), reasoning: 'Let me see.' }, 'Done.'],
  })

const suspending = (point: HookPoint): Hook => ({
  name: point,
  [point]: ({ answer, turn }: { readonly answer: unknown; readonly turn: number }) => (answer || turn > 1 ? undefined : suspend('May I?')),
})

/** Scenarios with hooks. */
export const hookScenarios: readonly CrashScenario[] = [
  scenario('hooks at all nine points', hooked(nine)),
  scenario('hooks that look only', hooked({ beforeModelCall: async () => undefined, afterToolExecution: async () => undefined })),
  scenario('two hooks in a row', hooked(nine, { ...nine, name: 'again' })),
  scenario('a hook that skips a call', hooked({ beforeToolExecution: (_context, { tool }) => (tool === 'pay' ? skip('not today') : undefined) })),
  scenario(
    'a hook that replaces a call',
    hooked({ beforeToolExecution: (_context, { tool }) => (tool === 'pay' ? answerWith({ type: 'text', value: 'paid before' }) : undefined) }),
  ),
  scenario(
    'a hook that throws',
    hooked({ beforeToolExecution: (_context, { tool }) => (tool === 'look' ? Promise.reject(new Error('no')) : undefined) }),
  ),
  ...hookPoints.map((point) => scenario(`a hook that suspends at ${point}`, hooked(suspending(point)), { answer: () => approve() })),
]
