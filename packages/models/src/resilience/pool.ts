/** Several models that do the same, and what is known of their health. */
import { systemClock } from '@loom-agent/agent'
import { checkNumbers, checkOptions, mayRecover } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import type { Clock } from '@loom-agent/kernel'
import { type Ending, watch } from '../call/stream.ts'
import { facing, type Member, membersOf } from './members.ts'

/** How a model of a pool is doing. */
export interface Health {
  readonly model: string
  /** Degraded below 80 % of good calls, unhealthy below half or after five failures in a row. */
  readonly state: 'healthy' | 'degraded' | 'unhealthy'
  readonly inFlight: number
  /** Of the last calls that told something about the model. */
  readonly calls: number
  readonly failures: number
}

/** A pool. */
export type ModelPool = LanguageModelV4 & { health(): readonly Health[] }

/** How a pool judges its models. */
export interface PoolOptions {
  /** How many calls of a model are looked at; default 100. */
  readonly window?: number
  /** Milliseconds for which an unhealthy model is left alone; default 60,000. */
  readonly rest?: number
  readonly clock?: Pick<Clock, 'now'>
}

interface Seat {
  readonly member: Member
  readonly outcomes: boolean[]
  inFlight: number
  failedAt: number
  usedAt: number
}

/** Fewer calls than this tell nothing about a rate. */
const fewest = 5
const ranks = { healthy: 0, degraded: 1, unhealthy: 2 } as const

/**
 * Spreads calls over models: the healthiest, of these the least busy, of these the one that has waited longest. A model that is unhealthy
 * rests, then one call finds out how it is. Nothing is tried again: when the agent does, the pool chooses anew.
 *
 * @example
 * const model = pool([east('gpt-6.1-sol'), west('gpt-6.1-sol')])
 */
export function pool(models: readonly LanguageModelV4[], options: PoolOptions = {}): ModelPool {
  checkOptions('pool', options, ['window', 'rest', 'clock'])
  checkNumbers('pool', options, { window: { min: fewest }, rest: { min: 0 } })
  const { window = 100, rest = 60_000, clock = systemClock } = options
  const { members, face } = membersOf('pool', models)
  const seats = members.map((member): Seat => ({ member, outcomes: [], inFlight: 0, failedAt: Number.NEGATIVE_INFINITY, usedAt: 0 }))
  let uses = 0

  /** An unhealthy model that has rested is as good as any, for one call. */
  const rankOf = (seat: Seat): number => {
    const isRested = clock.now() - seat.failedAt >= rest && seat.inFlight === 0
    return stateOf(seat) === 'unhealthy' && isRested ? 0 : ranks[stateOf(seat)]
  }
  const take = (): Seat => {
    const order = (a: Seat, b: Seat): number => rankOf(a) - rankOf(b) || a.inFlight - b.inFlight || a.usedAt - b.usedAt
    const [best] = [...seats].sort(order) as [Seat]
    best.inFlight += 1
    uses += 1
    best.usedAt = uses
    return best
  }
  const settle = (seat: Seat, ending: Ending): void => {
    seat.inFlight -= 1
    if (ending.kind === 'left' || (ending.kind === 'failed' && !mayRecover(ending.error))) return
    if (ending.kind === 'failed') seat.failedAt = clock.now()
    // A model that has come back is judged by what it does now.
    else if (stateOf(seat) === 'unhealthy') seat.outcomes.length = 0
    seat.outcomes.push(ending.kind === 'finished')
    if (seat.outcomes.length > window) seat.outcomes.shift()
  }

  const model = facing(face, {
    async generate(call) {
      const seat = take()
      try {
        const result = await seat.member.generate(call)
        settle(seat, { kind: 'finished', usage: result.usage })
        return result
      } catch (error) {
        settle(seat, { kind: 'failed', error })
        throw error
      }
    },
    async stream(call) {
      const seat = take()
      try {
        const result = await seat.member.stream(call)
        return { ...result, stream: watch(result.stream, (ending) => settle(seat, ending)) }
      } catch (error) {
        settle(seat, { kind: 'failed', error })
        throw error
      }
    },
  })
  return Object.assign(model, { health: () => seats.map(healthOf) })
}

const failuresOf = ({ outcomes }: Seat): number => outcomes.filter((isGood) => !isGood).length

function stateOf(seat: Seat): Health['state'] {
  const { outcomes } = seat
  if (outcomes.length >= 5 && outcomes.slice(-5).every((isGood) => !isGood)) return 'unhealthy'
  if (outcomes.length < fewest) return 'healthy'
  const good = 1 - failuresOf(seat) / outcomes.length
  return good < 0.5 ? 'unhealthy' : good < 0.8 ? 'degraded' : 'healthy'
}

const healthOf = (seat: Seat): Health => ({
  model: seat.member.id,
  state: stateOf(seat),
  inFlight: seat.inFlight,
  calls: seat.outcomes.length,
  failures: failuresOf(seat),
})
