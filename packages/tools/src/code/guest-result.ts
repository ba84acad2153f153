/** What the model reads about code that has run. */
import type { Json } from '@loom-agent/kernel'
import { LoomError } from '@loom-agent/kernel'
import type { GuestEnd, GuestLimits } from '../sandbox/run-guest.ts'

/** What code returned and printed. */
export interface CodeResult {
  /** What it returned; absent when it returned nothing. */
  readonly result?: Json
  /** What it printed; absent when it printed nothing. */
  readonly printed?: string
  /** What else there is to know. */
  readonly note?: string
}

/** The result of a call; an error where the code failed. What it printed is shown in both cases. */
export function codeResult(end: GuestEnd, limits: GuestLimits): CodeResult | LoomError {
  const { printed, dropped } = end
  const isSilent = printed === '' && dropped === 0
  if (end.status !== 'done') {
    const said = isSilent ? '' : ` It had printed:\n${printed}`
    return new LoomError('LOOM_TOOL_FAILED', `${problemOf(end, limits)}${said}`, { context: { status: end.status } })
  }
  const note = dropped > 0 ? `${dropped} characters that it printed are left out: print less.` : noteOf(end.result, isSilent)
  return {
    ...(end.result !== undefined && { result: end.result }),
    ...(printed !== '' && { printed }),
    ...(note !== undefined && { note }),
  }
}

const noteOf = (result: Json | undefined, isSilent: boolean): string | undefined =>
  result === undefined && isSilent ? 'It returned nothing and printed nothing. Return the result.' : undefined

function problemOf(end: Exclude<GuestEnd, { readonly status: 'done' }>, { time, room, memory }: GuestLimits): string {
  switch (end.status) {
    case 'threw': {
      const words = [end.name, end.message].filter((word) => word !== '').join(': ')
      const place = end.line === undefined ? '' : ` in line ${end.line}`
      const advice = end.message === 'out of memory' ? ` It may use ${memory} bytes.` : ''
      return `The code failed${place}: ${words === '' ? 'no message' : words}.${advice} Correct it.`
    }
    case 'late':
      return `The code was ended after ${time} milliseconds. Make it compute less.`
    case 'waits':
      return 'The code waits for a promise that never settles. There are no timers and no events: await only what the code itself settles.'
    case 'long':
      return `The result has ${end.length} characters of JSON, and ${room} are returned at most. Return less, such as a part or a summary.`
    case 'broke':
      return `The code could not be run to its end: ${end.problem}. Make it smaller, or do without it.`
  }
}
