/**
 * The taint of calls: what a result brings into its thread, and by what a call is tainted that sends something out.
 *
 * TAINT-2. What a result brings is recorded with it, as its tool says at that time, and what a call that sends something out was tainted by with its start:
 *     code that changes later changes neither. What fails to say it brings everything, and sends.
 * TAINT-3. A call that sends something out of a thread that has read what others wrote and what is private asks. What the call itself reads that is private
 *     counts, because it goes out; what others write comes back after it.
 */
import { addTaint, type Frame, isLoomError, type Taint, type TaintedBy } from '@loom-agent/kernel'
import type { OwnVerdict } from '../permission/judge.ts'
import { callUserNow } from '../platform/call-user.ts'
import { withoutSecrets } from '../platform/redaction.ts'
import { shortLine } from '../platform/short-line.ts'
import { labelsOf } from '../tool/taint.ts'
import { isContent } from '../types/content.ts'
import { taintOfParts } from '../types/input-taint.ts'
import { taintLabels } from '../types/taint-label.ts'
import type { CallJob } from './call-job.ts'

type TaintedJob = Pick<CallJob, 'call' | 'tool' | 'value'>

/** What a call brings: as its tool says, and as the parts of its result are marked. Undefined where that is nothing. */
export function broughtBy(job: TaintedJob, output?: unknown): Taint | undefined {
  const said = job.tool.definition.taint && declaredBy(job, output)
  const marked = markedIn(job, output)
  return marked ? addTaint(said, marked) : said
}

/** What the parts of a result are marked with: everything, where a mark is none. A result that cannot be read becomes an error without parts. */
function markedIn({ tool, value }: TaintedJob, output: unknown): Taint | undefined {
  try {
    return isContent(output) ? taintOfParts(output.parts, wordsFor(tool.name, value)) : undefined
  } catch (error) {
    if (!isLoomError(error)) return undefined
    return Object.fromEntries(taintLabels.map((label) => [label, { what: wordsFor(tool.name, value) }]))
  }
}

function declaredBy({ tool, value }: TaintedJob, output: unknown): Taint | undefined {
  const { brings } = tool.definition.taint ?? {}
  const labels = typeof brings === 'function' ? asked(() => labelsOf(brings(value, output))) : labelsOf(brings)
  if (labels?.length === 0) return undefined
  const item = { what: wordsFor(tool.name, value) }
  return Object.fromEntries((labels ?? taintLabels).map((label) => [label, item]))
}

/** Whether a call sends something out. */
export function isSent({ tool, value }: TaintedJob): boolean {
  const { sends } = tool.definition.taint ?? {}
  if (typeof sends !== 'function') return sends === true
  return asked(() => sends(value)) !== false
}

/** By what a call is tainted that sends something out; undefined where nothing was read. */
export function taintOf(job: TaintedJob, { taint }: Frame): Taint | undefined {
  const own = taint?.private ? undefined : broughtBy(job)?.private
  return own ? addTaint(taint, { private: own }, { call: job.call.id }) : taint
}

/** The least verdict that the taint of a call that sends something out demands (TAINT-3). */
export function leastFor(taint: Taint | undefined): OwnVerdict | undefined {
  if (!taint?.untrusted || !taint.private) return undefined
  const [theirs, secret] = [named(taint.untrusted), named(taint.private)]
  const read =
    theirs === secret ? `${theirs}, which others wrote and which is private` : `${theirs}, which others wrote, and ${secret}, which is private`
  return { verdict: 'ask', isLeast: true, reason: `it sends something out, and this thread has read ${read}` }
}

/** An item in words; what stands in a record may be anything. */
const named = ({ what }: TaintedBy): string => shortLine(what, 2 * longestWords)

const longestWords = 100

/** A call in words: the tool, and the first text among its arguments. */
function wordsFor(name: string, input: unknown): string {
  const text = typeof input === 'object' && input !== null ? Object.values(input).find((value) => typeof value === 'string') : undefined
  return text === undefined ? name : `${name}(${shortLine(withoutSecrets(text.slice(0, 4 * longestWords), 'message'), longestWords)})`
}

/** What code of a user says at once; undefined where it fails. */
function asked<T>(ask: () => T): T | undefined {
  try {
    return callUserNow(ask)
  } catch {
    return undefined
  }
}
