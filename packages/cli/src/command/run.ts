/** loom run, loom resume: runs of the agents of this project. */
import { text as readAll } from 'node:stream/consumers'
import type { Agent, Mode } from '@loom-agent/agent'
import { agentsFor } from '../coder/built-in.ts'
import type { Terminal } from '../platform/terminal.ts'
import { agentOf, loadConfig } from '../project/config.ts'
import { ownerOf } from '../project/owner.ts'
import { type DriveOptions, driving, follow } from './drive.ts'

/** The options of `loom run`. */
export interface RunOptions extends DriveOptions {
  readonly agent?: string
  readonly thread?: string
  readonly id?: string
  readonly model?: string
}

/** Runs an agent; returns the exit code. Without an input, or with `-`, the standard input is read. */
export async function run(terminal: Terminal, input: string | undefined, options: RunOptions): Promise<number> {
  const chosen = agentOf(await loadConfig(options.config, terminal), options.agent)
  return runAgent(terminal, chosen, { ...options, input })
}

/** What an agent is run with. */
export interface AgentRun extends RunOptions {
  readonly input?: string | undefined
  /** The most that the mode of the run may be. */
  readonly mostMode?: Mode
}

/** Runs an agent with an input, or with what the standard input says; returns the exit code. */
export async function runAgent(terminal: Terminal, chosen: Agent, options: AgentRun): Promise<number> {
  const { input, thread, id, model, mostMode } = options
  const said = input === undefined || input === '-' ? await readAll(process.stdin) : input
  const handle = chosen.start(said, {
    ...(thread !== undefined && { thread }),
    ...(id !== undefined && { id }),
    ...(model !== undefined && { model }),
    ...(mostMode !== undefined && { permissions: { rules: [], mostMode } }),
  })
  return driving(chosen, () => follow(terminal, handle, options))
}

/** Goes on with a thread: after a crash, an answer, a pause or a failure; returns the exit code. */
export async function resume(terminal: Terminal, thread: string, options: DriveOptions): Promise<number> {
  const owner = await ownerOf((await agentsFor(terminal, { ...options, absent: 'refused' })).agents, thread)
  return driving(owner, () => follow(terminal, owner.resume(thread), options))
}
