/** Tasks, which agents of the original Python project hand to each other. */
import { isLoomError } from '@loom-agent/kernel'
import type { Agent } from '../agent-type.ts'
import type { RunOptions } from '../definition/agent-options.ts'
import type { Result } from '../types/result.ts'

/** How far a task has come. */
export type TaskStatus = 'pending' | 'running' | 'completed' | 'failed' | 'cancelled'

/** A task: what is asked of an agent, and its outcome. */
export interface Task {
  /** The id of the task, and of its thread without a `sessionId`. */
  readonly taskId: string
  /** What kind of task it is; default `execute`. */
  readonly action: string
  /** What is asked: `content` as the input, or all parameters as JSON. */
  readonly parameters: { readonly content?: string; readonly [name: string]: unknown }
  /** How far it has come; default `pending`. */
  readonly status: TaskStatus
  /** The agent that gives the task. */
  readonly sourceAgent?: string
  /** The agent that executes it; filled in when it is executed. */
  readonly targetAgent?: string
  /** The task that it is a part of. */
  readonly parentTaskId?: string
  /** The thread of the task; its own id when absent. */
  readonly sessionId?: string
  /** The answer, or as much of it as there is. */
  readonly result?: { readonly content: string }
  /** Why it failed or was cancelled. */
  readonly error?: string
  /** Given to the run as its metadata; thread, run and iterations are added afterwards. */
  readonly metadata: { readonly [name: string]: unknown }
}

/** Makes a task that is not executed yet. */
export function createTask(task: Pick<Task, 'taskId'> & Partial<Task>): Task {
  return { action: 'execute', parameters: {}, status: 'pending', metadata: {}, ...task }
}

/** Runs a task on its thread; returns the task with its outcome. A task that waits for an answer is still running, and names its questions. */
export async function executeTask(agent: Agent, task: Task, options: RunOptions = {}): Promise<Task> {
  const input = task.parameters.content ?? JSON.stringify(task.parameters)
  const thread = task.sessionId ?? task.taskId
  const given = { ...task, targetAgent: task.targetAgent ?? agent.name }
  try {
    const result = await agent.run(input, { ...options, thread, metadata: { ...task.metadata, taskId: task.taskId } })
    return { ...given, ...outcomeOf(task, result) }
  } catch (error) {
    // Its signal was aborted before: nothing was started.
    if (isLoomError(error) && error.code === 'LOOM_ABORTED') return { ...given, status: 'cancelled', error: error.message }
    throw error
  }
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
