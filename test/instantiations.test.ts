/**
 * What the types cost a program that is compiled against them: 20 tools with zod schemas and one agent that has them all.
 *
 * The figure is the compiler's whole count, imports included, against the declarations that `tsc -b` built: what a user's program is compiled with.
 */
import { expect, test } from 'vitest'
import { compile, errorsIn } from '../tools/compiler.ts'

const most = 25_000

/** What is wrong with a count, or nothing. */
const problemWith = (count: number): string | undefined => (count <= most ? undefined : `${count} type instantiations; at most ${most} are allowed`)

const schema = `z.object({
  id: z.number(),
  name: z.string(),
  kind: z.enum(['a', 'b']),
  tags: z.array(z.string()).optional(),
  place: z.object({ x: z.number(), y: z.number() }),
})`
const names = Array.from({ length: 20 }, (_, index) => `tool${index}`)
const ordinary = [
  `import { agent, tool } from 'loom-agent'`,
  `import { z } from 'zod'`,
  ...names.map((name) => `const ${name} = tool({ input: ${schema}, run: ({ id, place }) => id + place.x })`),
  `export const all = agent({ tools: { ${names.join(', ')} }, output: ${schema} })`,
].join('\n')

/** Types that explode: every level costs twice as much as the one below. */
const exploding = [
  `type Paths<Depth extends number, Path extends (0 | 1)[] = []> =`,
  `  Path['length'] extends Depth ? Path : Paths<Depth, [...Path, 0]> | Paths<Depth, [...Path, 1]>`,
  `export const path: Paths<10> = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1]`,
].join('\n')

/** One checker, so that the count is the same on every machine. */
async function instantiationsOf(program: string): Promise<number> {
  const options = { customConditions: [], types: [] }
  const printed = await compile({ programs: { 'program.ts': program }, options, flags: ['--extendedDiagnostics', '--singleThreaded'] })
  expect(errorsIn(printed)).toEqual([])
  return Number(/^Instantiations:\s+(\d+)$/m.exec(printed)?.[1])
}

test(`20 zod tools and an agent compile with at most ${most} type instantiations`, async () => {
  const count = await instantiationsOf(ordinary)
  console.log(`20 zod tools and an agent: ${count} type instantiations`)
  expect(count).toBeGreaterThan(1_000)
  expect(problemWith(count)).toBeUndefined()
})

test('types that explode are noticed', async () => {
  expect(problemWith(await instantiationsOf(exploding))).toMatch(/type instantiations; at most/)
  expect(problemWith(most + 1)).toBe('25001 type instantiations; at most 25000 are allowed')
  expect(problemWith(most)).toBeUndefined()
})
