/** What errors of PostgreSQL, of its driver and of the network mean for the users of a journal. */
import { isLoomError, type LoomError } from '@loom-agent/kernel'
import { type JournalFailure, journalError } from '../storage/failure.ts'

/**
 * What kind of trouble it is. `lost`: the connection broke, and it is not known what the server has done. `unreached`: there was no connection.
 * `starting`: the server is there and takes no connections now. `busy`: others have locked what is needed. `replica`: it cannot be written. `value`:
 * something that was given cannot be stored. `other`: trying again would not help.
 */
export type Trouble = 'lost' | 'unreached' | 'starting' | 'busy' | 'replica' | 'value' | 'other'

/** By the code, and by the class of a code, which is its first two characters. */
const troubles: ReadonlyMap<string, Trouble> = new Map(
  (
    [
      ['lost', 'CONNECTION_CLOSED CONNECTION_DESTROYED CONNECTION_ENDED ANSWER_TIMEOUT ECONNRESET EPIPE ETIMEDOUT ERR_STREAM_DESTROYED'],
      ['lost', 'EHOSTUNREACH ENETUNREACH 57P01 57P02 57P05 08000 08003 08006'],
      ['unreached', 'ECONNREFUSED ENOTFOUND EAI_AGAIN ENOENT CONNECT_TIMEOUT 08001 08004'],
      ['starting', '57P03 53300'],
      ['busy', '40001 40P01 55P03'],
      ['replica', '25006'],
      ['value', '22 54 57014'],
    ] as const
  ).flatMap(([trouble, codes]) => codes.split(' ').map((code) => [code, trouble] as const)),
)

/** What kind of trouble an error is. */
export function troubleOf(error: unknown): Trouble {
  const code = codeOf(error)
  if (isLoomError(error) || code === undefined) return 'other'
  return troubles.get(code) ?? troubles.get(code.slice(0, 2)) ?? 'other'
}

/** Whether trying again can help, where the server was there before. */
export function isPassing(trouble: Trouble): boolean {
  return trouble === 'lost' || trouble === 'unreached' || trouble === 'starting' || trouble === 'busy' || trouble === 'replica'
}

/** Whether the server itself has ended the connection: then it was reached. */
export function isOfServer(error: unknown): boolean {
  return /^57P0\d$/.test(codeOf(error) ?? '')
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

type Explanation = readonly [failure: JournalFailure, what: string]

const nothing = 'Nothing was stored.'

/** The explanation of a code, else of its trouble or of its class. */
const explanations: Readonly<Record<string, Explanation>> = {
  lost: ['unavailable', 'has lost the connection. Check that the server and the network are up; then try again.'],
  unreached: ['unavailable', 'cannot be reached. Start the server, or correct the address; then try again.'],
  '57P03': ['unavailable', 'is being started or stopped. Wait; then try again.'],
  '53300': ['unavailable', 'has no connection left. Raise max_connections of the server, or give its users smaller pools; then try again.'],
  busy: ['unavailable', `is being written by others without pause. ${nothing} Find out which process holds it; then try again.`],
  replica: [
    'unavailable',
    `can only be read: it is a copy of another server, or was made read-only, as some do when the disk is full. ${nothing} Name the primary.`,
  ],
  '57014': ['unavailable', `was too slow for its own statement_timeout, or was cancelled. ${nothing} Raise the limit; then try again.`],
  value: ['unusable', `cannot hold a value. ${nothing} Keep big values elsewhere and refer to them.`],
  '53': ['unavailable', `has run out of something. ${nothing} Check the server; then try again.`],
  '53100': ['unavailable', `cannot grow: the disk is full. ${nothing} Make room; then try again.`],
  '58': ['unavailable', 'reports an error of its disk. Check the server; then try again.'],
  '08P01': ['unusable', 'does not take the settings of the connection. Behind a pooler, add ?options=&prepare=false to the address.'],
  '28': ['unusable', 'does not let this user in. Correct the user, the password, or pg_hba.conf of the server.'],
  '3D': ['unusable', 'does not exist. Create the database with createdb, or correct its name.'],
  '42501': ['unusable', 'does not let this user do what is needed. Grant it the right to create a schema once, and to use its tables.'],
  '42': ['unusable', 'has no tables of a journal that fit this version of Loom. Name another schema, or restore the tables from a copy.'],
  '3F': ['unusable', 'has lost its schema. Open the journal again, or restore it from a copy.'],
  XX: ['damaged', 'is damaged. Stop writing to it, and restore it from a copy.'],
}
const unforeseen: Explanation = ['unavailable', 'does not work. Check the server; then try again.']

/** An error of the database as one of Loom, which says what to do; every other error stays what it is. */
export function postgresFailure(error: unknown, name: string): unknown {
  const code = codeOf(error)
  if (code === undefined || isLoomError(error)) return error
  const trouble = troubleOf(error)
  const [failure, what] = explanations[code] ?? explanations[trouble === 'other' ? code.slice(0, 2) : trouble] ?? unforeseen
  return journalError(failure, `The journal ${name} ${what} (${(error as Error).message})`, {
    cause: error,
    context: { journal: name, postgres: code },
  })
}

/** The error of a writer that does not know whether its batch was stored. */
export function unknownOutcome(error: unknown, name: string, batch: { readonly thread: string; readonly id: string }): LoomError {
  const { thread, id } = batch
  const what = `The connection to the journal ${name} was lost while the batch ${id} of the thread ${thread} was being stored.`
  const advice = 'It is not known whether it was. Append the same batch again, with the same id, when the server is back: it is stored once.'
  return journalError('unavailable', `${what} ${advice}`, { cause: error, context: { journal: name, thread, batch: id, outcome: 'unknown' } })
}

/** The error of a call after the journal was closed. */
export function closedError(name: string): LoomError {
  return journalError('closed', `The journal ${name} was closed. Open it again.`, { context: { journal: name } })
}
