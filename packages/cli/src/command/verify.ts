/** loom verify: whether a journal holds what was appended. */
import { type Inspected, type JournalFinding, verify } from '@loom-agent/journals'
import type { Journal } from '@loom-agent/kernel'
import { visibleLine } from '../output/visible.ts'
import { counted } from '../output/words.ts'
import { exitCodes } from '../platform/exit-codes.ts'
import type { Terminal } from '../platform/terminal.ts'
import { inJournal, type LookOptions, writeJson } from './look.ts'

/** Verifies a thread with its children, or the whole journal; returns the exit code. */
export async function verifyJournal(terminal: Terminal, thread: string | undefined, options: LookOptions): Promise<number> {
  return inJournal(terminal, options, async ({ journal }) => {
    const findings: JournalFinding[] = []
    for await (const finding of verify(journal as Journal & Partial<Inspected>, thread)) {
      findings.push(finding)
      if (!options.json) terminal.out(`${lineOf(finding)}\n`)
    }
    if (options.json) writeJson(terminal, findings)
    const damage = findings.filter(({ repaired }) => !repaired)
    terminal.err(
      damage.length === 0
        ? 'No damage was found.\n'
        : `${counted(damage.length, 'finding')}. Threads with damage can be read up to it, and not be driven.\n`,
    )
    return damage.length === 0 ? exitCodes.done : exitCodes.checkFailed
  })
}

function lineOf({ thread, seq, problem, repaired }: JournalFinding): string {
  const place = thread === undefined ? '' : `${thread}${seq === undefined ? '' : `@${seq}`}: `
  return visibleLine(`${place}${problem}${repaired ? ' (repaired)' : ''}`)
}
