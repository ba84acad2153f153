/**
 * Entities: what a sentence holds that is not prose (quotations, addresses, paths, dates, numbers, calculations, `key: value`). Each is taken out
 * of the sentence and leaves one private character behind, so that rules see its place and never its content: a quotation cannot be an order.
 */
import { evaluate } from './arithmetic.ts'
import type { LanguagePack } from './language/pack.ts'
import { chineseClock, chineseNumeral, chineseTime, chineseValue, englishClock, englishNumeral, englishTime, englishValue } from './numerals.ts'

/** The kinds of entities. */
export type EntityKind = 'quote' | 'url' | 'email' | 'date' | 'time' | 'path' | 'glob' | 'expression' | 'id' | 'number' | 'pair'

/** One entity. */
export interface Entity {
  readonly kind: EntityKind
  readonly value: string
  /** As it was written. */
  readonly raw: string
  /** The word before the colon of a pair. */
  readonly key?: string
}

/** A text with private characters in the place of its entities. */
export interface Masked {
  readonly text: string
  readonly entities: readonly Entity[]
}

const first = 0xe000
const most = 1000

/** The entity that a private character stands for. */
export function entityAt(masked: Masked, character: string): Entity | undefined {
  return masked.entities[character.charCodeAt(0) - first]
}

/** A text as it was written. */
export function unmask(text: string, { entities }: Pick<Masked, 'entities'>): string {
  return text.replace(/[\uE000-\uF8FF]/g, (character) => entities[character.charCodeAt(0) - first]?.raw ?? '')
}

interface Finder {
  readonly kind: EntityKind
  readonly form: RegExp
  /** What is taken of a match; undefined leaves it alone. */
  read(match: RegExpExecArray): { readonly value: string; readonly raw?: string } | undefined
}

const whole = (match: RegExpExecArray): { value: string } => ({ value: match[0] })
const trimmed = (match: RegExpExecArray): { value: string; raw: string } => {
  const value = match[0].replace(/[.,;:!?]+$/, '')
  return { value, raw: value }
}

const notPaths = new Set(['and/or', 'yes/no', 'he/she', 'his/her', 'either/or', 'n/a', 'w/o', 'km/h', 'i/o', 'tcp/ip', 'e.g', 'i.e', 'a.m', 'p.m'])

const units = /^(?:k?m|mi|ft|kg|m?g|l)\/(?:s|h|hr|min|l|m|kg)$/i

function readPath(match: RegExpExecArray): { value: string; raw: string } | undefined {
  const value = match[0].replace(/[.,;:!?]+$/, '')
  if (/^[\d./-]*$/.test(value.replace(/^\.{1,2}\/$/, 'here')) || notPaths.has(value.toLowerCase()) || units.test(value)) return undefined
  return { value, raw: value }
}

/** Words after which a name begins, in a text without spaces. */
const introducing =
  /^.*(?:[写存放记][到入进在为成]|保存[到为在成]?|复制[到为成]|拷贝到|列出|列一下|显示|展示|搜索|查找|检索|递归|读取|读一下|读出|打开|查看一?下?|看一下|看看|总结一?下|总结|概括一?下|概括|归纳一?下|新建|创建|生成|文件|名为|名叫|叫做|忘了|知道|想[看读]|需要|写[个份]?|[在往向把将给为读看])(?=[^/.])/u
/** A word before a space belongs to a name unless it is one of these. */
const ordering = /^(?:写[到入进在]|保存[到为在成]|存[到为成入进]|读取|读一下|打开|查看|看一下|看看|总结一下|概括一下|新建|创建|把|将)(?=[^/.])/u

/** A name in Chinese characters begins where the words before it end, or at the space before it. */
function readHanPath(match: RegExpExecArray): { value: string; raw: string } | undefined {
  const isApart = /[\s\uE000-\uF8FF]/.test(match.input.charAt(match.index - 1))
  const introduced = (isApart ? ordering : introducing).exec(match[0])
  const value = match[0].slice(introduced?.[0].length ?? 0).replace(isApart ? /^(?!)/u : /^(?:请|帮我|一下|一个|这个|文件)+(?=[^/.])/u, '')
  return value.startsWith('.') || value === '' ? undefined : { value, raw: value }
}

const months = 'january february march april may june july august september october november december'.split(' ')
const pad = (text: string | undefined): string => (text ?? '').padStart(2, '0')
const month = (name: string | undefined): string => pad(String(months.findIndex((full) => full.startsWith((name ?? '').toLowerCase())) + 1))

/** An opening mark inside ends the try: a text full of them is still read in one pass. */
const quotations =
  /"([^"\n]*)"|“([^“”]*)”|「([^「」]*)」|『([^『』]*)』|《([^《》]*)》|`([^`\n]+)`|‘([^‘’]*)’|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])/gu

/** How long a text is without what it quotes. */
export const bareLength = (text: string): number => text.replace(quotations, '').length

const pathChars = '[\\w@+~.-]'
const finders: readonly Finder[] = [
  // What is quoted in a line of code is part of the line.
  { kind: 'quote', form: /(?<![\w.])[A-Za-z_][\w.]*\((?=[^()\n]*["'`])[^()\n]*\);?/g, read: whole },
  {
    kind: 'quote',
    form: quotations,
    read: (match) => ({ value: match.slice(1).find((group) => group !== undefined) ?? '' }),
  },
  { kind: 'url', form: /https?:\/\/[^\s"'<>，。；！？）]+/gi, read: trimmed },
  { kind: 'email', form: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g, read: trimmed },
  { kind: 'date', form: /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z?)?/g, read: whole },
  { kind: 'date', form: /\b(\d{4})\/(\d{1,2})\/(\d{1,2})\b/g, read: ([, y, m, d]) => ({ value: `${y}-${pad(m)}-${pad(d)}` }) },
  { kind: 'date', form: /(\d{4})\s*年\s*(\d{1,2})\s*月\s*(\d{1,2})\s*[日号]/g, read: ([, y, m, d]) => ({ value: `${y}-${pad(m)}-${pad(d)}` }) },
  {
    kind: 'date',
    form: new RegExp(
      `\\b(${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\.? (\\d{1,2})(?:st|nd|rd|th)?,? (\\d{4})\\b`,
      'gi',
    ),
    read: ([, m, d, y]) => ({ value: `${y}-${month(m?.slice(0, 3))}-${pad(d)}` }),
  },
  {
    kind: 'date',
    form: new RegExp(
      `\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)? (${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')})\\.?,? (\\d{4})\\b`,
      'gi',
    ),
    read: ([, d, m, y]) => ({ value: `${y}-${month(m?.slice(0, 3))}-${pad(d)}` }),
  },
  { kind: 'time', form: englishTime, read: (match) => ({ value: englishClock(match) }) },
  { kind: 'time', form: chineseTime, read: (match) => ({ value: chineseClock(match) }) },
  { kind: 'time', form: /\b\d{1,2}:\d{2}\b/g, read: whole },
  { kind: 'url', form: /(?<![\w@./-])(?:[\w-]+\.)+(?:com|org|net|io|dev|edu|gov)(?:\/[^\s，。；]*)?(?![\w-])/gi, read: trimmed },
  { kind: 'glob', form: /(?<![\w*])(?=[\w./-]*\*)(?=[^\s]*[A-Za-z])[\w./*{}?-]+/g, read: trimmed },
  { kind: 'path', form: /\b[A-Za-z]:[\\/][^\s，。；"']*|\\\\[^\s]+/g, read: readPath },
  {
    kind: 'path',
    form: /(?=[\w./-]*\p{Script=Han})[\p{Script=Han}\w-][\p{Script=Han}\w./-]{0,60}\.[A-Za-z][A-Za-z\d]{0,5}(?![\w.])/gu,
    read: readHanPath,
  },
  {
    kind: 'path',
    form: /(?=[\w/-]*\p{Script=Han})[\p{Script=Han}\w-]+(?:\/[\p{Script=Han}\w-]+)+(?=\s*(?:目录|文件夹))/gu,
    read: readHanPath,
  },
  {
    kind: 'path',
    form: new RegExp(`(?<![\\w/])(?:~|\\.{1,2})?/(?:${pathChars}+/?)+|(?<![\\w./])\\.{1,2}/(?!\\w)|(?<![\\w/])${pathChars}+(?:/${pathChars}*)+`, 'g'),
    read: readPath,
  },
  { kind: 'path', form: /(?<![\w.])[\w@+-]+(?:\.[\w-]+)*\.[A-Za-z][A-Za-z\d]{0,5}(?![\w-])|(?<![\w.])\.[A-Za-z][\w.-]*\w/g, read: readPath },
  { kind: 'path', form: /\b(?:Makefile|Dockerfile|LICENSE|README|CHANGELOG)\b/g, read: whole },
  {
    kind: 'expression',
    form: /(?<![\w-]|\(\s*)(?:\(\s*)*-?(?:\d[\d.,]*|\.\d+)[\s)]*(?:(?:\*\*|[-+*/×÷^%])[\s(]*-?(?:\d[\d.,]*|\.\d+)[\s)]*)+/g,
    read(match) {
      const raw = match[0].replace(/[\s.,]+$/, '')
      return (evaluate(raw)?.operators ?? 0) > 0 ? { value: raw.replaceAll('×', '*').replaceAll('÷', '/'), raw } : undefined
    },
  },
  { kind: 'id', form: /\b(?=[A-Za-z\d-]*\d)(?=[A-Za-z\d-]*[A-Za-z])[A-Za-z\d]+(?:-[A-Za-z\d]+)*\b/g, read: whole },
  { kind: 'id', form: /#(\d+)\b/g, read: ([, digits]) => ({ value: digits ?? '' }) },
  { kind: 'number', form: englishNumeral, read: (match) => ({ value: englishValue(match[0]) }) },
  { kind: 'number', form: chineseNumeral, read: (match) => ({ value: chineseValue(match[0]) }) },
  { kind: 'number', form: /(?<![\w.^])-?\d+(?:,\d{3})*(?:\.\d+)?/g, read: (match) => ({ value: match[0].replaceAll(',', '') }) },
]

const colonForm = /([\p{L}\p{N}_-]+(?=\s*[:=：是为])|(?<=\S\s*)[\uE000-\uF8FF](?=\s*[:：]))(?:\s*[:=：]\s*|\s*[是为]\s*[:：]\s*)(?=\S)/gu
const introductions = /^(?:following|this|steps?|tasks?|things?|do|please|.*(?:以下|步骤|任务|下面|事情))$/i

/** Takes the entities out of a text. */
export function mask(raw: string, pack: LanguagePack): Masked {
  const entities: Entity[] = []
  let text = raw.replace(/[\uE000-\uF8FF]/g, ' ')
  const keep = (entity: Entity): string => {
    // A quotation that is all there is to a value is without its marks.
    const only = entity.kind === 'pair' && entity.value.length === 1 ? entities[entity.value.charCodeAt(0) - first] : undefined
    entities.push({ ...entity, raw: unmask(entity.raw, { entities }), value: only?.value ?? unmask(entity.value, { entities }) })
    return String.fromCharCode(first + entities.length - 1)
  }
  for (const { kind, form, read } of finders) {
    if (kind === 'expression') for (const [words, arithmetic] of pack.content.sums) text = text.replace(new RegExp(words, 'gi'), arithmetic)
    text = replaceEach(text, form, (match) => {
      const found = entities.length < most ? read(match) : undefined
      if (!found) return match[0]
      const taken = found.raw ?? match[0]
      const at = match[0].indexOf(taken)
      return match[0].slice(0, at) + keep({ kind, value: found.value, raw: taken }) + match[0].slice(at + taken.length)
    })
  }
  return { text: maskPairs(text, keep), entities }
}

function replaceEach(text: string, form: RegExp, change: (match: RegExpExecArray) => string): string {
  let changed = ''
  let from = 0
  for (const match of text.matchAll(form)) {
    changed += text.slice(from, match.index) + change(match)
    from = match.index + match[0].length
  }
  return changed + text.slice(from)
}

/** `key: value` up to the next key or the end; the key stays where it is, so that rules still see the word. */
function maskPairs(text: string, keep: (entity: Entity) => string): string {
  const keys = [...text.matchAll(colonForm)].filter((match) => !introductions.test(match[1] ?? ''))
  let changed = ''
  let from = 0
  for (const [index, match] of keys.entries()) {
    const begins = match.index + match[0].length
    const ends = keys[index + 1]?.index ?? text.length
    const value = text.slice(begins, ends)
    const kept = ends === text.length ? value.trimEnd() : value.replace(/(?:[\s,，;；]|\band\b|并且?|和)+$/u, '')
    const key = match[1] ?? ''
    const raw = match[0].slice(key.length) + kept
    changed += `${text.slice(from, match.index)}${key}${keep({ kind: 'pair', key, value: kept, raw })}`
    from = begins + kept.length
  }
  return changed + text.slice(from)
}
