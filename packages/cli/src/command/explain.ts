/** loom explain, loom request, loom diff: what the model was shown at a moment, and what has changed between two. */
import { compareMoments, type Difference, explain, presenceOf, type RequestAt, renderExplanation, renderPresence, requestAt } from '@loom-agent/agent'
import { styleOf } from '../output/style.ts'
import { visible, visibleLine } from '../output/visible.ts'
import { counted } from '../output/words.ts'
import { parseCount } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { threadAt } from '../thread/moment.ts'
import { inJournal, type LookOptions, momentOf, writeJson, writeLines } from './look.ts'

/** The options of `loom explain`. */
export interface ExplainOptions extends LookOptions {
  readonly turns?: true
}

/** Says what a request held, what it did not hold and why; of everything, or of what is looked for. */
export async function explainMoment(
  terminal: Terminal,
  at: string,
  ...[what, options]: readonly [string | undefined, ExplainOptions]
): Promise<void> {
  await inJournal(terminal, options, async ({ journal }) => {
    if (options.turns) {
      const presence = await presenceOf(journal, threadAt(at).thread, what)
      return options.json ? writeJson(terminal, presence) : terminal.out(`${visible(renderPresence(presence))}\n`)
    }
    const explanation = await explain(journal, await momentOf(journal, at), what)
    if (options.json) return writeJson(terminal, explanation)
    terminal.out(`${visible(renderExplanation(explanation))}\n`)
  })
}

/** Shows what the model was sent. */
export async function request(terminal: Terminal, at: string, options: LookOptions): Promise<void> {
  await inJournal(terminal, options, async ({ journal }) => {
    const sent = await requestAt(journal, await momentOf(journal, at))
    if (options.json) return writeJson(terminal, sent)
    writeLines(terminal, requestLines(sent, terminal))
  })
}

function requestLines({ request: sent, ...rest }: RequestAt, terminal: Terminal): readonly string[] {
  const style = styleOf(terminal)
  const { prompt, tools = [], ...settings } = sent
  const chosen = Object.entries(settings).filter(([, value]) => value !== undefined)
  return [
    style('faint', visibleLine(JSON.stringify(rest))),
    ...chosen.map(([name, value]) => visibleLine(`${name}: ${JSON.stringify(value)}`)),
    ...tools.map(({ name }) => `tool ${visibleLine(name)}`),
    '',
    ...prompt.flatMap((message) => [style('bold', message.role), ...contentLines(message.content), '']),
  ]
}

function contentLines(content: string | readonly object[]): readonly string[] {
  const texts =
    typeof content === 'string'
      ? [content]
      : content.map((part) => ('text' in part && typeof part.text === 'string' ? part.text : JSON.stringify(part)))
  return texts.flatMap((text) => visible(text).split('\n')).map((line) => `  ${line}`)
}

/** The options of `loom diff`. */
export interface DiffOptions extends LookOptions {
  readonly limit: string
}

/** Shows where two moments differ, of one thread or of two. */
export async function diff(terminal: Terminal, ...[before, after, options]: readonly [string, string, DiffOptions]): Promise<void> {
  const limit = parseCount('--limit', options.limit)
  await inJournal(terminal, options, async ({ journal }) => {
    const differences = await compareMoments(journal, await momentOf(journal, before), await momentOf(journal, after))
    if (options.json) return writeJson(terminal, differences)
    if (differences.length === 0) return terminal.err('They do not differ.\n')
    writeLines(
      terminal,
      differences.slice(0, limit).flatMap((one) => differenceLines(one, terminal)),
    )
    if (differences.length > limit) terminal.err(`${counted(differences.length - limit, 'more difference')}; --limit shows more of them.\n`)
  })
}

function differenceLines({ path, before, after }: Difference, terminal: Terminal): readonly string[] {
  const style = styleOf(terminal)
  const room = Math.max(20, terminal.columns - 4)
  const valueLine = (value: unknown): string => {
    const text = visibleLine(value === undefined ? 'nothing' : JSON.stringify(value))
    return text.length > room ? `${text.slice(0, room - 1)}…` : text
  }
  return [visibleLine(path), style('red', `  - ${valueLine(before)}`), style('green', `  + ${valueLine(after)}`)]
}
