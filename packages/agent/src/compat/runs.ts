/** Runs as the original Python project offers them: text in and text out, or a stream. */
import { emptyFrame, evolve, type Frame, isOver, type Journal, LoomError, readEvents } from '@loom-agent/kernel'
import type { Agent, RunOptions } from '../agent-type.ts'
import type { Input } from '../input.ts'
import type { AgentEvent } from './events/agent-event.ts'
import { agentEvents } from './events/projection.ts'

/** An agent, and the thread of its runs when there is one. */
export interface Threaded {
  readonly agent: Agent
  readonly thread: string | undefined
}

/** The options of a run on the thread. */
export function onThread({ thread }: Threaded, options: RunOptions = {}): RunOptions {
  return thread === undefined ? options : { thread, ...options }
}

/**
 * Text in, text out. What a limit or a loop left unfinished is given as far as it goes.
 *
 * A run that fails, is cancelled or waits for an answer has no text to give: it throws, and the error says how to go on.
 */
export async function runText(threaded: Threaded, input: Input, options?: RunOptions): Promise<string> {
  const result = await threaded.agent.run(input, onThread(threaded, options))
  const { thread, text } = result
  switch (result.status) {
    case 'done':
      return text
    case 'failed':
      throw new LoomError('LOOM_RUN_FAILED', result.error.message, { context: { thread, code: result.error.code } })
    case 'waiting': {
      const asked = result.questions.map(({ prompt }) => prompt).join(' ')
      const advice = 'Answer the question and resume the thread.'
      throw new LoomError('LOOM_RUN_FAILED', `The run waits: ${asked} ${advice}`, {
        context: { thread, questions: result.questions.map(({ id }) => id) },
      })
    }
    case 'stopped':
      if (result.kind === 'cancelled') throw new LoomError('LOOM_ABORTED', result.reason, { context: { thread } })
      return text
  }
}

/** The events of a new run. */
export function streamRun(threaded: Threaded, input: Input, options?: RunOptions): AsyncGenerator<AgentEvent, void> {
  return agentEvents(threaded.agent.start(input, onThread(threaded, options)).events())
}

/** Resumes a thread, and returns the events since it last came to rest; of a run that is over, its end. */
export async function* resumeRun({ agent }: Threaded, thread: string): AsyncGenerator<AgentEvent, void> {
  const after = await lastRest(agent.journal, thread)
  yield* agentEvents(agent.resume(thread).events({ from: after.seq + 1 }), { after })
}

async function lastRest(journal: Journal, thread: string): Promise<Frame> {
  let rest: Frame | undefined
  let before = emptyFrame(thread)
  let frame = before
  for await (const event of readEvents(journal, thread)) {
    before = frame
    frame = evolve(frame, event)
    if (event.type === 'run.started') rest = undefined
    else if (event.type === 'run.suspended' || event.type === 'run.failed') rest = frame
  }
  return rest ?? (frame.run && isOver(frame.run) ? before : frame)
}
