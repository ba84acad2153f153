/** What pages name exists: packages, entries, commands, files, and every name in code. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '../architecture/sources.ts'
import { root } from '../workspace.ts'
import { spansOf, wordsOf } from './spans.ts'

/** What the repository has, for pages to name. */
export interface Existing {
  /** Entries of packages, as they are imported. */
  readonly entries: ReadonlySet<string>
  readonly scripts: ReadonlySet<string>
  /** Every word of the programs and manifests. */
  readonly words: ReadonlySet<string>
}

/** Words in code that are no names of the repository: patterns of names, and files that are not kept. */
const otherWords = new Set(['tsbuildinfo', 'verbed', 'oxlintrc', 'PROVIDER', '_BASE_URL'])

/** Pages that name what others have, or once had: their words and paths are not looked up. */
const foreignPages = new Set(['docs/compat.md', 'CHANGELOG.md', 'test/golden-databases/make-fixtures.md'])

const path = /^(?:\.ci|\.github|api|bench|docs|examples|packages|test|tools)\/[\w./-]*[\w/]$/

function* problemsOf(page: Page, existing: Existing): Generator<string> {
  for (const [name] of page.text.matchAll(/(?<![\w./-])(?:@loom-agent\/[a-z]+|loom-agent)(?:\/[a-z]+)*(?![\w<-])/g)) {
    if (!existing.entries.has(name)) yield `the package or entry ${name}`
  }
  for (const [, script, short] of page.text.matchAll(/\bnpm (?:run (?:--silent )?([a-z:]+)|(test|start)\b)/g)) {
    const name = script ?? short ?? ''
    if (!existing.scripts.has(name)) yield `the command npm run ${name}`
  }
  for (const span of spansOf(page)) {
    if (foreignPages.has(page.file)) continue
    if (path.test(span) && !existsSync(join(root, span))) yield `the path ${span}`
    for (const word of wordsOf(span)) if (!existing.words.has(word) && !otherWords.has(word)) yield `${word} (in \`${span}\`)`
  }
}

/** Names in pages that do not exist. */
export const checkNamed = (pages: readonly Page[], existing: Existing): readonly string[] =>
  pages.flatMap((page) => [...new Set(problemsOf(page, existing))].map((what) => `${page.file} names ${what}, which does not exist`))
