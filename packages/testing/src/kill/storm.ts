/** What befalls a server while agents run on its journal: it dies, replies are lost, the network is cut in one direction, two want to be the first. */
import { tmpdir } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { type PostgresServer, startPostgresServer } from '../postgres-server.ts'
import { randomOf } from '../power-failure.ts'
import { startTcpProxy, type TcpProxy } from '../tcp-proxy.ts'
import type { Finding } from './finding.ts'
import { type LifeReport, live, type Weather } from './life.ts'
import { type Outside, startOutside } from './outside.ts'
import { bits } from './phase.ts'
import type { Ground } from './place.ts'

/** What can befall a server. */
export const storms = {
  kill: 'kill -9 of the server, all its processes, and a new start',
  immediate: 'the server stops with `-m immediate`, and a new start',
  'lost-reply': 'the reply to an append is lost after its commit, and the connection with it',
  'to-client': 'one-way partition: the server hears everything and is not heard',
  'to-server': 'one-way partition: the server is heard and hears nothing',
  'first-starts': 'two processes start at once where there is no journal yet',
} as const

/** Something that can befall a server. */
export type Storm = keyof typeof storms

const allStorms = Object.keys(storms) as Storm[]

/** How much is done. */
export interface StormOptions {
  /** How often each of them comes. */
  readonly rounds: number
  readonly seed: number
  /** Only these; default: all there are. */
  readonly only?: readonly Storm[]
  /** Told after each storm. */
  readonly onProgress?: (report: StormReport) => void
}

/** What was done, and what came of it. */
export interface StormReport {
  readonly storm: Storm
  /** How often it struck while runs were under way. */
  readonly struck: number
  readonly threads: number
  readonly events: number
  /** Events that clients were told of. */
  readonly told: number
  /** Effects that were asked for outside. */
  readonly deeds: number
  readonly findings: readonly Finding[]
}

/** What came of all of them, and the server's version. */
export interface StormsReport {
  readonly version: string
  readonly storms: readonly StormReport[]
}

/** Processes that work on the server when it is struck. */
const lives = 3
/** Milliseconds after which a connection counts as lost, and how long a partition lasts: longer. */
const [answerTimeout, partition] = [700, 1500]
/** Replies that are lost in a round. */
const replies = 5

interface Scene {
  readonly storm: Storm
  readonly server: PostgresServer
  readonly outside: Outside
  readonly random: () => number
}

/** Lets all storms come, one after the other, on a server of their own. */
export async function stormCampaign({ rounds, seed, only = allStorms, onProgress }: StormOptions): Promise<StormsReport> {
  const outside = await startOutside()
  const server = await startPostgresServer()
  const random = randomOf(seed)
  const reports: StormReport[] = []
  try {
    for (const storm of only) {
      let report: StormReport = { storm, struck: 0, threads: 0, events: 0, told: 0, deeds: 0, findings: [] }
      for (let round = 0; round < rounds; round += 1) {
        const scene = { storm, server, outside, random }
        report = added(report, await (storm === 'first-starts' ? firstStarts(scene) : struckRound(scene)))
      }
      reports.push(report)
      onProgress?.(report)
    }
  } finally {
    await outside.end()
    await server.close()
  }
  return { version: server.version, storms: reports }
}

/** What a round came to. */
interface Round {
  readonly struck: number
  readonly lives: readonly LifeReport[]
}

function added(report: StormReport, { struck, lives: lived }: Round): StormReport {
  const sum = (figure: (life: LifeReport) => number): number => lived.reduce((total, life) => total + figure(life), 0)
  return {
    ...report,
    struck: report.struck + struck,
    threads: report.threads + sum(({ threads }) => threads),
    events: report.events + sum(({ events }) => events),
    told: report.told + sum(({ told }) => told),
    deeds: report.deeds + sum(({ deeds }) => deeds),
    findings: [...report.findings, ...lived.flatMap(({ findings }) => findings)],
  }
}

/** Two processes that have nothing but an empty place in common. */
async function firstStarts(scene: Scene): Promise<Round> {
  const ground = { url: scene.server.url, schema: `first_${seedOf(scene)}` }
  return { struck: 1, lives: await Promise.all([lived(scene, ground), lived(scene, ground)]) }
}

const seedOf = ({ random }: Scene): number => Math.floor(random() * 1e9)

/** A life that nobody kills; on a server it leaves nothing in folders. */
function lived(scene: Scene, ground: Omit<Ground, 'folder'>, weather?: Weather): Promise<LifeReport> {
  const { outside } = scene
  return live({ journal: 'postgres', outside, folder: tmpdir(), ...ground, kills: 0, seed: seedOf(scene), ...(weather && { weather }) })
}

/** Some processes, and a storm once all of them are in the middle of their runs. */
async function struckRound(scene: Scene): Promise<Round> {
  const { storm, server, random } = scene
  const proxy = storm === 'kill' || storm === 'immediate' ? undefined : await startTcpProxy(server.port)
  const url = proxy ? server.url.replace(`:${server.port}/`, `:${proxy.port}/`) : server.url
  const begun = new Set<number>()
  let struck = 0
  let changes = 0
  let storming: Promise<void> | undefined
  const after = Math.floor(random() * 40)
  const rage = async (): Promise<void> => {
    struck += proxy ? await troubled(proxy, storm) : await restarted(server, storm)
  }
  const weatherOf = (index: number): Weather => ({
    phase(mask) {
      if (mask & bits.begun) begun.add(index)
      // Who comes to a server that was never there is told so, and does not wait.
      if (begun.size < lives || mask & bits.over) return
      changes += 1
      if (changes > after) storming ??= rage()
    },
    calm: async () => storming,
  })
  const ground = { url, ...(proxy && { answerTimeout }) }
  try {
    return { lives: await Promise.all(Array.from({ length: lives }, (_, index) => lived(scene, ground, weatherOf(index)))), struck }
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
  proxy.letGo()
  return 1
}

/** Loses replies to appends, as long as there are any; answers how many. */
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
