/** loom tools: the tools that the model has written on a thread. */
import { writtenTools } from '@loom-agent/tools'
import { styleOf } from '../output/style.ts'
import { visible, visibleLine } from '../output/visible.ts'
import type { Terminal } from '../platform/terminal.ts'
import { threadAt } from '../thread/moment.ts'
import { headOf, inJournal, type LookOptions, writeJson, writeLines } from './look.ts'

/** The options of `loom tools`. */
export interface ToolsOptions extends LookOptions {
  readonly code?: true
}

/** Shows written tools, the latest last. */
export async function tools(terminal: Terminal, at: string, options: ToolsOptions): Promise<void> {
  const { thread, seq } = threadAt(at)
  await inJournal(terminal, options, async ({ journal }) => {
    await headOf(journal, thread)
    const written = await writtenTools(journal, thread, seq)
    if (options.json) return writeJson(terminal, written)
    if (written.length === 0) return terminal.err('No tool was written on this thread.\n')
    const style = styleOf(terminal)
    for (const { name, description, input, code, seq: made } of written) {
      const shown = [description, `input: ${JSON.stringify(input)}`, ...(options.code ? [code] : [])]
      const lines = shown.flatMap((text) => visible(text).split('\n'))
      writeLines(terminal, [`${style('bold', visibleLine(name))}  @${made}`, ...lines.map((line) => `  ${line}`)])
    }
  })
}
