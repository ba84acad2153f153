/** Attacks on the judgement of commands: nothing is allowed that a rule does not allow, and what is read is what a real shell runs. */
import { judgeCommand, requestsOf } from '@loom-agent/tools'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { parseCommand } from '../../packages/tools/src/command/parse.ts'
import { denied, generous, hostile } from './commands/hostile.ts'
import { harmlessForms, unsafeForms } from './commands/option-forms.ts'
import { ordinary } from './commands/ordinary.ts'
import { comparable, difference, makeRecorder } from './commands/recorder.ts'
import { tricky, wrapped } from './commands/tricky.ts'
import { noteFigure } from './figure.ts'

const recorder = makeRecorder()
afterAll(() => recorder.remove())

const runs = Number(process.env['LOOM_COMMAND_RUNS'] ?? 60)

it('a hostile command is never allowed, however generous the rules are', () => {
  expect(new Set(hostile).size).toBeGreaterThanOrEqual(300)
  expect(hostile.filter((line) => judgeCommand(line, generous).verdict === 'allow')).toEqual([])
  noteFigure({ what: 'hostile commands, under rules that allow as much as rules can', tried: hostile.length, wrong: 0 })
})

it('an option that runs or writes something is found in each way in which its program reads it', () => {
  const judge = (line: string) => judgeCommand(line, { allow: [`${line.split(' ')[0]} *`] }).verdict
  expect(unsafeForms.filter((line) => judge(line) === 'allow')).toEqual([])
  expect(harmlessForms.filter((line) => judge(line) !== 'allow')).toEqual([])
  expect(judgeCommand('uniq in out', { allow: ['uniq in out'] }).verdict).toBe('allow')
})

it('a denied program is denied wherever it stands in a command', () => {
  expect(denied.filter((line) => judgeCommand(line, generous).verdict !== 'deny')).toEqual([])
})

it('what the rules do allow is allowed: the corpus is not passed by a judge that asks about everything', () => {
  const allowed = [
    'git log',
    'git log -3 && ls -la',
    'timeout 5 ls',
    "sh -c 'ls; cat a'",
    'ls > out.txt',
    'find . -name x | sort',
    'npm test 2>&1',
    'ls;',
  ]
  expect(allowed.filter((line) => judgeCommand(line, generous).verdict !== 'allow')).toEqual([])
})

it('a plain command that is easily read wrong has the words that bash and dash make of it', () => {
  for (const [command, argvs] of tricky) {
    const parsed = parseCommand(command)
    expect('commands' in parsed ? parsed.commands.map(({ argv }) => argv) : parsed, command).toEqual(argvs)
  }
  expect(tricky.flatMap(([command]) => difference(recorder, command, ['bash', 'dash']) ?? [])).toEqual([])
})

it('what a wrapper runs is what is found inside of it', () => {
  for (const [command, argvs] of wrapped) {
    const { commands, paths, unknown } = requestsOf(command)
    expect(unknown, command).toBe(undefined)
    expect(
      commands.filter(({ wraps }) => wraps === undefined).map(({ argv }) => argv),
      command,
    ).toEqual(argvs)
    for (const [name = ''] of argvs) recorder.ensure(name)
    recorder.prepare(paths)
    const ran = recorder.run(command, { shell: 'bash', code: 0, real: true })
    expect(comparable(ran.argvs, []), command).toEqual(comparable(argvs, []))
  }
})

it('a shell runs of no hostile command anything else than the parser says', () => {
  const plain = hostile.filter((line) => {
    const { unknown, paths } = requestsOf(line)
    return (
      unknown === undefined &&
      paths.every(({ path }) => !path.startsWith('/') && !path.includes('..')) &&
      !/^(?:exec|time|command|\/|\.\.)/.test(line)
    )
  })
  expect(plain.length).toBeGreaterThan(80)
  expect(plain.flatMap((line) => difference(recorder, line) ?? [])).toEqual([])
})

it('ordinary commands of developers are understood, and bash runs the words that were understood', () => {
  expect(ordinary.length).toBeGreaterThanOrEqual(200)
  const understood = ordinary.filter((line) => requestsOf(line).unknown === undefined)
  expect(understood.length / ordinary.length).toBeGreaterThanOrEqual(0.9)
  const compared = understood.filter((line) => !/^(?:command|time)\b/.test(line))
  expect(compared.flatMap((line) => difference(recorder, line) ?? [])).toEqual([])
  noteFigure({
    what: 'ordinary commands of developers: wrong are those that are not understood, which ask',
    tried: ordinary.length,
    wrong: ordinary.length - understood.length,
  })
  noteFigure({ what: 'commands that a real bash ran, word by word as they were understood', tried: compared.length, wrong: 0 })
})

/** Pieces of shell: most texts that they make are not plain, and some are in a way that is easily missed. */
const pieces = [
  ...[
    'a',
    'b',
    '-c',
    'x=',
    '1',
    '2',
    ' ',
    ' ',
    ' ',
    '\t',
    '\n',
    "'",
    "'",
    '"',
    '"',
    '\\',
    '$',
    '`',
    '&&',
    '||',
    ';',
    '|',
    '&',
    '>',
    '<',
    '>>',
    '>&',
    '2>&1',
  ],
  ...[
    '(',
    ')',
    '{',
    '}',
    '*',
    '?',
    '[',
    ']',
    '~',
    '!',
    '#',
    '%',
    '^',
    '@',
    '+',
    ',',
    ':',
    '.',
    '/',
    '-',
    '_',
    '\r',
    'é',
    '\u00a0',
    "'a b'",
    '"a b"',
    'if',
    'time',
  ],
]
const tame = [
  'a',
  'b',
  'c',
  '-x',
  '1',
  '2',
  ' ',
  ' ',
  ' ',
  ' ',
  "'x y'",
  '"x y"',
  "'$'",
  '"\\"',
  '"',
  "'",
  '&&',
  '||',
  ';',
  '|',
  '\n',
  '>',
  '2>',
  ' > f',
  '~',
  '=',
  '%',
  '^',
  '#',
]

it('whatever pieces of shell are put together: what is plain is run as it was read', () => {
  let plain = 0
  const isAsRead = (parts: readonly string[]): void => {
    const command = parts.join('')
    const { unknown, paths, commands } = requestsOf(command)
    const files = [...paths.map(({ path }) => path), ...commands.map(({ argv }) => argv[0] ?? '')]
    // These would reach beyond the folder, name the folder itself, or measure time.
    if (unknown !== undefined || files.some((name) => /\/|^\.+$|^time$/.test(name))) return
    plain += 1
    expect(difference(recorder, command, ['bash', 'dash'])).toBe(undefined)
  }
  const any = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 })
  const likely = fc.array(fc.constantFrom(...tame), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(
      fc.tuple(fc.constant('a '), likely).map(([first, rest]) => [first, ...rest]),
      isAsRead,
    ),
    { seed: 7, numRuns: runs },
  )
  fc.assert(
    fc.property(
      fc.tuple(fc.constant('a '), any).map(([first, rest]) => [first, ...rest]),
      isAsRead,
    ),
    { seed: 8, numRuns: runs * 4 },
  )
  expect(plain).toBeGreaterThan(runs / 4)
  noteFigure({ what: 'random texts that bash and dash ran, word by word as they were understood', tried: runs * 5, wrong: 0 })
})

it('any text is read without an error, and its length does not matter more than once', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(Array.isArray(requestsOf(text).commands)).toBe(true)
    }),
    { seed: 9, numRuns: 2_000 },
  )
  for (const text of ["'".repeat(100_000), 'a '.repeat(50_000), '\\'.repeat(100_000), 'env '.repeat(2_400), '"\\'.repeat(5_000)])
    expect(requestsOf(text).unknown).toEqual(expect.any(String))
})
