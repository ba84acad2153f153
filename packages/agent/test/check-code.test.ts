/** Findings about code that a model wrote. */
import { checkCode } from '@loom-agent/agent/guards'
import { expect, test } from 'vitest'

test.each([
  ["require('child_process').exec('ls')", 'starts programs'],
  ['import subprocess', 'starts programs'],
  ["os.system('ls')", 'starts programs'],
  ["import { readFile } from 'node:fs/promises'", 'reads or writes files'],
  ["open('/etc/passwd').read()", 'reads or writes files'],
  ["await fetch('https://example.com')", 'uses the network'],
  ['import requests', 'uses the network'],
  ['process.env.KEY', 'looks at its process or its environment'],
  ["process['env']", 'looks at its process or its environment'],
  ['eval(text)', 'runs text as code'],
  ["new Function('return 1')()", 'runs text as code'],
  ['import(name)', 'loads a module whose name is computed'],
  ["[].constructor.constructor('return this')()", 'reaches for what is behind objects'],
  ['().__class__.__mro__', 'reaches for what is behind objects'],
  ['globalThis.x = 1', 'changes what is global'],
  ['while (true) {}', 'may never end'],
  ['while True:', 'may never end'],
  ["atob('ZXZhbA==')", 'hides what it says'],
  ['ｅｖａｌ(x)', 'runs text as code'],
])('%s %s', (source, what) => {
  expect(checkCode(`const a = 1\n${source}\n`)).toContainEqual({ what, line: 2, text: expect.any(String) })
})

test.each([
  'export const add = (a, b) => a + b',
  'def add(a, b):\n    return a + b',
  'const evaluate = 1',
  "const text = 'opened'",
  'items.filter((item) => item.ok)',
])('nothing is found in %j', (source) => {
  expect(checkCode(source)).toEqual([])
})

test('what is found is in the order of the code, and bounded', () => {
  const found = checkCode(`${'eval(x)\n'.repeat(100)}fetch(y)`)
  expect([found.length, found[0]?.line, found[49]?.line]).toEqual([50, 1, 50])
  expect(checkCode('x'.repeat(300_000))).toEqual([])
})
