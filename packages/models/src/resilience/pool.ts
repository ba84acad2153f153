/** A pool of equivalent models, and their health. */
import { systemClock } from '@loom-agent/agent'
import { checkOptions, expected, mayRecover, modelId } from '@loom-agent/agent/kit'
import type { LanguageModelV4 } from '@loom-agent/agent/language-model'
import type { Clock } from '@loom-agent/kernel'
import type { Ending } from '../call/stream.ts'
import { gateModel, wrapModel } from '../call/wrapper.ts'
import { membersOf } from './members.ts'

/** The health of a model in a pool. */
export interface Health {
  /** The id of the model. */
  readonly model: string
  /** Degraded below 80 % of good calls, unhealthy below half or after five failures in a row. */
  readonly state: 'healthy' | 'degraded' | 'unhealthy'
  /** Calls in flight. */
  readonly inFlight: number
  /** How many of the last calls count; aborts and refusals do not. */
  readonly calls: number
  /** How many of them failed. */
  readonly failures: number
}

/** A pool of models. */
export type ModelPool = LanguageModelV4 & {
  /** Returns the health of each model. */
  health(): readonly Health[]
}

/** The options of a pool. */
export interface PoolOptions {
  /** How many of the last calls of a model count; default 100. */
  readonly window?: number
  /** Milliseconds for which an unhealthy model gets no calls; default 60,000. */
  readonly rest?: number
  /** The clock; default: the clock of the platform. */
  readonly clock?: Pick<Clock, 'now'>
}

interface PooledModel {
  /** Counts its calls. */
  readonly model: LanguageModelV4
  readonly outcomes: boolean[]
  inFlight: number
  failedAt: number
  usedAt: number
}

/** Fewer calls than this are not enough for a rate. */
const fewest = 5
const ranks = { healthy: 0, degraded: 1, unhealthy: 2 } as const

/**
 * Spreads calls over models: the healthiest, of these the least busy, of these the least recently used. An unhealthy model gets no calls for a while, and
 * then one call tests it. The pool does not retry: when the agent does, the pool chooses again.
 *
 * @example
 * const model = pool([east('gpt-6.1-sol'), west('gpt-6.1-sol')])
 */
export function pool(models: readonly LanguageModelV4[], options: PoolOptions = {}): ModelPool {
  checkOptions('pool', options, { window: expected.number(fewest), rest: expected.number(0), clock: expected.object })
  const { window = 100, rest = 60_000, clock = systemClock } = options
  const { members, identity } = membersOf('pool', models)
  let uses = 0

  /** An unhealthy model that has rested ranks first, for one call. */
  const rankOf = (seat: PooledModel): number => {
    const isRested = clock.now() - seat.failedAt >= rest && seat.inFlight === 0
    return stateOf(seat) === 'unhealthy' && isRested ? 0 : ranks[stateOf(seat)]
  }
  const best = (): LanguageModelV4 => {
    const order = (a: PooledModel, b: PooledModel): number => rankOf(a) - rankOf(b) || a.inFlight - b.inFlight || a.usedAt - b.usedAt
    const [first] = [...seats].sort(order) as [PooledModel]
    return first.model
  }
  const settle = (seat: PooledModel, ending: Ending): void => {
    seat.inFlight -= 1
    if (ending.kind === 'cancelled' || (ending.kind === 'failed' && !mayRecover(ending.error))) return
    if (ending.kind === 'failed') seat.failedAt = clock.now()
    // A model that works again starts with a clean record.
    else if (stateOf(seat) === 'unhealthy') seat.outcomes.length = 0
    seat.outcomes.push(ending.kind === 'finished')
    if (seat.outcomes.length > window) seat.outcomes.shift()
  }

  const seats = members.map((member): PooledModel => {
    const model = gateModel(member, () => {
      seat.inFlight += 1
      uses += 1
      seat.usedAt = uses
      return (ending) => settle(seat, ending)
    })
    const seat: PooledModel = { model, outcomes: [], inFlight: 0, failedAt: Number.NEGATIVE_INFINITY, usedAt: 0 }
    return seat
  })
  const model = wrapModel(identity, { generate: (call) => best().doGenerate(call), stream: (call) => best().doStream(call) })
  return Object.assign(model, { health: () => seats.map(healthOf) })
}

const failuresOf = ({ outcomes }: PooledModel): number => outcomes.filter((isGood) => !isGood).length

function stateOf(seat: PooledModel): Health['state'] {
  const { outcomes } = seat
  if (outcomes.length >= 5 && outcomes.slice(-5).every((isGood) => !isGood)) return 'unhealthy'
  if (outcomes.length < fewest) return 'healthy'
  const good = 1 - failuresOf(seat) / outcomes.length
  return good < 0.5 ? 'unhealthy' : good < 0.8 ? 'degraded' : 'healthy'
}

const healthOf = (seat: PooledModel): Health => ({
  model: modelId(seat.model),
  state: stateOf(seat),
  inFlight: seat.inFlight,
  calls: seat.outcomes.length,
  failures: failuresOf(seat),
})
