/** Holes in the reading and judging of commands. */
import type { Hole } from './hole.ts'

const foundBy = 'test/attacks/commands.test.ts'
const tokens = 'tools/src/command/tokens.ts'
const parse = 'tools/src/command/parse.ts'
const unwrap = 'tools/src/command/unwrap.ts'
const requests = 'tools/src/command/requests.ts'
const pattern = 'tools/src/command/pattern.ts'
const judge = 'tools/src/command/judge.ts'

export const commandHoles: readonly Hole[] = [
  {
    what: 'a command is allowed when its first part is',
    file: judge,
    passage: 'return commands.find((command) =>',
    instead: 'return commands.slice(0, 1).find((command) =>',
    foundBy,
  },
  { what: 'a glob is a plain character', file: tokens, passage: '[A-Za-z0-9_\\-./:,+@%=^]', instead: '[A-Za-z0-9_\\-./:,+@%=^*?]', foundBy },
  {
    what: 'a dollar in double quotes is a plain character',
    file: tokens,
    passage: "character === '$' || character === '`'",
    instead: "character === '`'",
    foundBy,
  },
  {
    what: 'a tilde is a plain character everywhere',
    file: tokens,
    passage: "character === '~' && at > from &&",
    instead: "character === '~' &&  at >= from ||",
    foundBy,
  },
  { what: 'an invisible character may be in quotes', file: tokens, passage: 'quotable.test(character)', instead: "character !== ''", foundBy },
  {
    what: 'a longer number is a descriptor',
    file: tokens,
    passage: "return value.length === 1 ? redirection(reading, value) : 'a file descriptor of more than one digit'",
    instead: 'return redirection(reading, value)',
    foundBy,
  },
  { what: 'a backslash in double quotes is always taken away', file: tokens, passage: "else value += '\\\\'", instead: "else value += ''", foundBy },
  { what: 'an assignment is the name of a program', file: parse, passage: "if (name.includes('='))", instead: "if (name === '=')", foundBy },
  {
    what: 'the shell may open connections',
    file: parse,
    passage: "target.text.startsWith('/dev/') &&",
    instead: "target.text === '/dev/x' &&",
    foundBy,
  },
  {
    what: 'redirections are not requests',
    file: parse,
    passage: 'parsing.redirections.push({ access, path: target.text })',
    instead: 'void access',
    foundBy,
  },
  {
    what: 'any number of commands is looked at',
    file: requests,
    passage: 'if (gathering.commands.length >= bounds.commands)',
    instead: 'if (gathering.commands.length < 0)',
    foundBy,
  },
  {
    what: 'a wrapper with unknown options runs what stands behind them',
    file: unwrap,
    passage: 'options[option] ? 1 : undefined',
    instead: 'options[option] ? 1 : 1',
    foundBy,
  },
  { what: 'eval is a program as any other', file: unwrap, passage: 'if (why !== undefined) return', instead: "if (why === '') return", foundBy },
  {
    what: 'the script of a shell is not read',
    file: unwrap,
    passage: "return { kind: 'script', script, isStrong }",
    instead: "return { kind: 'itself' }",
    foundBy,
  },
  {
    what: 'a pipe into an interpreter is as any other',
    file: requests,
    passage: 'if (isFed && runsInput(name))',
    instead: "if (isFed && name === '')",
    foundBy,
  },
  {
    what: 'a relative path after cd is as before',
    file: requests,
    passage: 'if (gathering.isMoved && !request.path',
    instead: 'if (!gathering && !request.path',
    foundBy,
  },
  {
    what: 'the words of a text that is not understood are not looked at',
    file: requests,
    passage: 'unknown === undefined ? [] : wordsIn(command)',
    instead: '[]',
    foundBy,
  },
  {
    what: 'a star stands for any option',
    file: pattern,
    passage: 'return !hasUnsafeOption(argv, pattern.words.length)',
    instead: 'return true',
    foundBy,
  },
  {
    what: 'a rule that denies is met by the plain name only',
    file: pattern,
    passage: 'wanted === baseName(actual)',
    instead: 'wanted === actual',
    foundBy,
  },
  {
    what: 'a rule that denies is not met behind options',
    file: pattern,
    passage: "if (!given[place]?.startsWith('-')) continue",
    instead: 'if (place >= 0) continue',
    foundBy,
  },
  {
    what: 'a rule for a wrapper allows what it runs',
    file: judge,
    passage: 'offset === 0 || !pattern.isOpen || (named > 0',
    instead: 'offset >= 0 || !pattern.isOpen || (named > 0',
    foundBy,
  },
  {
    what: 'what is unknown is judged by what is known of it',
    file: judge,
    passage: 'if (requests.unknown !== undefined)',
    instead: "if (requests.unknown === '')",
    foundBy,
  },
  {
    what: 'options of a whole word are known with one dash only, and without a value',
    file: 'tools/src/command/unsafe-options.ts',
    passage: 'const option = word.replace(/^--?/,',
    instead: 'const option = word.replace(/^--/,',
    foundBy: 'test/attacks/commands.test.ts',
  },
  {
    what: 'what an option means for a subcommand is not looked at',
    file: 'tools/src/command/unsafe-options.ts',
    passage: '      called.some((more) => isUnsafeWord(more, word)) ||\n',
    instead: '',
    foundBy: 'test/attacks/commands.test.ts',
  },
  {
    what: 'a cluster of letters without a dash is an operand',
    file: 'tools/src/command/unsafe-options.ts',
    passage: 'isBundled && index === 1',
    instead: 'isBundled && index === 0',
    foundBy: 'test/attacks/commands.test.ts',
  },
  {
    what: 'an operand that is written is taken for one that is read',
    file: 'tools/src/command/unsafe-options.ts',
    passage: 'place >= reads && index >= from',
    instead: 'place < 0 && index >= from',
    foundBy: 'test/attacks/commands.test.ts',
  },
]
