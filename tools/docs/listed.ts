/** What users can use is on a page: packages, entries, commands, exports of the umbrella, options. */
import type { Declaration } from '../api/declarations.ts'
import type { Page } from '../architecture/sources.ts'
import { spansOf, wordsIn } from './spans.ts'

/** What must be found on pages. */
export interface Offered {
  readonly entries: ReadonlySet<string>
  /** The folders below `packages/`. */
  readonly packages: readonly string[]
  readonly scripts: ReadonlySet<string>
  /** What each entry exports. */
  readonly exports: ReadonlyMap<string, ReadonlyMap<string, Declaration>>
}

/** Entries whose options no page lists: for the packages of the workspace, the testing kit with its own guide, and the types of the AI SDK. */
const withoutOptionPages = new Set([
  '@loom-agent/agent/kit',
  '@loom-agent/tools/net',
  '@loom-agent/agent/language-model',
  '@loom-agent/testing',
  '@loom-agent/testing/crash',
])

/** Where every package has its line, and how that begins. */
const packageLines: Readonly<Record<string, (name: string) => string>> = {
  'ARCHITECTURE.md': (name) => `\n| \`${name}\` `,
  'AGENTS.md': (name) => `\n- \`packages/${name}\`:`,
}

const packageProblems = (page: Page, packages: readonly string[]): readonly string[] =>
  packages
    .filter((name) => packageLines[page.file] && !page.text.includes(packageLines[page.file]?.(name) ?? ''))
    .map((name) => `${page.file} has no line for packages/${name}`)

const isOptions = (name: string): boolean => /(?:Options|Definition|Behaviour|Limits|Settings|Schedule)$/.test(name)

/** Options of an entry that no page below `docs/` names. */
function optionProblems(entry: string, names: ReadonlyMap<string, Declaration>, words: ReadonlySet<string>): readonly string[] {
  if (withoutOptionPages.has(entry)) return []
  return [...names].flatMap(([name, { members }]) =>
    isOptions(name)
      ? members.filter((member) => !words.has(member.name)).map((member) => `docs/ names no option ${member.name} of ${name} (${entry})`)
      : [],
  )
}

/** What is offered and on no page. */
export function checkListed(pages: readonly Page[], offered: Offered): readonly string[] {
  const below = (folder: string): readonly Page[] => pages.filter(({ file }) => file.startsWith(folder))
  const spans = new Set(pages.flatMap(spansOf))
  const everywhere = pages.map(({ text }) => text).join('\n')
  const reference = wordsIn(below('docs/reference/'))
  const docs = wordsIn(below('docs/'))
  const umbrella = [...(offered.exports.get('loom-agent')?.keys() ?? [])]
  return [
    ...pages.flatMap((page) => packageProblems(page, offered.packages)),
    ...[...offered.entries]
      .filter((name) => !spans.has(name) && !everywhere.includes(`'${name}'`))
      .map((name) => `no page names the package or entry ${name}`),
    ...[...offered.scripts]
      .filter((name) => !new RegExp(`npm (run )?${name}(?![a-z:])`).test(everywhere))
      .map((name) => `no page names npm run ${name}`),
    ...umbrella.filter((name) => !reference.has(name)).map((name) => `docs/reference does not name ${name}, which loom-agent exports`),
    ...[...offered.exports].flatMap(([entry, names]) => optionProblems(entry, names, docs)),
  ]
}
