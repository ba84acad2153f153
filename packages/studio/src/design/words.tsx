/** Words in two languages. Each folder has its own: English and Chinese side by side, of one type, so that none can be missing. */
import { createContext, type ReactNode, useContext, useState } from 'react'

/** The languages. */
export const languages = ['en', 'zh'] as const

/** A language. */
export type Language = (typeof languages)[number]

/** Words in each language. */
export interface Words<T> {
  readonly en: T
  readonly zh: T
}

/** Words of one folder; the Chinese ones must be the same as the English ones, word for word and function for function. */
export const words = <T,>(given: { readonly en: T; readonly zh: NoInfer<T> }): Words<T> => given

interface Spoken {
  readonly language: Language
  speak(language: Language): void
}

const Speaking = createContext<Spoken>({ language: 'en', speak: () => {} })
const kept = 'loom-language'

/** The language that was chosen, or that the browser prefers. */
export function languageOf(stored: string | null, preferred: readonly string[]): Language {
  const chosen = languages.find((language) => language === stored)
  if (chosen) return chosen
  const first = preferred
    .map((name) => languages.find((language) => name.toLowerCase().startsWith(language)))
    .find((language) => language !== undefined)
  return first ?? 'en'
}

/** Gives the language to everything inside, and keeps a choice. */
export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState(() => languageOf(localStorage.getItem(kept), navigator.languages))
  document.documentElement.lang = language
  const speak = (next: Language): void => {
    localStorage.setItem(kept, next)
    setLanguage(next)
  }
  return <Speaking value={{ language, speak }}>{children}</Speaking>
}

/** The language, and how to change it. */
export const useLanguage = (): Spoken => useContext(Speaking)

/** The words of a folder in the language of the page. */
export const useWords = <T,>(of: Words<T>): T => of[useContext(Speaking).language]
