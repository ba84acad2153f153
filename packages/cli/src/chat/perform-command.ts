/** What stands behind a slash, done. */
import { explain, readEvents, renderExplanation, threads } from '@loom-agent/agent'
import { createProjector, type RunMetrics, runMetrics } from '@loom-agent/telemetry'
import { ago, costWords, counted, tokenWords } from '../output/words.ts'
import { type Line, line, textLines } from '../screen/line.ts'
import { readTree, treeLines } from '../thread/thread-tree.ts'
import { begun } from './begin-run.ts'
import type { ChatSession } from './chat-session.ts'
import { type ChatState, chatModes, type Option, type Picker } from './chat-state.ts'
import { modeOf, modeWords, withMode } from './on-key.ts'
import { performPick } from './perform-pick.ts'
import { keyHelp, slashCommands } from './slash-commands.ts'

type Command = (session: ChatSession, argument: string) => Promise<void> | void

/** Does what a command says. */
export async function performCommand(session: ChatSession, name: string, argument: string): Promise<void> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return command(session, argument)
  say(session, [line(`There is no /${name}. /help lists what there is.`, 'yellow')])
}

const say = (session: ChatSession, lines: readonly Line[]): void => session.take(session.state(), lines)

/** The thread of the chat; says so where there is none yet. */
function threadOf(session: ChatSession): string | undefined {
  const { thread } = session.state()
  if (thread === undefined) say(session, [line('  nothing was said yet', 'faint')])
  return thread
}

const ofThread =
  (work: (session: ChatSession, thread: string, argument: string) => Promise<void>): Command =>
  async (session, argument) => {
    const thread = threadOf(session)
    if (thread !== undefined) await work(session, thread, argument)
  }

/** Work that needs a thread at rest: a rewind of files that a run is about to change again would be in vain. */
const atRest =
  (work: (session: ChatSession, thread: string, argument: string) => Promise<void>): Command =>
  (session, argument) => {
    const { status } = session.state()
    if (status === 'idle' || (status === 'waiting' && session.state().questions.length > 0)) return ofThread(work)(session, argument)
    return say(session, [line('  a run is under way: Esc interrupts it', 'yellow')])
  }

const plain = (lines: readonly string[]): readonly Line[] => lines.flatMap((text) => textLines(text)).map((text) => line(`  ${text}`))

const commands: Readonly<Record<string, Command>> = {
  help: (session) => say(session, helpLines()),
  quit: (session) => session.quit(0),
  new: (session) => session.turnTo(undefined),
  tree: ofThread(async (session, thread) =>
    say(session, plain(treeLines(await readTree(session.agent.journal, thread, { now: session.now() }), (_, text) => text))),
  ),
  context: ofThread(async (session, thread, what) => {
    const at = `${thread}@${session.state().seq}`
    const explanation = await explain(session.agent.journal, at, what === '' ? undefined : what)
    say(session, plain([renderExplanation(explanation)]))
  }),
  compact: ofThread(async (session, thread) => {
    await session.agent.compact(thread)
    say(session, [line('  the context is made shorter before the next request', 'faint')])
  }),
  cost: ofThread(async (session, thread) => say(session, await costLines(session, thread))),
  model: (session, id) => {
    const { model = 'not known before the first run', chosenModel } = session.state()
    if (id === '') return say(session, [line(`  ${chosenModel ?? model}; /model provider/name chooses another, loom models lists them`, 'faint')])
    return session.take({ ...session.state(), chosenModel: id }, [line(`  ${id}, from the next message on`, 'faint')])
  },
  mode: (session, name) => {
    const state = session.state()
    const mode = modeOf(state, name)
    if (mode !== undefined) return session.take(withMode(state, mode).state)
    const known = chatModes.filter((one) => state.modes.includes(one))
    return say(
      session,
      known.map(
        (one): Line => [
          [one === state.mode ? '  ❯ ' : '    ', 'blue'],
          [one, 'bold'],
          [`  ${modeWords[one]}`, 'faint'],
        ],
      ),
    )
  },
  retry: ofThread((session, thread) => begun(session, session.agent.resume(thread))),
  rewind: atRest(async (session, thread, seq) => {
    if (/^\d+$/.test(seq)) return performPick(session, 'rewind', `${thread}@${seq}`)
    pick(session, {
      title: 'Go back to before which message? Files are put back.',
      purpose: 'rewind',
      options: await momentsOf(session, thread),
      index: 0,
    })
  }),
  fork: ofThread(async (session, thread, seq) => {
    if (/^\d+$/.test(seq)) return performPick(session, 'fork', `${thread}@${seq}`)
    const here = { label: 'from here', value: `${thread}@${session.state().seq}` }
    const options = [here, ...(await momentsOf(session, thread))]
    pick(session, { title: 'Go another way from where? Files stay as they are.', purpose: 'fork', options, index: 0 })
  }),
  resume: async (session, thread) => (thread === '' ? pickThread(session) : performPick(session, 'resume', thread)),
}

/** Shows a list to choose from. */
function pick(session: ChatSession, picker: Picker): void {
  if (picker.options.length === 0) return say(session, [line('  there is nothing to choose from', 'faint')])
  session.take({ ...session.state(), picker })
}

/** Threads that are offered. */
const mostThreads = 100

/** Offers the threads of the agent, the latest first. */
export async function pickThread(session: ChatSession): Promise<void> {
  const { agent } = session
  const options: Option[] = []
  for await (const { thread, summary, times, seq } of threads(agent.journal, { agent: agent.name, sort: 'latest' })) {
    if (summary.parent !== undefined) continue
    options.push({ label: `${thread}  ${summary.status}  ${counted(seq, 'event')}  ${ago(times.changed, session.now())}`, value: thread })
    if (options.length >= mostThreads) break
  }
  pick(session, { title: 'Go on with which thread?', purpose: 'resume', options, index: 0 })
}

/** The moments before the messages of a person, the latest first. */
async function momentsOf({ agent }: ChatSession, thread: string): Promise<readonly Option[]> {
  const found: Option[] = []
  for await (const { type, seq, data } of readEvents(agent.journal, thread)) {
    if (type !== 'run.started' || !('request' in data) || seq < 2) continue
    const text = data.request.input
      .map((message) => (message.role === 'tool' ? '' : message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')))
      .join(' ')
    found.push({ label: `@${seq}  ${text.split('\n', 1)[0] ?? ''}`, value: `${thread}@${seq - 1}` })
  }
  return found.toReversed()
}

function helpLines(): readonly Line[] {
  const commandLines = slashCommands.map(({ name, takes, does }): Line => [[`  /${`${name} ${takes ?? ''}`.padEnd(18)}`, 'bold'], [does]])
  const keyLines = keyHelp.map(([key, does]): Line => [[`  ${key.padEnd(19)}`, 'bold'], [does]])
  return [...commandLines, [], ...keyLines, line('  @path in a message sends the file with it.')]
}

async function costLines({ agent, state }: ChatSession, thread: string): Promise<readonly Line[]> {
  const { view } = await createProjector(agent.journal).view(runMetrics, thread)
  const { used }: ChatState = state()
  const shown = view
    .slice(-10)
    .map(({ run, model, turns, input, output, cost, unpriced }: RunMetrics) =>
      line(`  ${run}  ${model}  ${counted(turns, 'turn')}  ${tokenWords(input)} in, ${tokenWords(output)} out  ${costWords(cost, unpriced)}`),
    )
  return [...shown, line(`  all with children: ${tokenWords(used.tokens)} tokens, ${costWords(used.cost, used.unpriced)}`, 'bold')]
}
