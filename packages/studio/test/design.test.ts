/** The design of the studio is in one file of tokens; everything else names them. */
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { breakpointsOf, componentProblems, type StyledFile, styleProblems, tokenProblems } from './design/check-styles.ts'

const folder = join(import.meta.dirname, '../src')
const read = (pattern: string): readonly StyledFile[] =>
  globSync(pattern, { cwd: folder }).map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }))
const tokens = readFileSync(join(folder, 'design/tokens.css'), 'utf8')
const breakpoints = breakpointsOf(tokens)
const sheets = read('**/*.css').filter(({ name }) => !name.endsWith('tokens.css'))
const components = read('**/*.{ts,tsx}').filter(({ name }) => !name.endsWith('.test.ts'))

describe('the studio', () => {
  test('has no colour, length, weight, font or effect outside of the tokens', () => {
    expect(sheets.length).toBeGreaterThan(5)
    expect(sheets.flatMap((sheet) => styleProblems(sheet, breakpoints))).toEqual([])
    expect(components.flatMap(componentProblems)).toEqual([])
  })

  test('uses every token, and names none that there is not', () => {
    expect(tokenProblems(tokens, [...sheets, ...components])).toEqual([])
  })

  test('has four sizes of type, two weights, and six categories of one lightness each for light and dark', () => {
    expect(tokens.match(/--type-\w+:/g)).toHaveLength(4)
    expect(tokens.match(/--weight-\w+:/g)).toHaveLength(2)
    const kinds = [...tokens.matchAll(/--kind-\w+: light-dark\(oklch\(([\d.]+) [\d.]+ (\d+)\), oklch\(([\d.]+) [\d.]+ (\d+)\)\)/g)]
    expect(kinds).toHaveLength(6)
    expect(new Set(kinds.map(([, light]) => light)).size).toBe(1)
    expect(new Set(kinds.map(([, , , dark]) => dark)).size).toBe(1)
    expect(new Set(kinds.map(([, , hue]) => hue)).size).toBe(6)
  })

  test('keeps lengths on a grid of 4 px', () => {
    const spaces = [...tokens.matchAll(/--space-(\d+): (\d+)px/g)]
    expect(spaces.length).toBeGreaterThan(8)
    for (const [, step, px] of spaces) expect(Number(px)).toBe(4 * Number(step))
  })
})

describe('the check of styles', () => {
  const sheet = (text: string): readonly string[] => styleProblems({ name: 'x.css', text }, breakpoints)

  test.each([
    'color: #fff',
    'color: #3f63d6aa',
    'color: rgb(0 0 0)',
    'color: oklch(0.5 0.1 20)',
    'color: white',
    'border: 1px solid red',
    'padding: 3px',
    'padding: calc(var(--space-1) + 0.5rem)',
    'margin: -2px',
    'font-size: 1.2em',
    'font-weight: 500',
    'font-weight: bold',
    'font-family: Inter, sans-serif',
    'transition: opacity 0.2s',
    'transition: opacity 300ms',
    'background: linear-gradient(var(--ink), var(--line))',
    'backdrop-filter: blur(var(--space-1))',
    'box-shadow: 0 var(--space-1) var(--space-2) var(--veil)',
    'width: 40ch',
    'color: color-mix(in oklch, var(--ink), var(--line))',
  ])('reports %s', (planted) => {
    expect(sheet(`.a { ${planted}; }`)).not.toEqual([])
  })

  test.each(['@media (max-width: 700px) { .a { margin: 0 } }', '@media (min-width: 40rem) { .a { margin: 0 } }'])('reports %s', (planted) => {
    expect(sheet(planted)).not.toEqual([])
  })

  test('reports colours and styles in components', () => {
    const component = (text: string): readonly string[] => componentProblems({ name: 'x.tsx', text })
    expect(component("const red = '#c00'")).not.toEqual([])
    expect(component("to.fillStyle = 'oklch(0.5 0 0)'")).not.toEqual([])
    expect(component('<p style={{ color: one }} />')).not.toEqual([])
    expect(component('<p style={{ height: 40 }} />')).toEqual([])
  })

  test('reports tokens that are not there and tokens that nobody uses', () => {
    expect(tokenProblems(':root {\n --a: 1px;\n --b: 1px;\n}', [{ name: 'x.css', text: '.a { margin: var(--a) var(--c) }' }])).toEqual([
      '--c is used and is no token',
      '--b is a token that nothing uses',
    ])
  })

  test('accepts zero, shares and tokens', () => {
    expect(sheet('.a { margin: 0 auto; width: min(100%, var(--page)); max-height: 70vh; flex: 1; inset: calc(-1 * var(--space-2)) }')).toEqual([])
    expect(sheet('@media (max-width: 640px) { .a { margin: 0 } }')).toEqual([])
  })
})
