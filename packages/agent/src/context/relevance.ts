/** Which sentences matter: those that share rare words with what the user asked for. */

/** Words that are too common to say what a text is about. */
const common = new Set(
  'the a an and or but if then else of to in on at by for with from into is are was were be been being it its this that these those as not no do does did you your we our i he she they them his her their have has had can could will would should may might must about what which who when where why how all any some more most other than so such only own same also just there here 的 了 是 在 和 我 你 他 它 这 那 有 不 就 也 都 要 会 吗 呢 吧 把 被 给 请'.split(
    ' ',
  ),
)

const wordOrCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{N}][\p{L}\p{N}_'-]*/gu

/** The words of a text that say something, in lower case. Of scripts without spaces each character counts. */
export function termsOf(text: string): readonly string[] {
  const terms: string[] = []
  for (const [word] of text.matchAll(wordOrCharacter)) {
    const term = stem(word.toLowerCase())
    if (!common.has(term)) terms.push(term)
  }
  return terms
}

/** Without the endings of plurals: "orders" and "order" are one term. */
function stem(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

/** How much the terms of some texts matter. */
export type Weights = ReadonlyMap<string, number>

/** Weights of the terms of what is asked for: a term that comes once weighs 1, and the earlier of several askings weigh less. */
export function weightsOf(asked: readonly string[]): Weights {
  const weights = new Map<string, number>()
  for (const [index, text] of asked.entries()) {
    const weight = 1 / (1 + (asked.length - 1 - index) / 4)
    for (const term of new Set(termsOf(text))) weights.set(term, Math.max(weights.get(term) ?? 0, weight))
  }
  return weights
}

/** How much a sentence matters: the weights of the terms that it shares, by the square root of its length. */
export function relevance(sentence: string, weights: Weights): number {
  const terms = new Set(termsOf(sentence))
  let sum = 0
  for (const term of terms) sum += weights.get(term) ?? 0
  return sum === 0 ? 0 : sum / Math.sqrt(Math.max(4, terms.size))
}

/** The longest sentence that is kept whole. */
const longest = 400

/** The sentences and lines of a text, without blank ones; a long one is cut. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/\n+|(?<=[.!?;])\s+|(?<=[。！？；])/u)
    .map((sentence) => sentence.replace(/\s+/gu, ' ').trim())
    .filter((sentence) => sentence.length > 1)
    .map((sentence) => (sentence.length > longest ? `${sentence.slice(0, longest).toWellFormed()} ...` : sentence))
}
