/** What pages say in code: the words between backticks, outside of programs. */
import type { Page } from '../architecture/sources.ts'

/** The text of a page without its programs and drawings. */
export const proseOf = ({ text }: Page): string => text.replace(/^(`{3,}|~{3,}).*?^\1$/gms, '')

/** The pieces of code in the prose of a page. */
export const spansOf = (page: Page): readonly string[] => [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span)

/** The words of a text that could be names in a program. */
export const wordsOf = (text: string): readonly string[] => text.match(/[A-Za-z_$][\w$]*/g) ?? []

/** All words that pages say in code. */
export const wordsIn = (pages: readonly Page[]): ReadonlySet<string> => new Set(pages.flatMap((page) => spansOf(page).flatMap(wordsOf)))
