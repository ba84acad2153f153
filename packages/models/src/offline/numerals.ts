/** Numbers and times in words. */

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ')
const tens = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** English number words from two on: "one" is mostly no number. */
export const englishNumeral: RegExp = new RegExp(
  `(?<![\\w-])(?:(?:${tens.join('|')})(?:-(?:${small.slice(1, 10).join('|')}))?|${small.slice(2).join('|')})(?![\\w-])`,
  'gi',
)

/** The value of an English number word. */
export function englishValue(text: string): string {
  const [head = '', unit] = text.toLowerCase().split('-')
  const ten = tens.indexOf(head)
  return String(ten < 0 ? small.indexOf(head) : (ten + 2) * 10 + (unit === undefined ? 0 : small.indexOf(unit)))
}

const measures =
  '晚|周|星期|个|条|张|份|位|封|首|件|次|名|篇|本|只|台|间|杯|笔|分钟|小时|秒|天|元|块|人|行|项|度|桌|瓶|盒|号|页|美元|欧元|英镑|日元|美金'

/** Chinese numerals where they count something; anywhere else they may be part of a name. */
export const chineseNumeral: RegExp = new RegExp(
  `(?!百度)(?<![第周期拜\\p{N}一二两三四五六七八九十百千])(?:[二两三四五六七八九十百]|[一二两三四五六七八九十百千]{2,7})(?=\\s*(?:${measures}))|(?<=百分之)[一二三四五六七八九十百]{1,4}`,
  'gu',
)

const digits = '零一二三四五六七八九'

/** The value of a Chinese numeral. */
export function chineseValue(text: string): string {
  let total = 0
  let digit = 0
  for (const character of text.replaceAll('两', '二')) {
    const unit = { 十: 10, 百: 100, 千: 1000 }[character]
    if (unit === undefined) digit = digits.indexOf(character)
    else {
      total += (digit === 0 ? 1 : digit) * unit
      digit = 0
    }
  }
  return String(total + digit)
}

/** A time of day with "am" or "pm". */
export const englishTime: RegExp = /\b(1[0-2]|0?[1-9])(?::([0-5]\d))?\s*([ap])\.?m\b\.?/gi
/** A time of day such as "three o'clock in the afternoon" in Chinese, with figures or numerals. */
export const chineseTime: RegExp =
  /(凌晨|早上|上午|中午|下午|傍晚|晚上)?\s*(\d{1,2}|[一二两三四五六七八九十]{1,3})\s*点(?:钟|整|(半)|(\d{1,2}|[一二三四五六七八九十]{1,3})分)?(?![\p{Script=Han}]*儿)/gu

const clock = (hour: number, minute: string): string => `${String(hour).padStart(2, '0')}:${minute.padStart(2, '0')}`

/** The time of day on a clock of 24 hours. */
export function englishClock([, hour, minute, half]: readonly (string | undefined)[]): string {
  return clock((Number(hour) % 12) + (half?.toLowerCase() === 'p' ? 12 : 0), minute ?? '00')
}

/** The time of day on a clock of 24 hours. */
export function chineseClock([, part, hour, half, minute]: readonly (string | undefined)[]): string {
  const figure = (text: string): number => (/\d/.test(text) ? Number(text) : Number(chineseValue(text)))
  const said = figure(hour ?? '')
  const isLate = part !== undefined && (['下午', '傍晚', '晚上'].includes(part) || (part === '中午' && said < 11))
  return clock(isLate && said < 12 ? said + 12 : said, half ? '30' : String(minute === undefined ? '00' : figure(minute)))
}
