/** Numbers that check themselves: cards (Luhn), bank accounts (mod 97), Chinese ids (mod 11, and a date). */
import type { Detector, FoundItem } from './detector.ts'

/** What an item is: characters that count, with one separator between two of them, and where one may begin. */
interface Scan {
  readonly beginning: RegExp
  readonly counts: RegExp
  readonly separator: RegExp
  readonly least: number
  readonly most: number
  readonly isItem: (characters: string) => boolean
}

/** The longest item that begins at an index. */
function scanAt(text: string, start: number, { counts, separator, least, most, isItem }: Scan): FoundItem | undefined {
  const ends: { readonly end: number; readonly characters: string }[] = []
  let characters = ''
  for (let at = start; at < text.length && characters.length < most; at += 1) {
    const character = text[at] ?? ''
    if (counts.test(character)) characters += character
    else if (!separator.test(character) || !counts.test(text[at + 1] ?? '')) break
    else continue
    if (characters.length >= least && !counts.test(text[at + 1] ?? '')) ends.push({ end: at + 1, characters })
  }
  const found = ends.findLast((one) => isItem(one.characters))
  return found && { start, end: found.end }
}

/** The first item from an index on, at one of the places where a pattern says that one may begin. */
function scanFrom(text: string, from: number, scan: Scan): FoundItem | undefined {
  const { beginning } = scan
  beginning.lastIndex = from
  for (let match = beginning.exec(text); match; match = beginning.exec(text)) {
    const found = scanAt(text, match.index, scan)
    if (found) return found
    beginning.lastIndex = match.index + 1
  }
  return undefined
}

/** Whether a number passes the check of Luhn. */
function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = digits.length - 1, isDoubled = false; index >= 0; index -= 1, isDoubled = !isDoubled) {
    const digit = Number(digits[index]) * (isDoubled ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0 && /[^0]/.test(digits)
}

const cardScan: Scan = { beginning: /(?<!\d)[2-6]\d{3}/g, counts: /\d/, separator: /[ -]/, least: 13, most: 19, isItem: passesLuhn }

/** Numbers of payment cards. */
export const card: Detector = {
  name: 'card',
  find: (text, from) => scanFrom(text, from, cardScan),
  mayHave: (character) => /[\d -]/.test(character),
  longest: 37,
}

/** Whether a number of a bank account, without spaces, leaves 1 when it is divided by 97. */
function passesMod97(account: string): boolean {
  let rest = 0
  for (const character of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

const bankScan: Scan = {
  beginning: /(?<![A-Z0-9])[A-Z]{2}\d{2}(?= ?[A-Z0-9])/g,
  counts: /[A-Z0-9]/,
  separator: / /,
  least: 15,
  most: 34,
  isItem: passesMod97,
}

/** Numbers of bank accounts (IBAN), in capital letters. */
export const bank: Detector = {
  name: 'iban',
  find: (text, from) => scanFrom(text, from, bankScan),
  mayHave: (character) => /[A-Z0-9 ]/.test(character),
  longest: 67,
}

const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const idPattern = /(?<![\dA-Za-z])[1-9]\d{5}((?:18|19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\d{3}[\dXx](?![\dA-Za-z])/g

function passesMod11(id: string): boolean {
  const sum = weights.reduce((total, weight, index) => total + weight * Number(id[index]), 0)
  return '10X98765432'[sum % 11] === id[17]?.toUpperCase()
}

/** Numbers of Chinese identity cards. */
export const chineseId: Detector = {
  name: 'chinese-id',
  find(text, from) {
    idPattern.lastIndex = from
    for (let match = idPattern.exec(text); match; match = idPattern.exec(text)) {
      if (passesMod11(match[0])) return { start: match.index, end: match.index + match[0].length }
      idPattern.lastIndex = match.index + 1
    }
    return undefined
  },
  mayHave: (character) => /[\dXx]/.test(character),
  longest: 18,
}
