/** What a program did to its files, as the system saw it: read from the output of strace. */
import { basename, dirname } from 'node:path'
import { changeNames, type Folder, type StoredFile, syncFile, syncFolder } from './power-failure.ts'

/** Something that was done, in order; `name` is a file of the folder that is looked at. */
export type FileOperation =
  | { readonly kind: 'create'; readonly name: string }
  | { readonly kind: 'write'; readonly name: string; readonly at: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncate'; readonly name: string; readonly size: number }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'sync'; readonly name: string }
  | { readonly kind: 'sync-folder' }
  /** A line that the program printed. */
  | { readonly kind: 'printed'; readonly line: string }

/** What strace is asked to show: strings whole and in hex, descriptors with their paths. */
export const straceOptions: readonly string[] = [
  '-f',
  '-qq',
  '-y',
  '-xx',
  '-s',
  '2097152',
  '-e',
  'trace=openat,write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,ftruncate,fallocate,unlink,unlinkat,rename,renameat,renameat2',
]

/** A call of the system that succeeded. */
interface SystemCall {
  readonly name: string
  readonly args: string
}

/** Reads a trace: what happened in a folder, and what was printed. */
export function readTrace(trace: string, folder: string): readonly FileOperation[] {
  return callsIn(trace).flatMap((call) => operationOf(call, folder) ?? [])
}

/** Calls in the order in which they returned; the two halves of one that another thread has interrupted are joined. */
function callsIn(trace: string): readonly SystemCall[] {
  const calls: SystemCall[] = []
  const started = new Map<string, string>()
  for (const line of trace.split('\n')) {
    const space = line.indexOf(' ')
    const thread = line.slice(0, space)
    const text = line.slice(space).trimStart()
    if (text.endsWith('<unfinished ...>')) {
      started.set(thread, text.slice(0, -'<unfinished ...>'.length))
      continue
    }
    const resumed = /^<\.\.\. \w+ resumed>/.exec(text)
    const whole = resumed ? `${started.get(thread) ?? ''}${text.slice(resumed[0].length)}` : text
    const open = whole.indexOf('(')
    const close = whole.lastIndexOf(') ')
    if (open < 0 || close < 0 || !/^\)\s+= \d/.test(whole.slice(close))) continue
    calls.push({ name: whole.slice(0, open), args: whole.slice(open + 1, close) })
  }
  return calls
}

function operationOf({ name: call, args }: SystemCall, folder: string): FileOperation | undefined {
  if (call === 'write' && /^1</.test(args)) return { kind: 'printed', line: Buffer.from(bytesIn(args)).toString().trimEnd() }
  const path = call === 'openat' || call.startsWith('unlink') || call.startsWith('rename') ? quoted(args) : described(args)
  if (path === folder) return call.startsWith('f') && call.endsWith('sync') ? { kind: 'sync-folder' } : undefined
  if (dirname(path) !== folder || path.endsWith('-shm')) return undefined
  const name = basename(path)
  switch (call) {
    case 'openat':
      return args.includes('O_CREAT') ? { kind: 'create', name } : undefined
    case 'pwrite64':
      return { kind: 'write', name, at: Number(args.slice(args.lastIndexOf(',') + 1)), bytes: bytesIn(args) }
    case 'ftruncate':
      return { kind: 'truncate', name, size: Number(args.slice(args.lastIndexOf(',') + 1)) }
    case 'unlink':
    case 'unlinkat':
      return { kind: 'remove', name }
    case 'fsync':
    case 'fdatasync':
      return { kind: 'sync', name }
    default:
      throw new Error(`The trace has a ${call} of ${name}, which is not supported. Add it to operationOf.`)
  }
}

const quoted = (args: string): string => plain(/"([^"]*)"/.exec(args)?.[1] ?? '')
const described = (args: string): string => plain(/^\d+<([^>]*)>/.exec(args)?.[1] ?? '')
const plain = (text: string): string => text.replaceAll(/\\x([0-9a-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

function bytesIn(args: string): Uint8Array {
  const begin = args.indexOf('"') + 1
  const end = args.indexOf('"', begin)
  if (args.startsWith('...', end + 1)) throw new Error('The trace has left out bytes.')
  return Buffer.from(args.slice(begin, end).replaceAll('\\x', ''), 'hex')
}

/** Does to a simulated folder what a program did to a real one. */
export function applyOperation(folder: Folder<StoredFile>, operation: Exclude<FileOperation, { kind: 'printed' }>): void {
  if (operation.kind === 'sync-folder') return syncFolder(folder)
  const { name } = operation
  const known = folder.names.get(name)
  if (operation.kind === 'create') return known ? undefined : changeNames(folder, [{ name, file: { durable: Buffer.alloc(0), changes: [] } }])
  if (operation.kind === 'remove') return changeNames(folder, [{ name, file: undefined }])
  if (!known) throw new Error(`The trace uses ${name}, and there is no such file.`)
  if (operation.kind === 'sync') return syncFile(known)
  known.changes.push(operation.kind === 'write' ? { at: operation.at, bytes: operation.bytes } : { size: operation.size })
}
