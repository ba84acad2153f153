/** Detectors of personal data. Where a kind of number has a check digit it counts: most other numbers of that length fail it. */
import { bank, card, chineseId } from './checked-numbers.ts'
import type { Detector, FoundItem } from './detector.ts'

/** The first match of a pattern from an index on that is an item. */
function firstMatch(pattern: RegExp, [text, from]: readonly [string, number], isItem = (_match: string): boolean => true): FoundItem | undefined {
  pattern.lastIndex = from
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    if (isItem(match[0])) return { start: match.index, end: match.index + match[0].length }
    pattern.lastIndex = match.index + 1
  }
  return undefined
}

const emailPattern =
  /(?<![A-Za-z0-9._%+-])[A-Za-z0-9_%+-](?:[A-Za-z0-9._%+-]{0,62}[A-Za-z0-9_%+-])?@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,8}[A-Za-z]{2,24}(?![A-Za-z0-9-])/g

/** Addresses of mail. */
export const email: Detector = {
  name: 'email',
  find: (text, from) => (text.includes('@', from) ? firstMatch(emailPattern, [text, from]) : undefined),
  mayHave: (character) => /[A-Za-z0-9._%+@-]/.test(character),
  longest: 640,
}

const phonePattern =
  /(?<![\d+])(?:\+\d(?:[ ().-]{0,2}\d){6,14}|1[3-9]\d{9}|1[3-9]\d[ -]\d{4}[ -]\d{4}|\(\d{3}\) ?\d{3}[-. ]\d{4}|\d{3}[-.]\d{3}[-.]\d{4})(?!\d)/g

/** Phone numbers: with a +, Chinese mobile numbers, and American ones with separators. */
export const phone: Detector = {
  name: 'phone',
  find: (text, from) => firstMatch(phonePattern, [text, from]),
  mayHave: (character) => /[\d ()+.-]/.test(character),
  longest: 48,
}

const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipPattern = new RegExp(
  `(?<![\\w.:])(?:${octet}(?:\\.${octet}){3}(?!\\w|\\.\\w)|[0-9A-Fa-f]{0,4}(?::[0-9A-Fa-f]{0,4}){2,7}(?![\\w:]|\\.\\w))`,
  'g',
)

/** Whether a text between colons is an address of version 6: eight groups, or fewer with one gap. */
function isAddress(text: string): boolean {
  const gaps = text.split('::').length - 1
  const groups = text.split(':').filter((group) => group !== '')
  const isEnded = /^(?:[^:]|::)/.test(text) && /(?:[^:]|::)$/.test(text) && !text.includes(':::')
  return isEnded && (gaps === 0 ? groups.length === 8 : gaps === 1 && groups.length >= 2 && groups.length <= 7)
}

/** Addresses of the internet, of both versions. A full stop behind one that ends a sentence is no part of it. */
export const ip: Detector = {
  name: 'ip',
  find: (text, from) => firstMatch(ipPattern, [text, from], (match) => match.includes('.') || isAddress(match)),
  mayHave: (character) => /[0-9A-Fa-f.:]/.test(character),
  longest: 48,
}

/** Detectors of cards, bank accounts, Chinese ids, mail, addresses of the internet, and phones. */
export const allDetectors: readonly Detector[] = [chineseId, card, bank, email, ip, phone]
