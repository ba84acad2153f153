/**
 * Ports of the user's, checked where they are called.
 *
 * PORT-1. What a port returns is looked at before anything is made of it: an id, a digest, a number or a moment that is none, and a port that throws, is a
 *     LoomError that names the port. Loom's own ports are called as they are.
 * PORT-2. A timer never rings inside of the call that sets it, and one that was cancelled does not ring.
 */
import { type Clock, LoomError } from '@loom-agent/kernel'
import { callUserNow, notify } from './call-user.ts'
import { type Expected, expected } from './expected.ts'
import { messageOf, toSentence } from './normalize.ts'
import { checkOptions } from './options.ts'
import type { MeasuringClock } from './system-clock.ts'

/** The most characters of an id or a digest: it becomes a part of the names of threads, keys and questions. */
const longest = 500
/** Every store keeps these as they are: neither control characters, nor half of a surrogate pair. */
const isName = (value: unknown): boolean =>
  typeof value === 'string' && value.trim() !== '' && value.length <= longest && value.isWellFormed() && !/\p{Cc}/u.test(value)

const name: Expected = { words: `a text of 1 to ${longest} characters, without control characters`, fits: isName }
const share = expected.number(0, 1)
/** The moments that a date can be. */
const moment: Expected = { words: 'milliseconds since 1970', fits: expected.number(-8.64e15, 8.64e15).fits }
const cancel: Expected = { words: 'a function that cancels the timer', fits: expected.function.fits }

/** The ports that are checked. */
interface CheckedPorts {
  readonly clock?: Clock
  readonly ids?: () => string
  readonly random?: () => number
  readonly hash?: (text: string) => string
}

/** The given ports, each checked at every call; what is not given stays out. */
export function checkedPorts(given: CheckedPorts): CheckedPorts {
  const { ids, random, hash, clock } = given
  return {
    ...(ids && { ids: () => returned('ids', name, () => given.ids?.()) }),
    ...(random && { random: () => returned('random', share, () => given.random?.()) }),
    ...(hash && { hash: (text) => returned('hash', name, () => given.hash?.(text)) }),
    ...(clock && { clock: checkedClock(clock) }),
  }
}

function checkedClock(clock: Clock): Clock {
  const { elapsed, soon } = clock as Partial<MeasuringClock>
  const now = (): number => returned('clock.now', moment, () => clock.now())
  // A clock of Loom's own also measures: it is known by that, and stays one.
  if (elapsed && soon) return clock
  const at: Clock['at'] = (time, ring) => setTimer(clock, time, ring)
  // Its owner finds what else the clock has, such as `advance` of a manual one.
  return Object.create(clock, { now: { value: now }, at: { value: at } })
}

function setTimer(clock: Clock, time: number, ring: () => void): () => void {
  let state: 'setting' | 'set' | 'cancelled' = 'setting'
  const ringLater = (): void => {
    if (state === 'setting') queueMicrotask(ringLater)
    else if (state === 'set') ring()
  }
  const stop = returned('clock.at', cancel, () => clock.at(time, ringLater))
  state = 'set'
  return () => {
    state = 'cancelled'
    notify(stop as () => void, undefined)
  }
}

/** Calls a port, and refuses what it must not return. */
function returned<T>(port: string, what: Expected, call: () => T): NonNullable<T> {
  const value = called(port, call)
  if (what.fits(value)) return value as NonNullable<T>
  const key = `what ${port} returned`
  return checkOptions('ports', { [key]: value }, { [key]: expected.required(what) }) as never
}

function called<T>(port: string, call: () => T): T {
  try {
    return callUserNow(call)
  } catch (cause) {
    const message = `ports: ${toSentence(`${port} has thrown: ${messageOf(cause)}`)} A port returns a value, whatever happens.`
    throw new LoomError('LOOM_OPTION_INVALID', message, { cause, context: { what: 'ports', key: port } })
  }
}
