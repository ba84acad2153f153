/** Summaries without understanding: the sentences whose words come up most, in their order, word for word. */

const stops = new Set('the a an and or of to in on at is are was were be it this that for with as by from not no so but its has have had'.split(' '))

/** The sentences of a text that say most of it. */
export function summarise(text: string, most = 5): string {
  const sentences = sentencesOf(text)
  if (sentences.length <= 2) return sentences.join(' ')
  const counts = new Map<string, number>()
  for (const sentence of sentences) for (const word of new Set(wordsOf(sentence))) counts.set(word, (counts.get(word) ?? 0) + 1)
  const scored = sentences.map((sentence, index) => {
    const words = wordsOf(sentence)
    const weight = words.reduce((sum, word) => sum + (counts.get(word) ?? 0) - 1, 0)
    return { sentence, index, score: words.length === 0 ? 0 : weight / Math.sqrt(words.length) }
  })
  const kept = Math.min(most, Math.max(2, Math.ceil(sentences.length * 0.3)))
  const chosen = [...scored].sort((a, b) => b.score - a.score || a.index - b.index).slice(0, kept)
  const ordered = chosen.sort((a, b) => a.index - b.index).map(({ sentence }) => sentence)
  return ordered.join(/\p{Script=Han}/u.test(text) ? '' : ' ')
}

/** Headings, list marks and code are not sentences; a line without a full stop is one. */
function sentencesOf(text: string): readonly string[] {
  const prose = text.replace(/```[\s\S]*?```/g, '')
  return prose
    .split(/\n+/)
    .filter((line) => !/^\s*(?:#|[-=*_|\s]+$)/.test(line))
    .flatMap((line) => line.replace(/^\s*(?:[-*+>]|\d+[.)])\s+/, '').split(/(?<=[.!?])\s+(?=\S)|(?<=[。！？])/u))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.length > 1)
}

/** Words, and for Chinese pairs of characters. */
function wordsOf(sentence: string): readonly string[] {
  const words = (sentence.toLowerCase().match(/[\p{Script=Latin}\d]+/gu) ?? []).filter((word) => word.length > 2 && !stops.has(word))
  const pairs = (sentence.match(/\p{Script=Han}+/gu) ?? []).flatMap((run) => Array.from({ length: run.length - 1 }, (_, at) => run.slice(at, at + 2)))
  return [...words, ...pairs]
}
