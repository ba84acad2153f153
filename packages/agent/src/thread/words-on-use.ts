/** What `decide` asks about a run, and why it stops one, in words: loaded on use, because most runs end without either. */
type Words = typeof import('./in-words.ts')

let words: Words | undefined

/** Loads the words. */
export async function loadWords(): Promise<Words> {
  words ??= await import('./in-words.ts')
  return words
}

/** The words; undefined until they are loaded. */
export const loadedWords = (): Words | undefined => words
