/** Faults of a server while agents run on its journal: it dies, replies are lost, the network is cut in one direction, two processes start first. */
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { randomOf } from '@loom-agent/testing/crash'
import { type PostgresServer, startPostgresServer } from '../servers/postgres-server.ts'
import { startTcpProxy, type TcpProxy } from '../servers/tcp-proxy.ts'
import { type Figures, sumOf } from './figures.ts'
import { type KillReport, type KillTrialOptions, killTrial, type ServerFault } from './kill-trial.ts'
import { bits } from './phase.ts'
import type { Site } from './place.ts'
import { startWorld, type WorldServer } from './world-server.ts'

/** Each storm, in one phrase. */
export const storms = {
  kill: 'kill -9 of the server, all its processes, and a new start',
  immediate: 'the server stops with `-m immediate`, and a new start',
  'lost-reply': 'the reply to an append is lost after its commit, and the connection with it',
  'to-client': 'one-way partition: requests reach the server, replies are held',
  'to-server': 'one-way partition: requests are held',
  'first-starts': 'two processes start at once where there is no journal yet',
} as const

/** A fault of the server. */
export type Storm = keyof typeof storms

const allStorms = Object.keys(storms) as Storm[]

/** How much is done. */
export interface StormOptions {
  /** How often each storm comes. */
  readonly rounds: number
  readonly seed: number
  /** Only these; default: all. */
  readonly only?: readonly Storm[]
  /** Called after each storm. */
  readonly onProgress?: (report: StormReport) => void
}

/** What was done, and what was found. */
export interface StormReport extends Figures {
  readonly storm: Storm
  /** How often it struck while runs were under way. */
  readonly struck: number
}

/** The reports of all storms, and the server's version. */
export interface StormsReport {
  readonly version: string
  readonly storms: readonly StormReport[]
}

/** Trials that run on the server when it is struck. */
const parallel = 3
/** Milliseconds after which a connection counts as lost, and how long a partition lasts: longer. */
const [answerTimeout, partition] = [700, 1500]
/** Replies that are lost in a round. */
const replies = 5

interface Conditions {
  readonly storm: Storm
  readonly server: PostgresServer
  readonly world: WorldServer
  readonly random: () => number
}

/** Runs all storms, one after the other, on a server of their own. */
export async function stormCampaign({ rounds, seed, only = allStorms, onProgress }: StormOptions): Promise<StormsReport> {
  const world = await startWorld()
  const server = await startPostgresServer()
  const random = randomOf(seed)
  const reports: StormReport[] = []
  try {
    for (const storm of only) {
      const done: StormRound[] = []
      for (let round = 0; round < rounds; round += 1) {
        const conditions = { storm, server, world, random }
        done.push(await (storm === 'first-starts' ? firstStarts(conditions) : struckRound(conditions)))
      }
      const struck = done.reduce((sum, round) => sum + round.struck, 0)
      const report = { ...sumOf(done.flatMap(({ trials }) => trials)), storm, struck }
      reports.push(report)
      onProgress?.(report)
    }
  } finally {
    await world.end()
    await server.close()
  }
  return { version: server.version, storms: reports }
}

/** What happened in a round. */
interface StormRound {
  readonly struck: number
  readonly trials: readonly KillReport[]
}

/**
 * Two processes that start at once on an empty database. They are one trial: what one of them has started, and not taken yet, the other may recover, and
 * its effects happen there.
 */
async function firstStarts(conditions: Conditions): Promise<StormRound> {
  return { struck: 1, trials: [await trialOn(conditions, { url: conditions.server.url }, { together: 2 })] }
}

const seedOf = ({ random }: Conditions): number => Math.floor(random() * 1e9)

/** A trial without kills; on a server it leaves nothing in folders. */
function trialOn(conditions: Conditions, site: Omit<Site, 'folder'>, how: Pick<KillTrialOptions, 'serverFault' | 'together'>): Promise<KillReport> {
  const { world } = conditions
  return killTrial({ journal: 'postgres', world, folder: tmpdir(), ...site, kills: 0, seed: seedOf(conditions), ...how })
}

/** Some trials, and a storm once all of them are in the middle of their runs. */
async function struckRound(conditions: Conditions): Promise<StormRound> {
  const { storm, server, random } = conditions
  const proxy = storm === 'kill' || storm === 'immediate' ? undefined : await startTcpProxy(server.port)
  const url = proxy ? server.url.replace(`:${server.port}/`, `:${proxy.port}/`) : server.url
  const started = new Set<number>()
  let struck = 0
  let changes = 0
  let storming: Promise<void> | undefined
  const allOver = Promise.withResolvers<void>()
  let underWay = parallel
  const after = Math.floor(random() * 40)
  const strike = async (): Promise<void> => {
    struck += proxy ? await troubled(proxy, storm) : await restarted(server, storm)
  }
  const faultOf = (index: number): ServerFault => ({
    phase(mask) {
      if (mask & bits.started) started.add(index)
      // A journal does not wait for a server that was never available.
      if (started.size < parallel || mask & bits.over) return
      changes += 1
      if (changes > after) storming ??= strike()
    },
    async over() {
      underWay -= 1
      if (underWay === 0) allOver.resolve()
      // No journal is read to be judged before the last storm is over.
      await allOver.promise
      await storming
    },
  })
  const site = { url, ...(proxy && { answerTimeout }) }
  try {
    const trials = await Promise.all(Array.from({ length: parallel }, (_, index) => trialOn(conditions, site, { serverFault: faultOf(index) })))
    return { trials, struck }
  } finally {
    await proxy?.close()
  }
}

async function restarted(server: PostgresServer, storm: Storm): Promise<number> {
  await (storm === 'kill' ? server.kill() : server.stop('immediate'))
  await server.start()
  return 1
}

async function troubled(proxy: TcpProxy, storm: Storm): Promise<number> {
  if (storm === 'lost-reply') return repliesLost(proxy)
  proxy.hold(storm === 'to-client' ? 'to-client' : 'to-server')
  await pause(partition)
  proxy.release()
  return 1
}

/** Loses replies to appends, as long as there are any; returns how many. */
async function repliesLost(proxy: TcpProxy): Promise<number> {
  let lost = 0
  const isAppend = (request: Buffer): boolean => ['"tool.', '"model.', '"turn.', '"run.'].some((type) => request.includes(type))
  const losing = async (): Promise<void> => {
    while (lost < replies) {
      await proxy.loseReply(isAppend)
      lost += 1
    }
  }
  await Promise.race([losing(), pause(partition)])
  return lost
}
