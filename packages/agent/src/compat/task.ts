/** Tasks, which agents of the original Python project hand to each other. */
import type { Agent, RunOptions } from '../agent-type.ts'
import type { Result } from '../run/result.ts'

/** How a task is doing. */
export type TaskStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'

/** A task: what is asked of an agent, and what came of it. */
export interface Task {
  readonly taskId: string
  readonly action: string
  readonly parameters: { readonly content?: string; readonly [name: string]: unknown }
  readonly status: TaskStatus
  readonly sourceAgent?: string
  readonly targetAgent?: string
  readonly parentTaskId?: string
  /** The thread of the task; its own id when absent. */
  readonly sessionId?: string
  readonly result?: { readonly content: string }
  readonly error?: string
  readonly metadata: { readonly [name: string]: unknown }
}

/** A task that nobody has taken up. */
export function createTask(task: Pick<Task, 'taskId'> & Partial<Task>): Task {
  return { action: 'execute', parameters: {}, status: 'pending', metadata: {}, ...task }
}

/** Runs a task on its thread; what came of it is a task too. A task that waits for an answer is still running, and names its questions. */
export async function executeTask(agent: Agent, task: Task, options: RunOptions = {}): Promise<Task> {
  const input = task.parameters.content ?? JSON.stringify(task.parameters)
  const thread = task.sessionId ?? task.taskId
  const result = await agent.run(input, { ...options, thread, metadata: { ...task.metadata, taskId: task.taskId } })
  return { ...task, targetAgent: task.targetAgent ?? agent.name, ...outcomeOf(task, result) }
}

function outcomeOf({ metadata }: Task, result: Result): Pick<Task, 'status' | 'metadata'> & Partial<Task> {
  const common = { metadata: { ...metadata, thread: result.thread, run: result.run, iterations: result.turns } }
  const content = { result: { content: result.text } }
  switch (result.status) {
    case 'done':
      return { ...common, ...content, status: 'completed' }
    case 'failed':
      return { ...common, status: 'failed', error: result.error.message }
    case 'stopped':
      return { ...common, ...content, status: result.kind === 'cancelled' ? 'cancelled' : 'failed', error: result.reason }
    case 'waiting':
      return { status: 'running', metadata: { ...common.metadata, questions: result.questions } }
  }
}
