/** The page that a long run writes: what was done, the figures, what they prove and what they do not. */
import { type CampaignReport, killsIn, phases, type StormReport, storms, type Verdict, verdicts } from '../../packages/testing/src/kill/index.ts'
import { type CrashRun, isOpenWindow, type SharedJournalRun, type ZombieCase } from './crash-run.ts'
import type { MatrixReport } from './matrix.ts'

const count = (value: number): string => value.toLocaleString('en')

/** A table of Markdown: a head, then rows. */
function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => (typeof cell === 'number' ? count(cell) : cell)).join(' | ')} |`
  return [line(head), line(head.map((_, index) => (index === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n')
}

/** The page. */
export function proofPage(run: CrashRun): string {
  const { kills, matrix, shared, server } = run
  const sections = [
    opening(run),
    killSection(kills),
    ...(server ? [stormSection(server.storms.storms)] : []),
    matrixSection(matrix, server?.matrix),
    ...(shared ? [sharedSections(shared)] : []),
    limits,
  ]
  return `${sections.join('\n\n')}\n`
}

function opening({ command, seed, cycles, server }: CrashRun): string {
  const versions = [
    `Node ${process.versions.node}`,
    `SQLite ${process.versions['sqlite']}`,
    ...(server ? [`PostgreSQL ${server.storms.version}`] : []),
  ]
  return `# Proof of durability

This page is written by \`npm run crash\`; nobody edits it. It says what was done to Loom, and what came of it.

The run: \`${command}\`, seed ${seed}, ${versions.join(', ')}, ${count(cycles)} kills on each journal
asked for.
The seed decides what the runs do and at which moments they are aimed at; when exactly a signal arrives, the machine decides.`
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
  const found = (Object.keys(verdicts) as Verdict[]).map(
    (verdict) => [verdicts[verdict], (report: CampaignReport) => report.findings.filter((finding) => finding.verdict === verdict).length] as const,
  )
  const work = rows([
    ['lives: up to three threads that are begun, killed, gone on with and finished', (report) => report.lives],
    ['processes', (report) => report.processes],
    ['threads, children included', (report) => report.threads],
    ['events in the journals at the end', (report) => report.events],
    ['events that clients were told of, each compared word for word', (report) => report.told],
    ['effects asked for outside', (report) => report.deeds],
    ['calls and steps in doubt, each settled by what the outside says', (report) => report.doubts],
    ['questions answered, some by another process than the one that asked', (report) => report.questions],
    ['torn ends of files, cut and reported', (report) => report.torn],
    ['kills before the first append or after the end, which do not count', (report) => report.stray],
  ])
  return `## Kills

A process drives Loom agents on a journal; its model is decided by the prompt, its tools have effects in a third process that counts them. Before
and after everything that matters it announces where it is, and it writes every event that Loom tells a client to a pipe. Another process kills it
with SIGKILL, and starts the next one, which resumes or recovers, and is killed again. A kill counts between the first append and the end of the
run; the last announcement says where it struck.

${table(['where the kill struck', ...names], byPhase)}

What was found wrong in the end:

${table(['violation', ...names], rows(found))}

What that was found in:

${table(['', ...names], work)}`
}

/** What was wrong after a storm, as the columns have it; the last takes everything else. */
function wrongAfter({ findings }: StormReport): readonly number[] {
  const of = (...wanted: readonly Verdict[]): number => findings.filter(({ verdict }) => wanted.includes(verdict)).length
  const [lost, doubled, forgotten] = [of('lost', 'changed'), of('doubled'), of('forgotten')]
  return [lost, doubled, forgotten, findings.length - lost - doubled - forgotten]
}

function stormSection(reports: readonly StormReport[]): string {
  const rows = reports.map((report) => [storms[report.storm], report.struck, report.threads, report.told, report.deeds, ...wrongAfter(report)])
  const head = [
    'what befell `postgres`',
    'times',
    'threads',
    'told events',
    'effects outside',
    'lost or changed',
    'doubled',
    'forgotten',
    'other violations',
  ]
  return `## A server that dies, and a network that fails

The same runs on \`postgres\`, three processes at once. Nobody kills them: it is the server that dies in the middle of their work and is started again on
the same data, or a proxy between them and the server that loses replies and holds back bytes for longer than a connection may be silent. Where two
processes start at once, neither finds tables. The same judge looks at what is left.

${table(head, rows)}`
}

function matrixSection({ scenarios, boundaries, crashes, asked, violations }: MatrixReport, onServer: MatrixReport | undefined): string {
  const memory = `In one process, with time and crashes under control, ${count(scenarios)} scenarios died at every one of their ${count(boundaries)} boundaries of
appends and effects, and some of them again while they recovered: ${count(crashes)} lives, all of them with the undisturbed transcript
(${count(asked)} once somebody had answered for a call in doubt),
${count(violations.length)} violations.`
  if (!onServer) return `## Crash matrix\n\n${memory}`
  return `## Crash matrix

${memory}

On \`postgres\` ${count(onServer.scenarios)} of these scenarios died at those boundaries that whoever comes after can tell apart: ${count(onServer.crashes)} lives
(${count(onServer.asked)} with an answer for a call in doubt), ${count(onServer.violations.length)} violations.`
}

const flushHead = ['build', 'system calls', 'commits', 'syncs', 'told without a sync', 'power failures', 'batches looked for', 'failures with a loss']

function sharedSections({ flush, controls, zombies, race, nested }: SharedJournalRun): string {
  const { relaxed, withoutSync } = controls
  const processes = nested.reduce((sum, tree) => sum + tree.processes, 0)
  const problems = nested.flatMap((tree) => tree.problems)
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
call by system call. From the trace the files were built again as a power failure could have left them: at every kind of moment, with all writes
that no sync had followed forgotten, torn, or scattered by sectors of 512 bytes, and names without a synced folder gone. Then the journal was
opened, and everything acknowledged before that moment looked for. The WAL was moved into the database meanwhile (${count(flush.moved)} writes). The
other two builds are there to be found out.

${table(flushHead, figures)}

## A driver that stands still

A process is stopped by SIGSTOP in the middle of a call, its lease runs out, another process takes the thread and finishes it, and then the first
goes on.

${table(['where it stood', 'requests outside', 'keys', 'events it appended afterwards', ''], zombies.map(zombieRow))}

## One winner

${count(race.claimants)} claimants in two processes, ${count(race.rounds)} rounds, each for one thread whose call waits for an approval: the call
was made once a round (${race.wins.map(count).join(' and ')} times by the two processes), ${count(race.problems.length)} violations.

## Questions inside children

Three durable tools side by side, each ${nested[0]?.depth ?? 0} agents below the root, each asking twice; six answers in any order, each given by a
new process, every process killed: ${count(nested.length)} trees, ${count(processes)} processes, ${count(problems.length)} violations.`
}

function zombieRow(zombie: ZombieCase): readonly (string | number)[] {
  const { tool, at, requests, keys, appended } = zombie
  const kind = tool === 'send' ? 'unsafe' : tool === 'put' ? 'idempotent' : 'reconcilable'
  const where = { before: 'before its effect', after: 'after its effect', append: 'with its result on the way to the journal' }[at]
  const note = isOpenWindow(zombie) ? 'the window that only a key closes' : requests > 1 ? 'the key makes it one effect' : ''
  return [`${kind} call, ${where}`, requests, tool === 'put' ? keys : '-', appended, note]
}

const limits = `## What this proves, and what it does not

- Every event that a client was told of survived every kill, with the same content: nothing is told before it is durable.
- No effect of a call that may not be repeated happened twice, none was forgotten, and no effect came before its intent was in the journal.
- Every run came to the transcript that its input asks for, whichever processes had driven it.
- The flushing of \`sqlite\` does not depend on the machine staying up, as far as the disk keeps what it says it has synced. \`file\` is put to the
  same test on a simulated disk, in the tests of its package.
- What \`postgres\` acknowledges its server has committed: the death of the server, of its connections and of replies took nothing and doubled nothing.
  Whether a power failure of the server's machine takes something, its disk and its setting \`fsync\` decide; the journal reports when that is off.
- These are tests, not a proof by logic: other moments, other loads and other disks were not tried. A disk that lies about syncs loses data under
  any journal.
- A key is as good as whoever honours it: an unsafe call that is frozen after its intent, and completes after another process was told that it had
  not happened, happens twice.

Run it again with \`npm run crash\`; \`npm run crash -- --quick\` takes less than a minute and writes nothing.`
