/** The sections of the page about threads. */
import { sourceFaults } from '@loom-agent/harness/crash'
import type { ThreadRuns } from './crash-run.ts'
import { count, table } from './markdown.ts'

/** The sections about what was run. */
export function threadPages({ starts, feeds, liveness, trees, recorded }: ThreadRuns): readonly string[] {
  return [
    ...(starts.length > 0 ? [startsPage(starts)] : []),
    ...(feeds.length > 0 ? [feedPage(feeds)] : []),
    ...(liveness ? [livenessPage(liveness)] : []),
    ...(trees.length > 0 ? [treesPage(trees)] : []),
    ...(recorded ? [recordedPage(recorded)] : []),
  ]
}

function startsPage(starts: ThreadRuns['starts']): string {
  const rows = starts.map(({ journal, starts: made, repeats, kills, runs, findings }) => [
    `\`${journal}\``,
    made,
    repeats,
    kills,
    runs,
    findings.length,
  ])
  return `## Starts that happen once

Two processes make the same starts under the same ids, each with an input of its own, and are killed on the way; on \`file\` one comes after the other.
Every start leads to one run of its own input, for everybody who made it. Starts without an id, starts that are not made and exchanged inputs are
reported by the same judge.

${table(['journal', 'starts', 'made again', 'kills', 'runs', 'violations'], rows)}`
}

function feedPage(feeds: ThreadRuns['feeds']): string {
  const rows = feeds.map(({ journal, writers, appends, removals, kills, serverKills, readers, returns, seen, findings }) => {
    return [`\`${journal}\``, writers, appends, removals, kills, serverKills, readers, returns, seen, findings.length]
  })
  const head = [
    'journal',
    'writers',
    'appends',
    'removals',
    'kills of writers',
    'kills of the server',
    'readers',
    'returns',
    'entries seen',
    'violations',
  ]
  return `## The feed

Processes append to the same threads and are killed; readers are killed too, and return with the position of the last entry that they processed. The
commits of the server become visible out of order. What must be seen is what the writers were acknowledged, kept outside the journal: every commit
once for every cursor, in the order of its thread, and in the same order for all cursors. A feed that skips, repeats, disorders or does not wait for
open transactions is reported by the same judge.

${table(head, rows)}`
}

function livenessPage({ lives, faults }: NonNullable<ThreadRuns['liveness']>): string {
  const struck = Object.entries(lives.struck).map(([fault, times]) => `${fault} ${count(times)}`)
  const rows = faults.map(({ fault, seed, found }) => [sourceFaults[fault].what, found.length > 0 ? `seed ${seed}` : 'not found'])
  return `## Whatever can go on, goes on

${count(lives.lives)} random lives of several workers from seed ${count(lives.from)}, in virtual time: children that ask, calls that never return, stops,
pauses, late answers, and these faults: ${struck.join(', ')}. In some of them no worker recovers, and users resume by hand; in some users fall silent.
After the last fault every thread ended or said what it waits for, and every result of a living worker settled: ${count(lives.findings.length)} violations.

The same law found these faults, each planted back into a copy of the sources:

${table(['fault', 'first found at'], rows)}`
}

function treesPage(trees: ThreadRuns['trees']): string {
  const rows = trees.map(({ journal, trees: moved, threads, open, forks, crashed, adopted, blobs, effects, findings }) => {
    return [`\`${journal}\``, moved, threads, open, forks, crashed, adopted, blobs, effects, findings.length]
  })
  const head = ['journal', 'trees', 'threads', 'not ended', 'forks', 'after a crash', 'adopted', 'blobs', 'effects', 'violations']
  return `## Trees that are moved

Random trees are driven for a while, forked, exported, removed, imported, some adopted by an agent of another name, and driven to their end. The external
world counts: no effect was doubled by the move, and none forgotten.

${table(head, rows)}`
}

function recordedPage({ from, lives, counts, refused, findings }: NonNullable<ThreadRuns['recorded']>): string {
  const { threads, events, drivers, lost, stops, parallel, skipped } = counts
  const head = ['threads', 'events', 'drivers', 'lost calls', 'stops', 'replies with several calls', 'skipped calls', 'refused', 'alarms']
  const row = [threads, events, drivers, lost, stops, parallel, skipped, refused.length, findings.length]
  return `## Recorded tests

${count(lives)} random lives from seed ${count(from)}, each with hooks that look, change, skip or answer, or with none. Every thread that no call had started
was written as a fixture, read from its file, and replayed with an agent that has not changed. What cannot be replayed is refused when it is written.

${table(head, [row])}`
}
