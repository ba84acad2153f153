/** An eval as people and as other tools read it. */
import { tableLines } from '../output/table.ts'
import { visibleLine } from '../output/visible.ts'
import { costWords, counted, tokenWords } from '../output/words.ts'
import type { Terminal } from '../platform/terminal.ts'
import type { CandidateReport, EvalReport, ReportedVerdict } from './eval-report.ts'

/** Cases that are listed below the table, at most. */
const mostListed = 20

const percent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** The table, and the cases that did not pass. */
export function evalLines(report: EvalReport, terminal: Pick<Terminal, 'columns' | 'hasColour'>): readonly string[] {
  const { candidates, verdicts, differing, missing } = report
  const scorers = [...new Set(candidates.flatMap(({ scores }) => Object.keys(scores)))]
  const table = tableLines<CandidateReport>(
    candidates,
    [
      { title: 'candidate', text: ({ candidate }) => candidate, isFlexible: true },
      { title: 'passed', text: ({ passed, judged }) => `${passed}/${judged}`, align: 'end' },
      { title: 'share', text: ({ passed, judged }) => percent(passed / Math.max(1, judged)), align: 'end' },
      ...scorers.map((name) => ({ title: name, text: ({ scores }: CandidateReport) => (scores[name] ?? 0).toFixed(3), align: 'end' as const })),
      { title: 'errors', text: ({ errors }) => String(errors), align: 'end' },
      { title: 'tokens', text: ({ tokens }) => tokenWords(tokens), align: 'end' },
      { title: 'cost', text: ({ cost }) => (cost === undefined ? 'unknown' : costWords(cost)), align: 'end' },
    ],
    terminal,
  )
  const failed = verdicts.filter(({ isPassed }) => !isPassed)
  const listed = failed.slice(0, mostListed).map((one) => `  ${visibleLine(`${one.candidate}/${one.case}`)}: ${visibleLine(reasonOf(one))}`)
  return [
    ...table,
    ...(failed.length > 0 ? ['', `${counted(failed.length, 'answer')} did not pass:`, ...listed] : []),
    ...(failed.length > mostListed ? [`  and ${failed.length - mostListed} more; --json lists all.`] : []),
    ...(candidates.length > 1 ? ['', differing.length === 0 ? 'The candidates pass the same cases.' : differingLine(differing)] : []),
    ...(missing > 0 ? ['', `${counted(missing, 'answer')} without a verdict.`] : []),
  ]
}

function differingLine(differing: readonly string[]): string {
  const named = differing.slice(0, mostListed).map(visibleLine).join(', ')
  return `The candidates differ on ${counted(differing.length, 'case')}: ${named}${differing.length > mostListed ? ', ...' : ''}`
}

/** Why an answer did not pass. */
export function reasonOf({ scores, status, text, unpaid }: ReportedVerdict): string {
  if (unpaid) return 'the budget of the eval was used up'
  const reasons = Object.entries(scores).flatMap(([name, { score, reason, error }]) =>
    error !== undefined ? [`${name} failed: ${error}`] : score < 1 ? [`${name} ${score}${reason === undefined ? '' : ` (${reason})`}`] : [],
  )
  return [...(status === 'done' || status === 'replayed' ? [] : [`${status}: ${text}`]), ...reasons].join('; ')
}

/** JUnit, as build servers read it: a suite for each candidate, a test for each case. */
export function junitOf(report: EvalReport, name: string): string {
  const suites = report.candidates.map((one) =>
    suiteOf(one, { name, verdicts: report.verdicts.filter(({ candidate }) => candidate === one.candidate) }),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escaped(name)}">\n${suites.join('')}</testsuites>\n`
}

function suiteOf(
  { candidate }: CandidateReport,
  { name, verdicts }: { readonly name: string; readonly verdicts: readonly ReportedVerdict[] },
): string {
  const isError = ({ unpaid, scores }: ReportedVerdict): boolean => unpaid === true || Object.values(scores).some(({ error }) => error !== undefined)
  const errors = verdicts.filter(isError).length
  const failures = verdicts.filter((one) => !one.isPassed && !isError(one)).length
  const cases = verdicts.map((one) => {
    const open = `    <testcase classname="${escaped(`${name}.${candidate}`)}" name="${escaped(one.case)}" time="0"`
    if (one.isPassed) return `${open}/>\n`
    const kind = isError(one) ? 'error' : 'failure'
    return `${open}>\n      <${kind} message="${escaped(reasonOf(one))}">${escaped(one.text)}</${kind}>\n    </testcase>\n`
  })
  const counts = `tests="${verdicts.length}" failures="${failures}" errors="${errors}" skipped="0"`
  return `  <testsuite name="${escaped(candidate)}" ${counts} time="0">\n${cases.join('')}  </testsuite>\n`
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** Text in XML: without characters that XML does not have. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll(/[&<>"\n\r\t]/g, (character) => entities[character] ?? character)
}
