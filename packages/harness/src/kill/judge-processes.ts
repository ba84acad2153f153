/** Judges what killed processes have left, by uninterrupted runs of the same plans in a simulated process. */
import { verify } from '@loom-agent/journals'
import type { Journal, LoomEvent } from '@loom-agent/kernel'
import {
  type CrashScenario,
  createRecord,
  type Execution,
  eventsOf,
  externalWorld,
  type Finding,
  judge,
  memoryStorage,
  runTrial,
  type TrialRecord,
  textOf,
} from '@loom-agent/testing/crash'
import { effectName } from '../plan/plan.ts'
import { planAgent, steadyAnswer } from '../plan/plan-agent.ts'
import { planWorldOf } from '../simulate/world.ts'
import type { Figures } from './figures.ts'
import type { PlannedThread } from './job.ts'
import type { Ending } from './reporter.ts'
import type { PerformedEffect } from './world-server.ts'

/** What is left when all processes of a trial are gone. */
export interface ProcessEvidence {
  readonly journal: Journal
  readonly threads: readonly PlannedThread[]
  /** Events that clients were notified of. */
  readonly notified: readonly LoomEvent[]
  readonly effects: readonly PerformedEffect[]
  readonly endings: readonly Ending[]
  /** How many levels of children there are; default 1. */
  readonly depth?: number
  /** Whether processes drove the threads at the same time: then their numbers are not the order of what they did. */
  readonly isConcurrent?: boolean
}

/** What the judge saw, and what is wrong with it. */
export type Judgement = Pick<Figures, 'events' | 'threads' | 'doubts' | 'questions' | 'findings'>

type Tree = ReadonlyMap<string, readonly LoomEvent[]>

/** Judges every thread of a trial, with its children. */
export async function judgeProcesses({ journal, threads, notified, effects, endings, ...how }: ProcessEvidence): Promise<Judgement> {
  const found: Finding[] = []
  for await (const { thread, seq, problem, repaired } of verify(journal)) {
    // A kill in the middle of a write leaves a torn end: what was acknowledged is compared anyway.
    if (!repaired) found.push({ kind: 'journal', at: `${thread ?? 'the journal'}@${seq ?? 0}`, message: problem })
  }
  const trees: Tree[] = []
  for (const { thread } of threads) trees.push(await treeOf(journal, thread))
  const treeOfThread = new Map(trees.flatMap((tree) => [...tree.keys()].map((thread) => [thread, tree] as const)))
  const ownOf = <T extends { readonly thread: string }>(all: readonly T[]): Map<Tree | undefined, T[]> =>
    Map.groupBy(all, ({ thread }) => treeOfThread.get(thread) ?? trees[0])
  const [ownNotified, ownEffects] = [ownOf(notified), ownOf(effects)]
  const endingsOf = Map.groupBy(endings, ({ thread }) => thread)
  for (const [index, planned] of threads.entries()) {
    const tree = trees[index] as Tree
    found.push(...endFindings(planned, endingsOf.get(planned.thread) ?? []))
    const left = {
      threads: tree,
      notified: ownNotified.get(tree) ?? [],
      effects: ownEffects.get(tree) ?? [],
      isConcurrent: how.isConcurrent ?? false,
    }
    found.push(...judge(await reference(planned, how.depth), recordOf(left)).found)
  }
  const events = trees.flatMap((tree) => [...tree.values()].flat())
  const count = (type: LoomEvent['type']): number => events.filter((event) => event.type === type).length
  const size = trees.reduce((sum, tree) => sum + tree.size, 0)
  return { findings: found, events: events.length, threads: size, doubts: count('tool.in-doubt'), questions: count('question.asked') }
}

/** The events of a thread and of all threads below it. */
async function treeOf(journal: Journal, thread: string): Promise<Tree> {
  const tree = new Map([[thread, await eventsOf(journal, thread)]])
  for (const [, events] of tree) {
    for (const { type, data } of events) if (type === 'child.started') tree.set(data.child, await eventsOf(journal, data.child))
  }
  return tree
}

type TreeEvidence = Required<Pick<ProcessEvidence, 'notified' | 'effects' | 'isConcurrent'>> & { readonly threads: Tree }

/** The record of one tree of threads. */
function recordOf({ threads, notified, effects, isConcurrent }: TreeEvidence): TrialRecord {
  const executions = effects.map((performed): Execution => {
    const { kind, ...place } = performed
    return { ...place, tool: kind, input: '', end: 'returned', value: undefined, calls: 1 }
  })
  const world = externalWorld()
  const performing = planWorldOf(world)
  const worldCalls = effects.map((effect, index) => {
    void performing.perform(effect)
    const name = textOf(effectName(effect))
    return { text: effect.effect === 'unsafe' ? `act(${name})` : `put(${name}, ${textOf(effect.key)})`, by: executions[index] }
  })
  const left = { threads, executions, worldCalls, world: textOf(world), acknowledged: notified, asked: new Map(), found: [], isConcurrent }
  const record = createRecord({ ...left, resolved: new Set() })
  // Every call in doubt was answered by what the world says.
  return { ...record, resolved: new Set(record.transcripts.flatMap(({ doubts }) => [...doubts])) }
}

/** The same plan without interruption. */
function reference({ thread, input }: PlannedThread, depth = 1): Promise<TrialRecord> {
  const scenario: CrashScenario = {
    name: thread,
    world: externalWorld,
    agent: ({ journal, world }) => planAgent({ journal, world: planWorldOf(world), depth }),
    play: (user) => user.input(input),
    answer: steadyAnswer,
  }
  return runTrial(scenario, { storage: memoryStorage(), thread })
}

/** The run is done for everybody who waited for it. */
function endFindings({ thread }: PlannedThread, own: readonly Ending[]): readonly Finding[] {
  if (own.length === 0) return [{ kind: 'stuck', at: thread, message: 'no process has reported its end' }]
  const open = own.filter(({ status }) => status !== 'done')
  return open.map(({ status, text }) => ({ kind: 'ending', at: thread, message: `it ended as ${status}: ${text}` }))
}
