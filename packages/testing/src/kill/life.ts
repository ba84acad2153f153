/** A life: some threads from their beginning to their end, through as many processes as it takes. */
import { rm } from 'node:fs/promises'
import type { LoomEvent } from '@loom-agent/kernel'
import { randomOf } from '../power-failure.ts'
import { type Aim, drawAim, takeAim } from './aim.ts'
import type { Ending } from './announcer.ts'
import type { PlantedFault } from './fault.ts'
import type { Finding } from './finding.ts'
import type { Errand, Job, Linger } from './job.ts'
import { type Judgement, judge } from './judge.ts'
import type { Outside } from './outside.ts'
import { bits, type Phase, phaseOf } from './phase.ts'
import { type Ground, type JournalKind, makePlace, openPlace, type Place } from './place.ts'
import { inputOf, type ToolName } from './plan.ts'
import { type Remains, startVictim } from './victim.ts'

/** What a life needs. */
export interface LifeOptions extends Ground {
  readonly journal: JournalKind
  readonly seed: number
  readonly outside: Outside
  /** Kills after which the threads are left in peace. */
  readonly kills: number
  readonly faults?: readonly PlantedFault[]
  /** How long things take; by default some take a moment. */
  readonly linger?: Linger
  /** What is known of the moments at which to kill; the rest is drawn. */
  readonly aim?: Partial<Aim>
  /** Runs of these calls only. */
  readonly calls?: readonly ToolName[]
  /** What happens to the server meanwhile. */
  readonly weather?: Weather
}

/** What happens to the server while processes live. */
export interface Weather {
  /** Told of the bits of the processes whenever they change. */
  phase(mask: number): void
  /** Resolves when the server is there again. */
  calm(): Promise<void>
}

/** What became of a life. */
export interface LifeReport extends Judgement {
  readonly life: string
  /** The phases in which processes were killed, between the first append and the end of the run. */
  readonly kills: readonly Phase[]
  /** Kills that came before the first append or after the end. */
  readonly stray: number
  readonly processes: number
  readonly told: number
  readonly deeds: number
  readonly torn: number
}

/** Milliseconds after which a process that says nothing more counts as stuck. */
const patience = 30_000

/** What is known of a life while it lasts. */
interface Course {
  readonly name: string
  readonly options: LifeOptions
  readonly random: () => number
  readonly errands: readonly Errand[]
  readonly kills: Phase[]
  readonly told: LoomEvent[]
  readonly findings: Finding[]
  stray: number
  processes: number
  torn: number
  /** Whether anything was appended yet. */
  begun: boolean
  endings: readonly Ending[]
}

/** Lets some threads live, kills their processes, and judges what is left. */
export async function live(options: LifeOptions): Promise<LifeReport> {
  const { journal: kind, seed, outside } = options
  const name = `${kind}-${seed}`
  const place = await makePlace(kind, name, options)
  const course = courseOf(name, options)
  while (await goOn(course, place));
  await options.weather?.calm()
  const deeds = await outside.deeds(name)
  const journal = await openPlace(place)
  const judgement = await judge({ ...course, life: name, journal, deeds })
  await journal.close()
  const findings = [...course.findings, ...judgement.findings]
  // What is wrong is kept, to be looked at.
  if ('folder' in place && (findings.length === 0 || options.faults)) await rm(place.folder, { recursive: true })
  const { kills, stray, processes, torn, told } = course
  return { ...judgement, findings, life: name, kills, stray, processes, torn, told: told.length, deeds: deeds.length }
}

function courseOf(name: string, options: LifeOptions): Course {
  const random = randomOf(options.seed)
  const only = options.calls ?? []
  const errands = Array.from({ length: only.length > 0 ? 1 : 1 + Math.floor(random() * 3) }, (_, index) => {
    const plan = { seed: Math.floor(random() * 1e9), isHeavy: only.length === 0 && random() < 0.2, only }
    return { thread: `${name}-${index + 1}`, input: inputOf(plan) }
  })
  const nothing = { stray: 0, processes: 0, torn: 0, begun: false, endings: [] }
  return { name, options, random, errands, kills: [], told: [], findings: [], ...nothing }
}

/** One process of the life; answers whether another is needed. */
async function goOn(course: Course, place: Place): Promise<boolean> {
  const { name, options, random } = course
  const { outside, faults = [] } = options
  const isSpared = course.kills.length >= options.kills
  course.processes += 1
  const job: Job = {
    life: name,
    process: course.processes,
    place,
    port: outside.port,
    errands: course.errands,
    way: random() < 0.3 ? 'recover' : 'resume',
    attended: isSpared || random() < 0.8,
    linger: options.linger ?? { before: random() < 0.3 ? 1 : 0, after: 2 },
    faults,
  }
  const aim = drawAim(random, options.aim)
  const watch = isSpared ? () => {} : takeAim(aim, () => victim.signal('SIGKILL'))
  const victim = startVictim(job, (mask) => {
    watch(mask)
    options.weather?.phase(mask)
  })
  const remains = await patiently(course, victim)
  await outside.gone(`${name}/${course.processes}`)
  return conclude(course, remains)
}

async function patiently({ findings, name }: Course, victim: ReturnType<typeof startVictim>): Promise<Remains> {
  let isStuck = false
  const timer = setTimeout(() => {
    isStuck = true
    victim.signal('SIGKILL')
  }, patience)
  const remains = await victim.gone
  clearTimeout(timer)
  const where = `its last words were ${phaseOf(remains.mask)} (${remains.mask})`
  if (isStuck) findings.push({ verdict: 'stuck', life: name, message: `a process did not end within ${patience / 1000} seconds; ${where}` })
  return remains
}

/** Takes down what became of a process; answers whether another is needed. */
function conclude(course: Course, remains: Remains): boolean {
  const { mask, signal, told, torn, failure, endings } = remains
  const { findings, name, options } = course
  course.told.push(...told)
  course.torn += torn
  course.begun ||= (mask & bits.begun) !== 0
  if (failure !== undefined) findings.push({ verdict: 'stuck', life: name, message: failure })
  if (signal !== null) {
    if (course.begun && (mask & bits.over) === 0 && mask !== 0) course.kills.push(phaseOf(mask))
    else course.stray += 1
  }
  course.endings = endings ?? course.endings
  if (findings.length > 0) return false
  const isOver = endings?.every(({ status }) => status === 'done' || status === 'failed' || status === 'stopped') === true
  if (isOver) return false
  if (course.processes < options.kills * 3 + 20) return true
  findings.push({ verdict: 'stuck', life: name, message: `${course.processes} processes did not bring it to an end` })
  return false
}
