/** loom rewind: back to an earlier moment of a thread, with the files as they were then. */
import { agentsFor } from '../coder/built-in.ts'
import { visibleLine } from '../output/visible.ts'
import { exitCodes } from '../platform/exit-codes.ts'
import type { Terminal } from '../platform/terminal.ts'
import { ownerOf } from '../project/owner.ts'
import { threadAt } from '../thread/moment.ts'
import { rewoundLines } from '../thread/rewound-lines.ts'
import { type DriveOptions, driving } from './drive.ts'
import { momentOf, writeJson, writeLines } from './look.ts'

/** The options of `loom rewind`. */
export interface RewindOptions extends Pick<DriveOptions, 'config' | 'journal' | 'json'> {
  readonly thread?: string
  readonly from?: string
  readonly plan?: true
}

/** Forks a thread at a moment and puts its files back, or says what that would do; returns the exit code. */
export async function rewind(terminal: Terminal, at: string, options: RewindOptions): Promise<number> {
  const { agents } = await agentsFor(terminal, { ...options, absent: 'refused' })
  const owner = await ownerOf(agents, threadAt(at).thread)
  return driving(owner, async () => {
    const moment = await momentOf(owner.journal, at)
    const { thread, from } = options
    const given = { ...(thread !== undefined && { thread }), ...(from !== undefined && { from }) }
    const { files, conflicts, unseen, shared, ...made } = options.plan ? await owner.planRewind(moment, given) : await owner.rewind(moment, given)
    const fork = 'thread' in made ? { thread: made.thread } : {}
    if (options.json) writeJson(terminal, { ...fork, from: moment, files, conflicts, unseen, shared })
    else writeLines(terminal, rewoundLines({ files, conflicts, unseen, shared }).map(visibleLine))
    if (!options.json && fork.thread !== undefined) terminal.err(`The thread ${visibleLine(fork.thread)} goes on from ${visibleLine(moment)}.\n`)
    return conflicts.length > 0 ? exitCodes.conflict : exitCodes.done
  })
}
