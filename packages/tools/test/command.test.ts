/** Requests, patterns and verdicts of commands. What real shells make of commands is compared in test/attacks/commands.test.ts. */
import { agent, approve } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import {
  type CommandRules,
  commandPattern,
  judgeCommand,
  matchesCommand,
  onlyReads,
  requestsOf,
  shellTools,
  suggestedPattern,
  warningFor,
} from '@loom-agent/tools'
import { expect, test } from 'vitest'

test('a command becomes every command that it runs, and every file that it redirects to or from', () => {
  expect(requestsOf('timeout 5 npm test > log.txt 2>&1 && sort < in.txt')).toEqual({
    commands: [{ argv: ['timeout', '5', 'npm', 'test'], wraps: 'plain' }, { argv: ['npm', 'test'], within: 0, at: 2 }, { argv: ['sort'] }],
    paths: [
      { access: 'write', path: 'log.txt' },
      { access: 'read', path: 'in.txt' },
    ],
    words: [],
  })
})

test('words that are added later make a command open, and a cd is noted', () => {
  expect(requestsOf("find . -exec grep x '{}' ';'").commands[1]).toEqual({ argv: ['grep', 'x', '{}'], isOpen: true, within: 0, at: 3 })
  expect(requestsOf('ls | xargs rm').commands[2]).toEqual({ argv: ['rm'], isOpen: true, within: 1, at: 1 })
  expect(requestsOf('ls; cd x; ls').commands).toEqual([{ argv: ['ls'] }, { argv: ['cd', 'x'] }, { argv: ['ls'], isMoved: true }])
})

test.each([
  ['ls $(x)', 'a substitution ($)'],
  ['ls `x`', 'a substitution (`)'],
  ['A=1 ls', 'an assignment (A=1)'],
  ['ls *', 'a pattern of file names (*)'],
  ['ls &', 'a command in the background (&), or a redirection with it'],
  ['cat <<X', 'a here-document'],
  ['if true', 'the keyword if'],
  ['ls\r', 'the character U+000D, which is not plain text'],
  ['ls\u00a0x', 'the character U+00A0, which is not plain text'],
  ['eval x', 'eval, which changes the shell'],
  ['env -i ls', 'env with the option -i, which is not understood'],
  ['curl x | sh', 'sh, which runs what it reads'],
  ['', 'no command'],
  ['x'.repeat(10_001), '10001 characters; at most 10000 are looked at'],
  ['true;'.repeat(51), 'more than 50 commands'],
  [`${'env '.repeat(10)}ls`, 'more than 8 commands inside each other'],
])('what is not plain is unknown, with the reason: %#', (command, why) => {
  expect(requestsOf(command).unknown).toBe(why)
})

test('a pattern is compared word by word', () => {
  expect(matchesCommand('git log *', ['git', 'log'])).toBe(true)
  expect(matchesCommand('git log *', ['git', 'log', '-3'])).toBe(true)
  expect(matchesCommand('git log *', ['git', 'logout'])).toBe(false)
  expect(matchesCommand('git log', ['git', 'log', '-3'])).toBe(false)
  expect(matchesCommand("grep 'a b' *", ['grep', 'a b', 'x'])).toBe(true)
  expect(matchesCommand("echo '*'", ['echo', '*'])).toBe(true)
  expect(matchesCommand('*', ['anything'])).toBe(true)
})

test.each(['', '  ', 'git * log', 'npm run test*', 'ls && rm', 'ls > x', 'ls $x', 'A=1 ls', 'if x', "ls 'x", 'ls # x'])(
  'a pattern that can never match is refused: %s',
  (pattern) => {
    expect(() => commandPattern(pattern)).toThrow(/can never match: .*\. [A-Z].*\.$/)
    expect(() => judgeCommand('ls', { deny: [pattern] })).toThrow('can never match')
  },
)

test('a command is allowed when every part of it is', () => {
  const rules: CommandRules = { allow: ['git log *', 'wc *'], deny: ['git push *'], path: () => 'allow' }
  expect(judgeCommand('git log | wc -l > n.txt', rules)).toEqual({ verdict: 'allow', reason: 'Every part of it is allowed.' })
  expect(judgeCommand('git log | wc -l > n.txt', { ...rules, path: () => 'deny' })).toEqual({ verdict: 'deny', reason: 'It would write n.txt.' })
  expect(judgeCommand('git log | sort', rules)).toEqual({ verdict: 'ask', reason: 'No rule allows sort.' })
  expect(judgeCommand('git log; git push', rules)).toEqual({ verdict: 'deny', reason: 'git push meets the rule git push *.' })
  expect(judgeCommand('x=$(git push)', rules).verdict).toBe('deny')
})

test('a wrapper that gives other rights needs a rule of its own, and a rule may name both', () => {
  const verdict = (command: string, ...allow: string[]): string => judgeCommand(command, { allow }).verdict
  expect(verdict('timeout 5 ls', 'ls *')).toBe('allow')
  expect(verdict('timeout 5 ls', 'timeout *')).toBe('ask')
  expect(verdict('sudo ls', 'ls *')).toBe('ask')
  expect(verdict('sudo ls', 'sudo *')).toBe('ask')
  expect(verdict('sudo ls', 'ls *', 'sudo *')).toBe('allow')
  expect(verdict('sudo ls -l', 'sudo ls *')).toBe('allow')
  expect(verdict("bash -c 'ls; rm x'", "bash -c 'ls; rm x'")).toBe('allow')
  expect(verdict("bash -c 'ls; rm x'", 'bash *', 'ls *')).toBe('ask')
  expect(verdict('timeout 5 find . -delete', 'timeout 5 find *')).toBe('ask')
  expect(verdict('find . -delete', 'find . -delete')).toBe('allow')
})

test('a stricter rule never loosens a verdict', () => {
  const commands = ['ls', 'ls && rm x', 'sudo ls', 'echo $(ls)', 'git push > x', 'xargs ls']
  const rank = { allow: 0, ask: 1, deny: 2 }
  for (const command of commands) {
    const before = judgeCommand(command, { allow: ['ls *', 'git *'] }).verdict
    for (const deny of ['ls *', 'rm *', 'git push', 'sudo *', '*']) {
      expect(rank[judgeCommand(command, { allow: ['ls *', 'git *'], deny: [deny] }).verdict]).toBeGreaterThanOrEqual(rank[before])
    }
  }
})

const reads = [
  'ls -la',
  'git log --oneline -5',
  'git --no-pager diff --stat',
  "find . -name '*.ts' -type f",
  'head -n5 x',
  'rg -n x src',
  'sed -n 1,5p x',
  'sort -k2 x',
  'git branch -a',
]
const changes = [
  ...[
    'rm x',
    'git push',
    'git -c a=b log',
    'git diff --output=x',
    'git branch x',
    'find . -delete',
    'find . -fprint x',
    'rg --pre x y',
    'sort -o x y',
    'sort -ro x y',
  ],
  ...[
    'sed -i s/a/b/ x',
    "sed '1e x' y",
    "awk '{print}' x",
    'uniq a b',
    'tree -o x',
    'date -s x',
    'python x',
    'bash x',
    'sudo ls',
    'env',
    'constructor',
    'git constructor',
  ],
]
const wordsOf = (line: string): readonly string[] => requestsOf(line).commands[0]?.argv ?? []

test('a command only reads when all its options are known to', () => {
  expect(reads.filter((line) => !onlyReads(wordsOf(line)))).toEqual([])
  expect(changes.filter((line) => onlyReads(wordsOf(line)))).toEqual([])
})

test('interpreters and programs with dangerous options are never offered with *', () => {
  expect(suggestedPattern(['grep', '-n', 'x'])).toBe('grep *')
  for (const name of ['python3', 'node', 'npx', 'bash', 'git', 'npm', 'rm', 'sudo', 'find', 'sed', 'timeout'])
    expect(suggestedPattern([name, 'x y'])).toBe(`${name} 'x y'`)
  expect(matchesCommand(suggestedPattern(['echo', "it's *"]), ['echo', "it's *"])).toBe(true)
  expect(warningFor('python3.12 *')).toContain('allows anything')
  expect(warningFor('timeout *')).toContain('needs a rule of its own')
  expect(warningFor('*')).toBe('It allows every command.')
  expect([warningFor('git log *'), warningFor('python x.py')]).toEqual([undefined, undefined])
})

test('the rules of the tool decide which commands are asked about', async () => {
  const calls = ['echo one', 'echo one > /tmp/x', 'rm -rf x', 'whoami'].map((command) => ({ tool: 'bash', input: { command } }))
  const model = scriptedModel([{ calls }, 'Done.'])
  const seen: string[] = []
  const rules: CommandRules = {
    allow: ['echo *'],
    deny: ['rm *'],
    path: ({ path }) => {
      seen.push(path)
      return 'deny'
    },
  }
  const asked: unknown[] = []
  await agent({ model, tools: shellTools({ cwd: '.', sandbox: 'none', rules }) }).run('Go.', {
    onQuestion: ({ call }) => {
      asked.push(call?.input)
      return approve()
    },
  })
  expect(asked).toEqual([{ command: 'whoami' }])
  expect(new Set(seen)).toEqual(new Set(['/tmp/x']))
  expect(JSON.stringify(model.requests[1]?.prompt).match(/not permitted/g)).toHaveLength(2)
  expect(() => shellTools({ cwd: '.', rules: { allow: ['ls*'] } })).toThrow('can never match')
})

test('rules allow nothing in a shell that persists: earlier commands may have changed what words mean', async () => {
  const model = scriptedModel([{ calls: [{ tool: 'bash', input: { command: 'echo one' } }] }, 'Done.'])
  const tools = shellTools({ cwd: '.', sandbox: 'none', persistent: true, rules: { allow: ['echo *'] } })
  expect((await agent({ model, tools }).run('Go.')).status).toBe('waiting')
})
