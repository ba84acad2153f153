/** loom export, loom import: threads as files that other tools open. */
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { exportThread, importThread } from '@loom-agent/journals'
import { LoomError } from '@loom-agent/kernel'
import { chat, chromeTraceOf, createProjector, markdownOf, otlpOf, skeleton, speedscopeOf } from '@loom-agent/telemetry'
import { visibleLine } from '../output/visible.ts'
import { counted } from '../output/words.ts'
import { wrongOption } from '../platform/parse.ts'
import type { Terminal } from '../platform/terminal.ts'
import { headOf, inJournal, type LookOptions, type Place, writeJson } from './look.ts'

/** The options of `loom export`. */
export interface ExportOptions extends LookOptions {
  readonly format: string
  readonly output?: string
}

type Pieces = AsyncGenerator<string, void>

const formats: Readonly<Record<string, (place: Place, thread: string) => Pieces>> = {
  async *journal({ journal }, thread) {
    for await (const line of exportThread(journal, thread)) yield `${line}\n`
  },
  async *markdown({ journal }, thread) {
    yield markdownOf((await createProjector(journal).view(chat, thread)).view, thread)
  },
  async *speedscope({ journal }, thread) {
    yield JSON.stringify(speedscopeOf((await createProjector(journal).view(skeleton, thread)).view, { name: thread }))
  },
  async *chrome({ journal }, thread) {
    yield JSON.stringify(chromeTraceOf([{ name: thread, columns: (await createProjector(journal).view(skeleton, thread)).view }]))
  },
  async *otlp({ journal }, thread) {
    const { summary, incarnation } = await headOf(journal, thread)
    const { view: columns } = await createProjector(journal).view(skeleton, thread)
    yield JSON.stringify(otlpOf({ thread, incarnation, agent: summary.agent ?? '', columns }))
  },
}

/** The formats, by name. */
export const exportFormats: readonly string[] = Object.keys(formats)

/** Writes a thread to a file, or to the output. A file that is there already is never overwritten. */
export async function exportTo(terminal: Terminal, thread: string, options: ExportOptions): Promise<void> {
  const write = Object.hasOwn(formats, options.format) ? formats[options.format] : undefined
  if (!write) throw wrongOption('--format', options.format, `It is one of ${exportFormats.join(', ')}.`)
  await inJournal(terminal, options, async (place) => {
    await headOf(place.journal, thread)
    if (options.output === undefined) {
      for await (const piece of write(place, thread)) terminal.out(piece)
      return
    }
    const size = await writeFile(resolve(terminal.cwd, options.output), write(place, thread))
    terminal.err(`Wrote ${counted(size, 'byte')} to ${visibleLine(options.output)}.\n`)
  })
}

async function writeFile(path: string, pieces: Pieces): Promise<number> {
  const file = createWriteStream(path, { flags: 'wx' })
  await pipeline(pieces, file)
  return file.bytesWritten
}

/** Reads a thread from a file that `loom export` or the file journal wrote. */
export async function importFrom(terminal: Terminal, path: string, options: LookOptions): Promise<void> {
  const file = resolve(terminal.cwd, path)
  if (!existsSync(file)) throw new LoomError('LOOM_OPTION_INVALID', `There is no file ${path}. loom export writes one.`, { context: { file: path } })
  await inJournal(terminal, { ...options, absent: 'created' }, async ({ journal }) => {
    const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY })
    const { thread, seq } = await importThread(journal, lines)
    if (options.json) return writeJson(terminal, { thread, seq, quarantined: true })
    terminal.err(
      `Imported ${visibleLine(thread)} with ${counted(seq, 'event')}. It can be looked at, and runs nothing until you trust it: loom adopt ${visibleLine(thread)}\n`,
    )
  })
}
