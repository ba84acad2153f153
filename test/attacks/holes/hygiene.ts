/** Holes in what keeps secrets and personal data out of records. */
import type { Hole } from './hole.ts'

const foundBy = 'test/attacks/hygiene.test.ts'
const built = 'agent/src/guard/built-in'

const hole = (what: string, file: string, [passage, instead]: readonly [string, string]): Hole => ({
  what,
  file: `${built}/${file}`,
  passage,
  instead,
  foundBy,
})

const found = 'test/attacks/guards-found.test.ts'

export const hygieneHoles: readonly Hole[] = [
  {
    what: 'numbers in results are not looked at',
    file: 'agent/src/guard/guard-value.ts',
    passage: 'if (!/\\d{4}/.test(text)) return value',
    instead: 'if (text !== "") return value',
    foundBy: found,
  },
  {
    what: 'a person who releases a text for one guard releases it for the others',
    file: 'agent/src/guard/guard-hook.ts',
    passage: "[...new Set(asking)].join('\\n')",
    instead: 'asking[0]',
    foundBy: found,
  },
  {
    what: 'what a hook puts in place of a result is not looked at',
    file: 'agent/src/guard/guard-hook.ts',
    passage: '(isGiven(call) || isReplaced(call, output))',
    instead: 'isGiven(call)',
    foundBy: found,
  },
  {
    what: 'data in inputs is not looked at',
    file: 'agent/src/guard/guard-value.ts',
    passage: "else if (part.type === 'data') parts.push(",
    instead: "else if (part.type === 'data' && asking.place.at !== 'input') parts.push(",
    foundBy: found,
  },
  hole('nothing is held back', 'detector.ts', ['return safe > before ? show(safe) : ', 'return safe >= before ? show(held.length) : ']),
  hole('one character too few is held back', 'detector.ts', ['Math.max(0, text.length - longest - 1)', 'Math.max(0, text.length - 12)']),
  hole('what is held back is lost at the end', 'detector.ts', ['end: () => show(held.length)', "end: () => ''"]),
  hole('the character before what is held is forgotten', 'detector.ts', ['const kept = cut > 0 ? cut - 1 : 0', 'const kept = cut']),
  hole('the first item hides the others', 'detector.ts', ['    at = first.end\n', '    return\n']),
  hole('the shorter of two items counts', 'detector.ts', ['found.end > first.end', 'found.end < first.end']),
  hole('an item that was found once is found again', 'detector.ts', [
    '(known === undefined || known.start >= at)',
    '(known === undefined || known.start >= 0)',
  ]),
  hole('an item across the place that is shown is cut', 'detector.ts', ['const cut = Math.max(at, to)', 'const cut = to']),
  hole('cards with spaces are not found', 'checked-numbers.ts', ['separator: /[ -]/', 'separator: /-/']),
  hole('cards with dashes are not found', 'checked-numbers.ts', ['separator: /[ -]/', 'separator: / /']),
  hole('any number of that length is a card', 'checked-numbers.ts', ['return sum % 10 === 0 &&', 'return sum >= 0 &&']),
  hole('long cards are not found', 'checked-numbers.ts', ['least: 13, most: 19', 'least: 13, most: 16']),
  hole('the digits of Luhn are doubled at the wrong places', 'checked-numbers.ts', ['isDoubled = false; index', 'isDoubled = true; index']),
  hole('digits behind an item hide it', 'checked-numbers.ts', [
    'ends.findLast((one) => isItem(one.characters))',
    'ends.slice(-1).find((one) => isItem(one.characters))',
  ]),
  hole('any account is one', 'checked-numbers.ts', ['return rest === 1', 'return rest >= 0']),
  hole('letters of accounts count as digits', 'checked-numbers.ts', ['value > 9 ? 100 : 10', 'value > 99 ? 100 : 10']),
  hole('accounts with spaces are not found', 'checked-numbers.ts', ['separator: / /,', 'separator: /_/,']),
  hole('ids that end with a small x are not found', 'checked-numbers.ts', ['id[17]?.toUpperCase()', 'id[17]']),
  hole('ids are not checked', 'checked-numbers.ts', ['if (passesMod11(match[0])) return', 'if (match[0]) return']),
  hole('ids of another century are not found', 'checked-numbers.ts', ['((?:18|19|20)', '((?:19|20)']),
  hole('addresses with a plus are not found', 'detectors.ts', ['[A-Za-z0-9._%+-]{0,62}', '[A-Za-z0-9._%-]{0,62}']),
  hole('addresses of countries are cut', 'detectors.ts', ['[A-Za-z0-9])?\\.){1,8}', '[A-Za-z0-9])?\\.){1,1}']),
  hole('the characters of addresses are not held back', 'detectors.ts', [
    '/[A-Za-z0-9._%+@-]/.test(character)',
    '/[A-Za-z0-9._%+-]/.test(character)',
  ]),
  hole('an address that ends a sentence is not found', 'detectors.ts', ['(?!\\\\w|\\\\.\\\\w)|', '(?![\\\\w.])|']),
  hole('addresses of version 6 are not found', 'detectors.ts', ["match.includes('.') || isAddress(match)", "match.includes('.')"]),
  hole('a time is an address', 'detectors.ts', ['gaps === 0 ? groups.length === 8', 'gaps === 0 ? groups.length >= 3']),
  hole('Chinese numbers with spaces are not found', 'detectors.ts', ['1[3-9]\\d[ -]\\d{4}[ -]\\d{4}|', '']),
  hole('numbers with brackets are not found', 'detectors.ts', ['\\(\\d{3}\\) ?\\d{3}[-. ]\\d{4}|', '']),
  hole('the spaces of phone numbers are not held back', 'detectors.ts', ['/[\\d ()+.-]/.test(character)', '/[\\d()+.-]/.test(character)']),
  hole('the names of secrets are not looked at in pieces', 'secrets-guard.ts', [
    'stream: () => createRedactStream()',
    "stream: () => ({ push: (piece) => redactText(piece), end: () => '' })",
  ]),
  hole('look-alikes of suspicious words pass', 'injection-guard.ts', ['pattern.test(raw) || pattern.test(plain)', 'pattern.test(raw)']),
  hole('invisible characters pass', 'injection-guard.ts', ['pattern.test(raw) || pattern.test(plain)', 'pattern.test(plain)']),
  {
    what: 'records of steps are stored as they are',
    file: 'agent/src/call/durable.ts',
    passage: 'look ? withinLimit(toJson(await guardStep(look, value, guarded)), limit) : value',
    instead: 'look && limit < 0 ? withinLimit(toJson(await guardStep(look, value, guarded)), limit) : value',
    foundBy: 'packages/agent/test/guards-steps.test.ts',
  },
  {
    what: 'what children came to is stored as it is',
    file: 'agent/src/run/child-end.ts',
    passage: 'instance.definition.guards.length === 0 || !parent',
    instead: 'instance.definition.guards.length >= 0 || !parent',
    foundBy: 'packages/agent/test/guards-steps.test.ts',
  },
]
