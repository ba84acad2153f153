/** loom tree: what a thread and its children did, and what each part has cost. */
import { styleOf } from '../output/style.ts'
import { parseCount } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { readTree, treeLines } from '../thread/thread-tree.ts'
import { headOf, inJournal, type LookOptions, writeJson, writeLines } from './look.ts'

/** The options of `loom tree`. */
export interface TreeOptions extends LookOptions {
  readonly depth: string
}

/** Shows the tree of a thread. */
export async function tree(terminal: Terminal, thread: string, options: TreeOptions): Promise<void> {
  const depth = parseCount('--depth', options.depth)
  await inJournal(terminal, options, async ({ journal }) => {
    await headOf(journal, thread)
    const root = await readTree(journal, thread, { depth, now: terminal.now() })
    if (options.json) return writeJson(terminal, root)
    writeLines(terminal, treeLines(root, styleOf(terminal)))
  })
}
