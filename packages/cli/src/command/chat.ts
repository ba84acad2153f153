/** loom chat: a conversation with an agent in the terminal. */
import { type Agent, threads } from '@loom-agent/agent'
import { LoomError } from '@loom-agent/kernel'
import { runChat } from '../chat/chat-session.ts'
import { chatModes } from '../chat/chat-state.ts'
import { perform } from '../chat/perform.ts'
import { pickThread } from '../chat/perform-command.ts'
import { goOn } from '../chat/perform-pick.ts'
import { agentsFor } from '../coder/built-in.ts'
import { visibleLine } from '../output/visible.ts'
import { wrongOption } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { agentOf } from '../project/config.ts'
import { type Line, line } from '../screen/line.ts'
import { type DriveOptions, endDriving } from './drive.ts'
import { runAgent } from './run.ts'

/** The options of `loom chat`. */
export interface ChatCommandOptions extends DriveOptions {
  readonly model?: string
  readonly mode: string
  readonly continue?: true
  readonly resume?: string | true
}

/** Chats in a terminal; in a pipe, and where JSON is asked for, it is a run of what the standard input says. Returns the exit code. */
export async function chat(terminal: Terminal, name: string | undefined, options: ChatCommandOptions): Promise<number> {
  const mode = chatModes.find((one) => one === options.mode)
  if (mode === undefined) throw wrongOption('--mode', options.mode, `It is one of ${chatModes.join(', ')}.`)
  const mostMode = mode === 'bypass' ? ('bypass' as const) : ('auto' as const)
  const { agents, notes } = await agentsFor(terminal, { ...options, mostMode })
  const agent = agentOf(agents, name)
  const thread = await chosenThread(agent, options)
  const isPerson = process.stdin.isTTY === true && terminal.isInteractive && !options.json && !options.jsonl
  if (!isPerson) {
    for (const note of options.quiet ? [] : notes) terminal.err(`${note}\n`)
    return runAgent(terminal, agent, { ...options, mostMode: mode, ...(thread !== undefined && { thread }) })
  }
  const end = await runChat(terminal, {
    agent,
    beginning: {
      mode,
      modes: chatModes.filter((one) => one !== 'bypass' || mode === 'bypass'),
      ...(options.model !== undefined && { chosenModel: options.model }),
    },
    greeting: greeting(agent, notes),
    perform,
    onBegin: async (session) => {
      if (thread !== undefined) await goOn(session, thread)
      else if (options.resume === true) await pickThread(session)
    },
  })
  await endDriving(agent)
  if (end.thread !== undefined)
    terminal.err(`The thread ${visibleLine(end.thread)} stays: loom chat -r ${visibleLine(end.thread)} goes on with it.\n`)
  return end.code
}

function greeting({ name }: Agent, notes: readonly string[]): readonly Line[] {
  return [[['loom chat', 'bold'], [` with ${name}. /help lists commands and keys.`]], ...notes.map((note) => line(note, 'yellow'))]
}

/** The thread that is named, or the latest of the agent; `undefined` for a new one. */
async function chosenThread(agent: Agent, options: ChatCommandOptions): Promise<string | undefined> {
  if (typeof options.resume === 'string') {
    const head = await agent.journal.head(options.resume)
    if (head?.seq) return options.resume
    throw new LoomError(
      'LOOM_THREAD_NOT_FOUND',
      `There is no thread ${JSON.stringify(options.resume)} in the journal. loom chat -r lists those that are there.`,
      {
        context: { thread: options.resume },
      },
    )
  }
  if (!options.continue) return undefined
  for await (const { thread, summary } of threads(agent.journal, { agent: agent.name, sort: 'latest' }))
    if (summary.parent === undefined) return thread
  throw new LoomError('LOOM_THREAD_NOT_FOUND', `The agent ${agent.name} has no thread yet. Leave out --continue to begin one.`, {
    context: { agent: agent.name },
  })
}
