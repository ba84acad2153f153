/** The check of the pages finds what it is there for: each rule reports a planted fault, and is silent without it. */
import { describe, expect, test } from 'vitest'
import { declarationsOf, forwardedBy } from '../tools/api/declarations.ts'
import { checkListed, type Offered } from '../tools/docs/listed.ts'
import { checkNamed, type Existing } from '../tools/docs/named.ts'
import { checkPlaces, placesIn } from '../tools/docs/places.ts'
import { checkSentences } from '../tools/docs/sentences.ts'

const built = `/** Makes a cup. */
export declare function cup(options: CupOptions): void;
export declare function bare(): void;
/**
 * What a cup takes. It is
 * not much.
 */
export interface CupOptions {
    readonly size?: number;
    /** Whether it is hot. */
    readonly hot?: {
        readonly now: boolean;
    };
    /** Fills it. */
    fill<T>(what: T): void;
    readonly kind: 'cup';
}
export type { Pot, Lid as PotLid } from './pot.ts';
`
const declarations = declarationsOf(built)

describe('the declarations that the compiler writes are read', () => {
  test('with first sentences and members, without the fields of inner objects and the tags of unions', () => {
    expect([...declarations.keys()]).toEqual(['cup', 'bare', 'CupOptions'])
    expect(declarations.get('cup')?.sentence).toBe('Makes a cup.')
    expect(declarations.get('CupOptions')).toEqual({
      name: 'CupOptions',
      kind: 'interface',
      sentence: 'What a cup takes.',
      members: [
        { name: 'size', sentence: '' },
        { name: 'hot', sentence: 'Whether it is hot.' },
        { name: 'fill', sentence: 'Fills it.' },
      ],
    })
  })

  test('with the names that come from other files', () => {
    expect(forwardedBy(built)).toEqual([
      { name: 'Pot', original: 'Pot', from: './pot.ts' },
      { name: 'PotLid', original: 'Lid', from: './pot.ts' },
    ])
  })
})

test('an export or a field without a sentence is counted, and reported for the umbrella', () => {
  const { problems, summary } = checkSentences(new Map([['loom-agent', declarations]]))
  expect(problems).toEqual(['loom-agent: bare has no JSDoc sentence', 'loom-agent: CupOptions.size has no JSDoc sentence'])
  expect(summary).toBe('documented 4 of 6 in loom-agent')
})

describe('a page that names', () => {
  const existing: Existing = { entries: new Set(['loom-agent', '@loom-agent/agent']), scripts: new Set(['check']), words: new Set(['agent', 'loom']) }
  const problemsOf = (text: string) => checkNamed([{ file: 'docs/page.md', text }], existing)

  test('what exists is right', () => {
    expect(problemsOf('Import `agent` from loom-agent or @loom-agent/agent, see `tools/check-docs.ts`, then npm run check.')).not.toContainEqual(
      expect.stringMatching(/package|command|path/),
    )
  })

  test.each([
    ['a package that is not there', 'Import @loom-agent/kitchen.', 'the package or entry @loom-agent/kitchen'],
    ['an entry that is not there', 'Import loom-agent/kitchen.', 'the package or entry loom-agent/kitchen'],
    ['a command that is not there', 'Then `npm` is run: npm run cook.', 'the command npm run cook'],
    ['a path that is not there', 'See `agent` in `tools/agent.loom`.', 'the path tools/agent.loom'],
    ['an option that is not there', 'Set `kettle`.', 'kettle (in `kettle`)'],
  ])('%s is reported', (_, text, what) => {
    expect(problemsOf(text)).toContain(`docs/page.md names ${what}, which does not exist`)
  })
})

describe('what the pages leave out', () => {
  const offered: Offered = {
    entries: new Set(['loom-agent']),
    packages: ['kitchen'],
    scripts: new Set(['check']),
    exports: new Map([['loom-agent', declarations]]),
  }
  const page = { file: 'docs/reference/page.md', text: '`loom-agent`: `cup`, `bare`, `CupOptions`, `size`, `hot`, `fill`. npm run check.' }

  test('is reported: the line of a package, where every package has one', () => {
    expect(checkListed([page, { file: 'ARCHITECTURE.md', text: '\n| `cellar` | wine |' }], offered)).toEqual([
      'ARCHITECTURE.md has no line for packages/kitchen',
    ])
    expect(checkListed([page, { file: 'ARCHITECTURE.md', text: '\n| `kitchen` | cups |' }], offered)).toEqual([])
  })

  test('is nothing, when everything is named', () => {
    expect(checkListed([page], offered)).toEqual([])
  })

  test.each([
    ['a package', '`loom-agent`', 'no page names the package or entry loom-agent'],
    ['a command', 'npm run check', 'no page names npm run check'],
    ['an export', '`bare`', 'docs/reference does not name bare, which loom-agent exports'],
    ['an option', '`size`', 'docs/ names no option size of CupOptions (loom-agent)'],
  ])('is reported: %s', (_, named, problem) => {
    expect(checkListed([{ ...page, text: page.text.replace(named, '') }], offered)).toEqual([problem])
  })
})

test('a page that says where a function is must be right, in a sentence or in the row of a table', () => {
  const text = [
    'See `checkPlaces` in [places.ts](tools/docs/places.ts) and `gone` in [places.ts](tools/docs/places.ts).',
    '| | function | file |',
    '| 1 | `placesIn` of the check | [places.ts](tools/docs/places.ts) |',
    '| 2 | `moved` | the same |',
    '| 3 | `lost` | [nowhere.ts](tools/docs/nowhere.ts) |',
  ].join('\n')
  const page = { file: 'page.md', text }
  expect(placesIn(page).map(({ name }) => name)).toEqual(['checkPlaces', 'gone', 'placesIn', 'moved', 'lost'])
  expect(checkPlaces([page])).toEqual([
    'page.md says that gone is in tools/docs/places.ts, and it is not',
    'page.md says that moved is in tools/docs/places.ts, and it is not',
    'page.md says that lost is in tools/docs/nowhere.ts, and it is not',
  ])
})
