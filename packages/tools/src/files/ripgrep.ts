/**
 * Runs ripgrep on files that are open already.
 *
 * GREP-1. Ripgrep gets open files and no paths, on systems that can pass them: whatever is exchanged on the disk, it reads what was checked.
 * GREP-2. Its arguments are a list that no shell sees, the pattern is bound to its option, and neither configuration nor environment reaches it.
 * GREP-3. It is killed when the call ends and when it has written as much as is allowed.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import type { FileHandle } from 'node:fs/promises'
import { devNull } from 'node:os'
import { LoomError } from '@loom-agent/kernel'

/** A file to be searched. */
export interface SearchedFile {
  readonly handle: FileHandle
  /** Its real path, for systems that cannot pass open files. */
  readonly real: string
  /** Its path as it is shown. */
  readonly shown: string
}

/** What to look for. */
export interface GrepQuery {
  readonly pattern: string
  readonly literal: boolean
  readonly ignoreCase: boolean
  readonly context: number
  /** Matches in one file at most. */
  readonly most: number
}

/** A line of the output: a match, or a line around one. */
export interface GrepLine {
  readonly file: number
  readonly line: number
  readonly text: string
  readonly isMatch: boolean
}

/** What a run of ripgrep came to. */
export interface GrepOutput {
  readonly lines: readonly GrepLine[]
  /** Whether it was ended because it wrote too much. */
  readonly isCut: boolean
}

/** Bytes of output that are read of one run. */
const mostOutput = 8 * 1024 * 1024
/** Bytes of messages that are kept. */
const mostMessages = 4096
const firstDescriptor = 3
const passesFiles = process.platform !== 'win32'
const descriptors = process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd'

const argumentsOf = ({ pattern, literal, ignoreCase, context, most }: GrepQuery): readonly string[] => [
  '--json',
  '--no-config',
  '--no-mmap',
  '--crlf',
  ignoreCase ? '--ignore-case' : '--case-sensitive',
  ...(literal ? ['--fixed-strings'] : []),
  `--context=${context}`,
  `--max-count=${most}`,
  `--regexp=${pattern}`,
  '--',
]

/** Searches files. */
export async function ripgrep(query: GrepQuery, files: readonly SearchedFile[], signal: AbortSignal): Promise<GrepOutput> {
  const program = await programPath()
  signal.throwIfAborted()
  const paths = files.map(({ real }, index) => (passesFiles ? `${descriptors}/${firstDescriptor + index}` : real))
  const numbers = new Map(paths.map((path, index) => [path, index]))
  const passed = passesFiles ? files.map(({ handle }) => handle.fd) : []
  // Without a path it would search the working directory.
  const searched = paths.length === 0 ? [devNull] : paths
  const child = spawn(program, [...argumentsOf(query), ...searched], {
    stdio: ['ignore', 'pipe', 'pipe', ...passed],
    env: {},
    cwd: '/',
    windowsHide: true,
  })
  const kill = (): void => void child.kill('SIGKILL')
  signal.addEventListener('abort', kill)
  try {
    const [output, messages, code] = await Promise.all([
      textOf(child.stdout, mostOutput, kill),
      textOf(child.stderr, mostMessages, kill),
      ended(child),
    ])
    signal.throwIfAborted()
    if (code === 2 && output.text === '') throw failureOf(messages.text)
    return { lines: linesOf(output.text, numbers), isCut: output.isCut }
  } finally {
    signal.removeEventListener('abort', kill)
    kill()
  }
}

async function programPath(): Promise<string> {
  const { rgPath } = await import('@vscode/ripgrep').catch((cause: unknown) => {
    throw new LoomError('LOOM_TOOL_FAILED', 'Ripgrep is not installed for this system, so nothing can be searched. Tell the user.', { cause })
  })
  return rgPath
}

function failureOf(messages: string): LoomError {
  const problem = messages.replaceAll(/\s+/gu, ' ').trim().slice(0, 300)
  return new LoomError('LOOM_TOOL_INPUT_INVALID', `The pattern cannot be used: ${problem} Repair it, or set literal.`, { context: { problem } })
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', done)
  })

async function textOf(
  stream: NodeJS.ReadableStream | null,
  most: number,
  stop: () => void,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream ?? []) {
    if (bytes > most) continue
    chunks.push(Buffer.from(chunk))
    bytes += chunk.length
    if (bytes > most) stop()
  }
  return { text: Buffer.concat(chunks).toString('utf8'), isCut: bytes > most }
}

interface Message {
  readonly type?: unknown
  readonly data?: {
    readonly path?: { readonly text?: string }
    readonly line_number?: number
    readonly lines?: { readonly text?: string; readonly bytes?: string }
  }
}

function linesOf(output: string, numbers: ReadonlyMap<string, number>): readonly GrepLine[] {
  const lines: GrepLine[] = []
  for (const each of output.split('\n')) {
    const { type, data } = messageOf(each)
    const file = numbers.get(data?.path?.text ?? '')
    if ((type !== 'match' && type !== 'context') || file === undefined || data?.line_number === undefined) continue
    const text = data.lines?.text ?? Buffer.from(data.lines?.bytes ?? '', 'base64').toString('latin1')
    lines.push({ file, line: data.line_number, text: text.replace(/\r?\n$/u, ''), isMatch: type === 'match' })
  }
  return lines.sort((a, b) => a.file - b.file || a.line - b.line)
}

/** The last line may be cut. */
function messageOf(line: string): Message {
  try {
    return JSON.parse(line) as Message
  } catch {
    return {}
  }
}
