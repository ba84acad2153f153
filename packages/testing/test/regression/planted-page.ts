/** The page that lists which changes of an agent a recorded test sees. */
import type { Planted, Unseen } from './planted.ts'

type Group = readonly [title: string, changes: readonly Planted[]]

const table = (head: readonly [string, string], rows: readonly (readonly [string, string])[]): readonly string[] => [
  `| ${head.join(' | ')} |`,
  '| --- | --- |',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
]

/** The page as text. */
export function changesPage(groups: readonly Group[], unseen: readonly Unseen[]): string {
  const count = groups.reduce((sum, [, changes]) => sum + changes.length, 0)
  return [
    '# What a recorded test sees',
    '',
    `A [recorded run as a test](../guides/testing.md#a-recorded-run-as-a-test) runs an agent against what was recorded. A test plants ${count} changes of agents that such a test reports, each at its step and with both values, and ${unseen.length} that it cannot see, each for a reason. That test checks this page: \`npx vitest run packages/testing/test/regression/divergences.test.ts -u\` writes it.`,
    '',
    '## Reported',
    ...groups.flatMap(([title, changes]) => [
      '',
      `### ${title}`,
      '',
      ...table(
        ['change', 'reported at'],
        changes.map(({ what, step }) => [what, step]),
      ),
    ]),
    '',
    '## Not seen',
    '',
    ...table(
      ['change', 'why'],
      unseen.map(({ what, why }) => [what, why]),
    ),
    '',
  ].join('\n')
}
