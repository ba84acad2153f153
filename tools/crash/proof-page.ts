/** The page that a long run writes: what was done, the figures, what they prove and what they do not. */
import type { MatrixReport } from '@loom-agent/harness/crash'
import { type CampaignReport, killsIn, phases, type StormReport, storms } from '@loom-agent/harness/kill'
import { type FindingKind, findingKinds } from '@loom-agent/testing/crash'
import { type CrashRun, isOpenWindow, type SqliteRun, type ZombieCase } from './crash-run.ts'
import { count, table } from './markdown.ts'
import { threadPages } from './thread-pages.ts'

/** The page. */
export function proofPage(run: CrashRun): string {
  const { kills, matrix, sqlite, postgres } = run
  const sections = [
    opening(run),
    killSection(kills),
    ...(postgres ? [stormSection(postgres.storms.storms)] : []),
    ...(matrix ? [matrixSection(matrix, postgres?.matrix)] : []),
    ...(sqlite ? [sqliteSections(sqlite)] : []),
    ...threadPages(run),
    limits,
  ]
  return `${sections.join('\n\n')}\n`
}

function opening({ command, seed, cycles, postgres }: CrashRun): string {
  const versions = [
    `Node ${process.versions.node}`,
    `SQLite ${process.versions['sqlite']}`,
    ...(postgres ? [`PostgreSQL ${postgres.storms.version}`] : []),
  ]
  return `# Proof of durability

This page is written by \`npm run crash\`; do not edit it. It says what was done to Loom, and what the judge found.

The run: \`${command}\`, seed ${seed}, ${versions.join(', ')}, ${count(cycles)} kills on each journal
asked for.
The seed decides what the runs do and at which moments they are killed; the machine decides when exactly a signal arrives.`
}

function killSection(kills: readonly CampaignReport[]): string {
  const names = kills.map(({ journal }) => `\`${journal}\``)
  const rows = (of: readonly (readonly [string, (report: CampaignReport) => number])[]): readonly (readonly (string | number)[])[] =>
    of.map(([what, figure]) => [what, ...kills.map(figure)])
  const byPhase = rows([
    ...phases.map((phase) => [phase, (report: CampaignReport) => report.kills[phase]] as const),
    ['**all together**', (report) => report.cycles],
    ['of them inside an append', (report) => killsIn(report, 'append')],
    ['of them between an effect and its durable result', (report) => killsIn(report, 'effect')],
  ])
  const found = (Object.keys(findingKinds) as FindingKind[]).map(
    (kind) => [findingKinds[kind], (report: CampaignReport) => report.findings.filter((finding) => finding.kind === kind).length] as const,
  )
  const work = rows([
    ['trials: up to three threads that are started, killed, resumed and finished', (report) => report.trials],
    ['processes', (report) => report.processes],
    ['threads, children included', (report) => report.threads],
    ['events in the journals at the end', (report) => report.events],
    ['events that clients were notified of, each compared word for word', (report) => report.notified],
    ['effects in the external world', (report) => report.effects],
    ['calls and steps in doubt, each settled by what the external world says', (report) => report.doubts],
    ['questions answered, some by another process than the one that asked', (report) => report.questions],
    ['torn ends of files, cut and reported', (report) => report.torn],
    ['kills before the first append or after the end, which do not count', (report) => report.stray],
  ])
  return `## Kills

A process drives Loom agents on a journal; the replies of its model follow from the prompt, and its tools have effects in a third process that
records them. Before and after every append, effect and request it reports what it is doing, and it writes every event that Loom emits to a client
to a pipe. Another process kills it with SIGKILL, and starts the next one, which resumes or recovers, and is killed again. A kill counts between
the first append and the end of the run; the last report says where it struck. What is left is compared with an uninterrupted run of the same plan.

${table(['where the kill struck', ...names], byPhase)}

What the judge found:

${table(['violation', ...names], rows(found))}

What it looked at:

${table(['', ...names], work)}`
}

/** What was wrong after a storm, as the columns have it; the last takes everything else. */
function wrongAfter({ findings }: StormReport): readonly number[] {
  const of = (...wanted: readonly FindingKind[]): number => findings.filter(({ kind }) => wanted.includes(kind)).length
  const [lost, duplicate, missing] = [of('lost', 'changed'), of('duplicate'), of('missing')]
  return [lost, duplicate, missing, findings.length - lost - duplicate - missing]
}

function stormSection(reports: readonly StormReport[]): string {
  const rows = reports.map((report) => [storms[report.storm], report.struck, report.threads, report.notified, report.effects, ...wrongAfter(report)])
  const head = ['fault of `postgres`', 'times', 'threads', 'notified events', 'effects', 'lost or changed', 'repeated', 'missing', 'other violations']
  return `## A server that dies, and a network that fails

The same runs on \`postgres\`, three processes at once. They are not killed: the server dies in the middle of their work and is started again on
the same data, or a proxy between them and the server that loses replies and holds back bytes for longer than a connection may be silent. Where two
processes start at once, neither finds tables. The same judge judges what is left.

${table(head, rows)}`
}

function matrixSection({ scenarios, crashPoints, crashes, asked, violations }: MatrixReport, onPostgres: MatrixReport | undefined): string {
  const memory = `In one process, with time and crashes under control, ${count(scenarios)} scenarios crashed at every one of their ${count(crashPoints)} crash points, before and
after appends and effects, and some of them again while they recovered: ${count(crashes)} trials, all of them with the uninterrupted transcript
(${count(asked)} after a human had answered for a call in doubt),
${count(violations.length)} violations.`
  if (!onPostgres) return `## Crash matrix\n\n${memory}`
  return `## Crash matrix

${memory}

On \`postgres\` ${count(onPostgres.scenarios)} of these scenarios crashed at the crash points that the next process can distinguish: ${count(onPostgres.crashes)} trials
(${count(onPostgres.asked)} with an answer for a call in doubt), ${count(onPostgres.violations.length)} violations.`
}

const flushHead = [
  'build',
  'system calls',
  'commits',
  'syncs',
  'acknowledged without a sync',
  'power failures',
  'batches looked for',
  'failures with a loss',
]

function sqliteSections({ flush, controls, zombies, race, nested }: SqliteRun): string {
  const { relaxed, withoutSync } = controls
  const processes = nested.reduce((sum, tree) => sum + tree.processes, 0)
  const findings = nested.flatMap((tree) => tree.findings)
  const builds = [
    ['as it is', flush],
    ['`relaxed` (a declared window)', relaxed],
    ['with `synchronous = off`', withoutSync],
  ] as const
  const figures = builds.map(([build, report]) => {
    const { operations, commits, syncs, unsynced, schedules, checked, broken } = report
    return [build, operations, commits, syncs, unsynced, schedules, checked, broken]
  })
  return `## Flushing, apart from kills

A kill takes nothing from the page cache, so it proves nothing about flushing. A program that appends to \`sqlite\` was therefore traced, system
call by system call. From the trace the files were rebuilt as a power failure could have left them: at every kind of moment, with all writes
that no sync had followed lost, torn, or scattered by sectors of 512 bytes, and names without a synced folder gone. Then the journal was
opened, and everything acknowledged before that moment looked for. The WAL was moved into the database meanwhile (${count(flush.moved)} writes). The
other two builds are planted faults.

${table(flushHead, figures)}

## A driver that freezes

A process is stopped by SIGSTOP in the middle of a call, its lease expires, another process takes the thread and finishes it, and then the first
continues.

${table(['where it froze', 'requests', 'keys', 'events it appended afterwards', ''], zombies.map(zombieRow))}

## One winner

${count(race.claimants)} claimants in two processes, ${count(race.rounds)} rounds, each for one thread whose call waits for an approval: the call
was performed once a round (${race.wins.map(count).join(' and ')} times by the two processes), ${count(race.findings.length)} violations.

## Questions inside children

Three durable tools side by side, each ${nested[0]?.depth ?? 0} agents below the root, each asking twice; six answers in any order, each given by a
new process, every process killed: ${count(nested.length)} trees, ${count(processes)} processes, ${count(findings.length)} violations.`
}

function zombieRow(zombie: ZombieCase): readonly (string | number)[] {
  const { call, at, requests, keys, appended } = zombie
  const where = { before: 'before its effect', after: 'after its effect', append: 'with its result on the way to the journal' }[at]
  const note = isOpenWindow(zombie) ? 'the window that only a key closes' : requests > 1 ? 'the key makes it one effect' : ''
  return [`${call} call, ${where}`, requests, call === 'idempotent' ? keys : '-', appended, note]
}

const limits = `## What this proves, and what it does not

- Every event that a client was notified of survived every kill, with the same content: nothing is emitted before it is durable.
- No effect of a call that may not be repeated happened twice, none is missing, and no effect came before its intent was in the journal.
- Every run came to the transcript that its input asks for, whichever processes had driven it.
- The flushing of \`sqlite\` does not depend on the machine staying up, as far as the disk keeps what it says it has synced. \`file\` is put to the
  same test on a simulated disk, in the tests of its package.
- What \`postgres\` acknowledges its server has committed: the death of the server, of its connections and of replies lost nothing and repeated no effect.
  Whether a power failure of the server's machine takes something, its disk and its setting \`fsync\` decide; the journal reports when that is off.
- These are tests, not a proof by logic: other moments, other loads and other disks were not tried. A disk that lies about syncs loses data under
  any journal.
- A key is as good as the service that honours it: an unsafe call that is frozen after its intent, and completes after a human has answered that
  it did not happen, happens twice.

Run it again with \`npm run crash\`; \`npm run crash -- --quick\` does each thing a few times, without the server, and writes nothing.`
