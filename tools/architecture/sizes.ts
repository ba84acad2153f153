/** How long files may be, how they are named, and how they export. */
import type { Source } from './sources.ts'

const kernelBudget = 2250
const medianBudget = 120

function budgetOf(source: Source): number {
  if (source.isTest) return 500
  return source.package === 'kernel' ? 250 : 300
}

const isCode = (line: string): boolean => line.trim() !== '' && !/^\s*(\/\/|\/\*|\*)/.test(line)

function* fileProblems(source: Source): Generator<string> {
  const { file, lines, text } = source
  if (lines > budgetOf(source)) yield `${file} has ${lines} lines; ${budgetOf(source)} are allowed`
  if (/^export \*/m.test(text)) yield `${file} exports by *: name what is exported`
  if (/(^|\/)(utils?|helpers?|common|manager|base)\.ts$/.test(file)) yield `${file}: name the concept`
}

/** What is too long or badly named, and the figures. */
export function checkSizes(sources: readonly Source[]): { readonly problems: readonly string[]; readonly summary: string } {
  const published = sources.filter(({ folder }) => folder !== '')
  const kernel = published.filter((source) => source.package === 'kernel').flatMap(({ text }) => text.split('\n').filter(isCode)).length
  const median = published.map(({ lines }) => lines).sort((a, b) => a - b)[published.length >> 1] ?? 0
  const problems = sources.flatMap((source) => [...fileProblems(source)])
  if (kernel > kernelBudget) problems.push(`the kernel has ${kernel} lines of code; ${kernelBudget} are allowed`)
  if (median > medianBudget) problems.push(`the median file has ${median} lines; ${medianBudget} are allowed`)
  if (sources.length < 50) problems.push(`only ${sources.length} files were found: the check itself is broken`)
  return { problems, summary: `${sources.length} files, kernel ${kernel} lines of code, median file ${median} lines` }
}
