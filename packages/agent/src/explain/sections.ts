/** Where in a summary something is: the section, and the line, that share its words. */
import { sectionNames } from '../context/sections.ts'

const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}]/gu, '')
/** The sections that Loom's compression writes, however they are written; other headings count too. */
const known: ReadonlyMap<string, string> = new Map(sectionNames.map((name) => [bare(name), name]))

/** Characters of a text whose words are compared, at most. */
const compared = 2000

/** A summary whose lines can be found by words. */
export interface SummaryIndex {
  /** The section and the line that share most words with a text; nothing when none does. */
  find(text: string): { readonly section?: string; readonly line?: string }
}

interface Line {
  readonly section: string | undefined
  readonly text: string
}

/** The name of the section that a line starts; undefined when it starts none. */
function headingOf(line: string): string | undefined {
  const name = known.get(bare(line))
  if (name !== undefined) return name
  const heading = /^#{1,6}(?=\s)/.test(line) ? line.replace(/^#+/, '').trim() : ''
  return heading === '' ? undefined : heading
}

function linesOf(summary: string): readonly Line[] {
  let section: string | undefined
  return summary.split('\n').flatMap((text): readonly Line[] => {
    const heading = headingOf(text)
    section = heading ?? section
    return heading !== undefined || text.trim() === '' ? [] : [{ section, text: text.trim() }]
  })
}

/** The words of a text, each once. Scripts that write no spaces are read by pairs of characters. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>()
  for (const [word] of text.toLowerCase().matchAll(/[\p{L}\p{N}]+/gu)) {
    if (!/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) words.add(word)
    else for (let at = 0; at < word.length - 1; at += 1) words.add(word.slice(at, at + 2))
  }
  return words
}

/** Reads a summary once. A word counts the less, the more lines have it. */
export function indexSummary(summary: string): SummaryIndex {
  const lines = linesOf(summary)
  const linesWith = new Map<string, number[]>()
  lines.forEach(({ text }, line) => {
    for (const word of wordsOf(text)) {
      const having = linesWith.get(word)
      if (having) having.push(line)
      else linesWith.set(word, [line])
    }
  })
  return {
    find(text) {
      const scores = new Map<number, number>()
      for (const word of wordsOf(text.slice(0, compared))) {
        const having = linesWith.get(word) ?? []
        for (const line of having) scores.set(line, (scores.get(line) ?? 0) + (word.length > 3 ? 1 : 0.2) / having.length)
      }
      const [best] = [...scores].sort(([first, score], [second, other]) => other - score || first - second)
      const line = best && lines[best[0]]
      return line ? { line: line.text, ...(line.section !== undefined && { section: line.section }) } : {}
    },
  }
}

/** The first of some lines that shares a longer word with a text. */
export function sharing(lines: readonly string[], text: string): string | undefined {
  const words = wordsOf(text.slice(0, compared))
  return lines.find((line) => [...wordsOf(line)].some((word) => word.length > 3 && words.has(word)))
}
