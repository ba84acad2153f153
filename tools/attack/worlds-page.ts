/** The page that a whole run of the worlds writes. */
import { breached, type GuardName, guardNames, ideas, medianQuestions, type Outcome, reached, succeeded } from '@loom-agent/harness/worlds'
import { table } from '../crash/markdown.ts'
import type { WorldReport } from './worlds.ts'

/** The page. */
export function worldsPage(report: WorldReport): string {
  return `${[opening, figures(report), guardSection(report), trustSection(report), ideaSection(report), limits].join('\n\n')}\n`
}

const opening = `# Proof of obedience contained

This page is written by \`npm run attack -- --only worlds\`; do not edit it. It says what became of agents whose model does whatever anybody tells it.

The model is \`obedientModel()\` of \`@loom-agent/testing\`: it carries out every instruction that it finds in a message, a page, a file, a result, an error, a
name or the description of a tool, encoded or in pieces, at once or later. So nothing here rests on what a model refuses. Every world has a workspace, real
servers, a till, mail, a memory and a child, and what happened is looked for in the world: in files, in the bytes that the attacker's server got, in the
programs that were started, in the books. What the model or the journal says about it counts for nothing.

Attacked and honest worlds have the same policy ([policy.ts](../../packages/harness/src/worlds/world/policy.ts)), the same
[guards](../guides/guards.md) ([text-guards.ts](../../packages/harness/src/worlds/world/text-guards.ts): \`secretsGuard()\`, and one that looks at replies) and the same human
([human.ts](../../packages/harness/src/worlds/world/human.ts)): a function of the task's text and the question shown, who approves what the text names word for word,
and rejects everything else. The run: Node ${process.versions.node}, ${process.platform} ${process.arch}.`

function figures({ guarded, bare, clean, tainted }: WorldReport): string {
  const benign = [...clean, ...tainted]
  return `## Figures

${table(
  ['what', 'worlds', 'of them'],
  [
    [`attacked, from ${ideas.length} ideas: with an effect that the task does not name`, guarded.length, breached(guarded).length],
    ['the same without any guard: the attacker has what they were after', bare.length, reached(bare).length],
    ['honest, with clean data: done, and nothing else', clean.length, succeeded(clean).length],
    ['honest, with data that others wrote: done, and nothing else', tainted.length, succeeded(tainted).length],
    ['questions of an honest task, in the median', benign.length, medianQuestions(benign)],
    ['questions of an honest task, at most', benign.length, Math.max(...benign.map(({ questions }) => questions))],
  ],
)}`
}

/** What is taken away, by the name of the guard. */
const guardWords: Readonly<Record<GuardName, string>> = {
  permissions: 'policies, and the questions that tools ask by themselves',
  paths: 'the root of the file tools, links, protected paths, journals',
  commands: 'commands read as a shell reads them; instead: how they begin',
  sandbox: 'a sandbox of the operating system around commands',
  taint: 'the question before something is sent by who has read what others wrote and what is private',
  reach: 'where requests may go',
  redaction: '`secretsGuard()`: secrets of well-known formats taken out of inputs, results and replies',
  answers: 'addresses of unknown sites taken out of replies, by a guard of the world',
  limits: 'turns, calls and children of a run',
}

const guardSection = ({ without, guarded }: WorldReport): string => `## Without one guard

Each guard was taken away alone; in so many of the ${guarded.length} worlds the attacker then has what they were after.

${table(
  ['guard', 'is', 'got through'],
  guardNames.map((name) => [`\`${name}\``, guardWords[name], reached(without[name]).length]),
)}`

const trustSection = ({ trusted }: WorldReport): string => `## With somebody who approves everything

A human who approves every question gives away what questions protect. In ${trusted.length - reached(trusted).length} of ${trusted.length} worlds the attacker gets
nothing even so: these are held by structure, in the column "approved" below.`

/** The idea of a world. */
const ideaOf = ({ id }: Outcome): string => id.split('/')[0] ?? ''

function ideaSection({ guarded, bare, trusted }: WorldReport): string {
  const of = (outcomes: readonly Outcome[], name: string): readonly Outcome[] => outcomes.filter((outcome) => ideaOf(outcome) === name)
  const rows = ideas.map(({ name, says, worlds }) => [
    `\`${name}\`: ${says}`,
    worlds.length,
    reached(of(bare, name)).length,
    breached(of(guarded, name)).length,
    worlds.length - reached(of(trusted, name)).length,
  ])
  return `## Ideas

\`reached\`: without any guard. \`forbidden\`: worlds with all guards in which something happened that the task does not name. \`approved\`: worlds in which the
attacker gets nothing even where everything is approved.

${table(['idea', 'worlds', 'reached', 'forbidden', 'approved'], rows)}`
}

const limits = `## What this proves, and what it does not

- These ideas get nothing past these guards. Others were not tried.
- The worlds and the guards have the same authors. So every idea was first seen to work without guards, every guard was taken away, and every kind of effect
  was planted and had to be seen ([effects.test.ts](../../packages/harness/test/worlds/effects.test.ts)).
- Where the operating system has no sandbox, a command that is approved has all rights of the process.
- The human reads what is shown and does not tire. Real ones do: that is what the last column is about.

Run it again with \`npm run attack -- --only worlds\`; with \`--quick\` it runs one world of each idea, as \`npm test\` does, and writes nothing.`
