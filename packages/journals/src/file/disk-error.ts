/** Errors of the system as errors of Loom. */
import { isLoomError } from '@loom-agent/kernel'
import { journalError } from '../storage/failure.ts'

/** Errors that may pass. */
const passing: Readonly<Record<string, string>> = {
  ENOSPC: 'The disk is full. Make room, then try again.',
  EDQUOT: 'The quota is used up. Make room, then try again.',
  EMFILE: 'Too many files are open. Raise the limit of the process, then try again.',
  ENFILE: 'Too many files are open. Raise the limit of the machine, then try again.',
}
/** Errors that waiting does not change. */
const lasting: Readonly<Record<string, string>> = {
  EACCES: 'The process may not do that. Give it the right to read and write the folder.',
  EPERM: 'The process may not do that. Give it the right to read and write the folder.',
  EROFS: 'The file system is read-only. Use a folder that can be written.',
  EISDIR: 'There is a folder where a file should be. Move it away.',
  ENOTDIR: 'There is a file where a folder should be. Move it away, or choose another folder.',
  EEXIST: 'There is a file where a folder should be. Move it away, or choose another folder.',
  ENAMETOOLONG: 'The path is too long. Choose a folder with a shorter one.',
}

/** The error of Loom for an error of the disk: unavailable, or unusable if waiting cannot help. Every other error stays as it is. */
export function diskError(error: unknown, what: string): unknown {
  if (isLoomError(error) || !(error instanceof Error && 'code' in error)) return error
  const code = String(error.code)
  const remedy = lasting[code] ?? passing[code] ?? 'Read the cause and check the disk, then try again.'
  const message = `${what}: ${error.message}. ${remedy}`
  return journalError(code in lasting ? 'unusable' : 'unavailable', message, { cause: error, context: { system: code } })
}
