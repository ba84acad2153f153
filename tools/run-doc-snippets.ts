/**
 * Runs the programs of a page: `node tools/run-doc-snippets.ts docs/guides/hooks.md`.
 *
 * Every block marked `ts` is a program of its own. It must compile under the rules of the workspace and end well; with `node:assert` it says what
 * it expects. Programs stand on the lines they have in the page, so that errors name lines of the page.
 */
import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Milliseconds that a program may take. */
const patience = 20_000
/** Programs that run at once. */
const places = 2

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

/** Compiles and runs every program of a page; throws with all that is wrong. Answers how many there were. */
export async function runSnippets(file: string): Promise<number> {
  const snippets = snippetsOf(await readFile(file, 'utf8'))
  const name = relative(root, file)
  const problems = [...(await compile(file, snippets)), ...(await runAll(snippets))]
  if (problems.length > 0) throw new Error([`${name}: ${problems.length} of its programs do not work.`, ...problems].join('\n\n'))
  return snippets.length
}

const onItsLine = ({ line, code }: Snippet): string => '\n'.repeat(line - 1) + code

/** The folder lies inside the workspace, so that the programs find its packages. */
async function compile(file: string, snippets: readonly Snippet[]): Promise<readonly string[]> {
  if (snippets.length === 0) return []
  const cache = join(root, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'snippets-'))
  try {
    const files = snippets.map(({ line }) => `${basename(file)}.${line}.ts`)
    await Promise.all(snippets.map((snippet, index) => writeFile(join(folder, files[index] as string), onItsLine(snippet))))
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ extends: join(root, 'tsconfig.test.json'), files, include: [] }))
    const { code, output } = await execute([join(root, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'])
    return code === 0 ? [] : [output.replaceAll(`${relative(root, folder)}/`, '')]
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function runAll(snippets: readonly Snippet[]): Promise<readonly string[]> {
  const problems = new Map<number, string>()
  const queue = snippets[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (const snippet of queue) {
      const { code, output } = await execute(['--input-type=module-typescript', '--conditions=loom-source', '-'], onItsLine(snippet))
      if (code !== 0) problems.set(snippet.line, `The program on line ${snippet.line}:\n${output}`)
    }
  }
  await Promise.all(Array.from({ length: places }, worker))
  return snippets.flatMap(({ line }) => problems.get(line) ?? [])
}

/** Runs Node in the workspace and answers what it said. */
function execute(args: readonly string[], input = ''): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, timeout: patience })
    let output = ''
    const take = (chunk: Buffer): void => {
      output += chunk.toString()
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output: output.trim() }))
    child.stdin.end(input)
  })
}

if (import.meta.main) {
  for (const file of process.argv.slice(2)) console.log(`${file}: ${await runSnippets(file)} programs work.`)
}
