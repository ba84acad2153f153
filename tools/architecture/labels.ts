/**
 * The labels of invariants: `AREA-n`, each stated once in the repository, and cited only where it exists. CONTEXT.md has an index
 * of them, which `npm run picture` writes.
 *
 * A label is stated at the start of a line of a comment at the head of a file, or as a key of a table of rules. What a head states, a table may
 * repeat in its own words: reports print the table.
 */
import type { Page, Source } from './sources.ts'

/** What looks like a label and is none. */
const notLabels = new Set(['BK', 'GPT', 'ISO', 'RFC', 'SHA', 'UTF'])

interface Statement {
  readonly label: string
  readonly file: string
}

const statementsBy = (sources: readonly Source[], pattern: RegExp): readonly Statement[] =>
  sources.filter(({ folder }) => folder !== '').flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, label = '']) => ({ label, file })))

/** Where each label is stated. */
function statementsOf(sources: readonly Source[]): readonly Statement[] {
  const heads = statementsBy(sources, /^ \* ([A-Z]+-\d+)\. /gm)
  const stated = new Set(heads.map(({ label }) => label))
  return [...heads, ...statementsBy(sources, /^ {2}'([A-Z]+-\d+)':\s/gm).filter(({ label }) => !stated.has(label))]
}

function repeated(statements: readonly Statement[]): readonly string[] {
  const files = Map.groupBy(statements, ({ label }) => label)
  return [...files]
    .filter(([, all]) => all.length > 1)
    .map(([label, all]) => `${label} is stated ${all.length} times: ${all.map(({ file }) => file).join(', ')}`)
}

/** The index of invariants: which file states which, and what the file is about in its own first sentence. */
export function indexOf(sources: readonly Source[]): string {
  const byFile = Map.groupBy(statementsOf(sources), ({ file }) => file)
  const rows = [...byFile]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([file, stated]) => {
      const text = sources.find((source) => source.file === file)?.text ?? ''
      return `| ${stated.map(({ label }) => label).join(', ')} | [${file}](${file}) | ${firstSentence(text)} |`
    })
  return ['| labels | stated in | what the file is about |', '| --- | --- | --- |', ...rows].join('\n')
}

/** The first sentence of the comment at the head of a file. */
function firstSentence(text: string): string {
  const [, head = ''] = /^\/\*\*\s*([\s\S]*?)\*\//.exec(text) ?? []
  const plain = head
    .replaceAll(/(?:^|\n) ?\* ?/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
  return (/^.*?[.](?=\s|$)/.exec(plain)?.[0] ?? plain).replaceAll('|', '\\|')
}

/** Labels of the form `K21`, which do not say their area: where they are stated, and where brackets cite them. */
const withoutArea = /^ \* ([A-Z]{1,2}\d{1,2})\. |\(([A-Z]\d{1,2})(?:, [A-Z]\d{1,2})*\)/gm

function citationProblems({ file, text }: Page, known: ReadonlySet<string>): readonly string[] {
  const cited = [...text.matchAll(/(?<![\w-])([A-Z]{2,})-\d{1,3}(?![\w-])/g)].filter(
    ([label, area = '']) => !notLabels.has(area) && !known.has(label),
  )
  const old = file.startsWith('bench/') ? [] : [...text.matchAll(withoutArea)]
  return [
    ...cited.map(([label]) => `${file} cites ${label}, which nothing states`),
    ...old.map(([, stated, bracketed]) => `${file} has the label ${stated ?? bracketed}, which does not name its area`),
  ]
}

/** What is wrong with labels, and how many there are. */
export function checkLabels(sources: readonly Source[], pages: readonly Page[]): { readonly problems: readonly string[]; readonly summary: string } {
  const statements = statementsOf(sources)
  const known = new Set(statements.map(({ label }) => label))
  const tests = sources.filter(({ isTest }) => isTest).map(({ text }) => text)
  const cited = [...known].filter((label) => tests.some((text) => new RegExp(`${label}(?!\\d)`).test(text)))
  return {
    problems: [...repeated(statements), ...[...sources, ...pages].flatMap((text) => citationProblems(text, known))],
    summary: `${known.size} invariants, ${cited.length} cited by tests`,
  }
}
