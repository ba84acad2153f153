/** loom stop, pause, steer, compact, adopt: what a person asks of a thread. The process that drives it takes note. */
import { adopt, compact, pause, steer, stop } from '@loom-agent/agent'
import { visibleLine } from '../output/visible.ts'
import type { Terminal } from '../platform/terminal.ts'
import { headOf, inJournal, type LookOptions, writeJson } from './look.ts'

/** The options of the commands that ask something of a thread. */
export interface ControlOptions extends LookOptions {
  readonly by?: string
}

/** What can be asked of a thread. */
export type Control = 'stop' | 'pause' | 'steer' | 'compact' | 'adopt'

const said: { readonly [K in Control]: string } = {
  stop: 'was asked to stop. Its driver ends the run; without one, loom resume or your program does',
  pause: 'was asked to pause at its next safe point',
  steer: 'has the message; the model reads it before its next call',
  compact: 'was asked for a shorter context before its next model call',
  adopt: 'is trusted now, and may be driven',
}

/** Asks something of a thread. Resolves when the request is durable. */
export async function control(
  terminal: Terminal,
  asked: { readonly what: Control; readonly thread: string; readonly text?: string },
  options: ControlOptions,
): Promise<void> {
  const { what, thread, text } = asked
  const author = options.by ?? terminal.env['USER'] ?? terminal.env['USERNAME']
  const by = author === undefined ? {} : { by: author }
  await inJournal(terminal, options, async ({ journal }) => {
    await headOf(journal, thread)
    if (what === 'stop') await stop(journal, thread, text, by)
    else if (what === 'pause') await pause(journal, thread, by)
    else if (what === 'steer') await steer(journal, thread, text ?? '', by)
    else if (what === 'compact') await compact(journal, thread, by)
    else await adopt(journal, thread)
    const { seq } = await headOf(journal, thread)
    if (options.json) return writeJson(terminal, { thread, seq, asked: what })
    terminal.err(`${visibleLine(thread)} ${said[what]}.\n`)
  })
}
