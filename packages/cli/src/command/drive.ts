/** What commands that drive a thread have in common: following the run, and saying how it ended. */
import { type Agent, isSignal, type Result, type RunEvent, type RunHandle } from '@loom-agent/agent'
import { headerOf } from '@loom-agent/telemetry'
import { statusLook, styleOf } from '../output/style.ts'
import { visible, visibleLine } from '../output/visible.ts'
import { costWords, counted, durationWords, tokenWords } from '../output/words.ts'
import { exitCodes } from '../platform/exit-codes.ts'
import type { Terminal } from '../platform/terminal.ts'
import { writeJson } from './look.ts'
import { questionLines } from './questions.ts'

/** The options of commands that drive a thread. */
export interface DriveOptions {
  /** The module with the agents. */
  readonly config?: string
  /** The journal of the built-in coder, where there is no configuration. */
  readonly journal?: string
  /** Whether the answer is one JSON value. */
  readonly json?: true
  /** Whether every event is written as a line of JSON. */
  readonly jsonl?: true
  /** Whether nothing is said beside the answer. */
  readonly quiet?: true
}

/** What is worth a line while a run is under way. */
const notable = new Set<string>([
  'tool.started',
  'tool.finished',
  'tool.denied',
  'question.asked',
  'child.started',
  'child.finished',
  'model.failed',
  'context.compressed',
])

/** Works with an agent whose process ends afterwards. Ctrl-C hands on what it drives: the thread is left as it is, and can be resumed. */
export async function driving(chosen: Agent, work: () => Promise<number>): Promise<number> {
  const interrupted = new Promise<number>((ended) => {
    for (const [signal, code] of interrupts) process.once(signal, () => void chosen.drain({ grace: 5_000 }).then(() => ended(code)))
  })
  try {
    return await Promise.race([work(), interrupted])
  } finally {
    await chosen.journal.close()
  }
}

/** Hands on what an agent drives, and closes its journal: for the end of a process. */
export async function endDriving(chosen: Agent): Promise<void> {
  await chosen.drain({ grace: 5_000 })
  await chosen.journal.close()
}

const interrupts = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const

/** Follows a run to its end, or to a question; returns the exit code. */
export async function follow(terminal: Terminal, handle: RunHandle, options: DriveOptions): Promise<number> {
  const began = terminal.now()
  let written = ''
  for await (const event of handle.events({ nested: true })) {
    if (options.jsonl) terminal.out(`${JSON.stringify(event)}\n`)
    else if (isSignal(event)) written += writeDelta(terminal, { event, handle, isLive: terminal.isInteractive && !options.json })
    else if (notable.has(event.type) && !options.quiet)
      terminal.err(`${styleOf(terminal)('faint', visibleLine(`${event.type} ${headerOf(event).label}`))}\n`)
  }
  const result = await handle.result()
  if (options.json) writeJson(terminal, jsonOf(result))
  else if (!options.jsonl) writeText(terminal, result, written)
  if (!options.quiet) terminal.err(endLines(result, terminal, terminal.now() - began).join('\n'))
  return exitCodeFor(result)
}

/** People see the text as it comes. What a retry says again is not taken back on a terminal: it follows. */
function writeDelta(
  terminal: Terminal,
  { event, handle, isLive }: { readonly event: RunEvent; readonly handle: RunHandle; readonly isLive: boolean },
): string {
  if (!isLive || event.type !== 'text-delta' || event.thread !== handle.thread) return ''
  terminal.out(visible(event.text))
  return event.text
}

function writeText(terminal: Terminal, { text }: Result, written: string): void {
  if (text === '') return
  if (written.endsWith(text)) return terminal.out('\n')
  terminal.out(`${written === '' ? '' : '\n\n'}${terminal.isInteractive ? visible(text) : text}\n`)
}

function jsonOf(result: Result): object {
  const { status, thread, text, usage, cost, questions } = result
  return {
    status,
    thread,
    text,
    ...('output' in result && { output: result.output }),
    usage,
    cost,
    questions,
    ...('error' in result && { error: result.error }),
    ...('reason' in result && { reason: result.reason }),
  }
}

function endLines(result: Result, terminal: Terminal, ms: number): readonly string[] {
  const { status, thread, steps, usage, cost } = result
  const figures = [
    visibleLine(thread),
    counted(steps.length, 'step'),
    durationWords(ms),
    `${tokenWords(usage.input + usage.output)} tok`,
    ...(cost === undefined ? [] : [costWords(cost)]),
  ]
  return [
    ...(result.status === 'failed' ? [visible(`${result.error.code} ${result.error.message}`)] : []),
    ...(result.status === 'stopped' ? [visible(result.reason)] : []),
    ...result.questions.flatMap((question) => questionLines(question, terminal)),
    `${styleOf(terminal)(statusLook(status), status)} ${figures.join(' · ')}`,
    '',
  ]
}

function exitCodeFor(result: Result): number {
  if (result.status === 'done') return exitCodes.done
  if (result.status === 'waiting') return exitCodes.waiting
  if (result.status === 'stopped') return result.kind === 'limit' || result.kind === 'budget' ? exitCodes.limit : exitCodes.failed
  return exitCodes.failed
}
