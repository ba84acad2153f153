/** loom models: which models are known, and which would be used. */
import { createModels, modelTable } from '@loom-agent/models'
import { tableLines } from '../output/table.ts'
import { costWords, tokenWords } from '../output/words.ts'
import type { Terminal } from '../platform/terminal.ts'
import { writeJson, writeLines } from './look.ts'

/** The options of `loom models`. */
export interface ModelsOptions {
  readonly json?: true
}

/** Lists the models whose size and price are known. Any other model of a provider can be named as well. */
export async function models(terminal: Terminal, filter: string | undefined, options: ModelsOptions): Promise<void> {
  const { choose, providers } = createModels({ env: terminal.env })
  const choice = choose()
  const wanted = filter?.toLowerCase() ?? ''
  const rows = Object.entries(modelTable)
    .filter(([id]) => id.toLowerCase().includes(wanted))
    .map(([id, info]) => ({ id, ...info }))
  if (options.json) return writeJson(terminal, { models: rows, providers, choice })
  const price = (rate: number | undefined): string => (rate === undefined ? '' : costWords(rate))
  const lines = tableLines(
    rows,
    [
      { title: 'model', text: ({ id }) => id, isFlexible: true },
      { title: 'window', text: ({ contextWindow }) => (contextWindow === undefined ? '' : tokenWords(contextWindow)), align: 'end' },
      { title: 'reply', text: ({ outputLimit }) => (outputLimit === undefined ? '' : tokenWords(outputLimit)), align: 'end' },
      { title: 'in, 1M', text: (row) => price(row.price?.input), align: 'end' },
      { title: 'out, 1M', text: (row) => price(row.price?.output), align: 'end' },
      { title: 'price of', text: (row) => row.price?.date ?? '' },
    ],
    terminal,
  )
  writeLines(terminal, lines)
  terminal.err(
    `\nProviders: ${providers.join(', ')}.\n${choice.kind === 'model' ? `Without a name, ${choice.id} is used: ${choice.because}` : choice.kind === 'error' ? choice.message : choice.because}\n`,
  )
}
