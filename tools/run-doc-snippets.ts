/**
 * Runs the programs of a page: `node tools/run-doc-snippets.ts docs/guides/hooks.md`.
 *
 * Every block marked `ts` is a program of its own. It must compile under the rules of the workspace and end well; with `node:assert` it says what
 * it expects. Programs keep the line numbers of the page, so that errors name lines of the page.
 */
import { readFile } from 'node:fs/promises'
import { relative } from 'node:path'
import { compile } from './compiler.ts'
import { runProgram } from './run-program.ts'
import { root } from './workspace.ts'

/** Milliseconds after which a program that does not end is ended. */
const timeout = 60_000
const nodeArguments = ['--input-type=module-typescript', '--conditions=loom-source', '-']
/** Programs that run at once. */
const parallel = 2

/** A program of a page. */
export interface Snippet {
  /** The line of the page on which it begins. */
  readonly line: number
  readonly code: string
}

/** The programs of a page, in order. */
export function snippetsOf(markdown: string): readonly Snippet[] {
  const snippets: Snippet[] = []
  let open: { readonly line: number; readonly fence: string; readonly code: string[] | undefined } | undefined
  markdown.split(/\r?\n/).forEach((text, index) => {
    const fence = /^(`{3,}|~{3,})(.*)$/.exec(text)
    if (!open) {
      if (fence?.[1]) open = { line: index + 2, fence: fence[1], code: fence[2]?.trim() === 'ts' ? [] : undefined }
    } else if (fence?.[1]?.startsWith(open.fence) && fence[2]?.trim() === '') {
      if (open.code) snippets.push({ line: open.line, code: open.code.join('\n') })
      open = undefined
    } else open.code?.push(text)
  })
  return snippets
}

/** A program and the page it is in, by its path in the workspace. */
type Placed = Snippet & { readonly page: string }

/** Compiles and runs every program of the pages; throws with all that is wrong. Returns how many there are. */
export async function runSnippets(...files: readonly string[]): Promise<number> {
  const pages = await Promise.all(files.map(async (file) => ({ page: relative(root, file), snippets: snippetsOf(await readFile(file, 'utf8')) })))
  const placed = pages.flatMap(({ page, snippets }) => snippets.map((snippet): Placed => ({ ...snippet, page })))
  const problems = [...(await compileAll(placed)), ...(await runAll(placed))]
  if (problems.length > 0) throw new Error([`${problems.length} programs do not work.`, ...problems].join('\n\n'))
  return placed.length
}

const onItsLine = ({ line, code }: Snippet): string => '\n'.repeat(line - 1) + code

/** One compiler for all programs. */
async function compileAll(placed: readonly Placed[]): Promise<readonly string[]> {
  if (placed.length === 0) return []
  const programs = Object.fromEntries(placed.map((program) => [`${program.page.replaceAll('/', '.')}.${program.line}.ts`, onItsLine(program)]))
  const printed = await compile({ programs })
  return printed === '' ? [] : [printed]
}

async function runAll(programs: readonly Placed[]): Promise<readonly string[]> {
  const problems = new Map<number, string>()
  const queue = programs.entries()
  const worker = async (): Promise<void> => {
    for (const [index, program] of queue) {
      const { code, output } = await runProgram(process.execPath, nodeArguments, { cwd: root, timeout, input: onItsLine(program) })
      if (code !== 0) problems.set(index, `${program.page}, line ${program.line}:\n${output}`)
    }
  }
  await Promise.all(Array.from({ length: parallel }, worker))
  return [...problems].sort(([a], [b]) => a - b).map(([, problem]) => problem)
}

if (import.meta.main) {
  console.log(`${await runSnippets(...process.argv.slice(2))} programs work.`)
}
