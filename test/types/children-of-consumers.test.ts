/**
 * Children and their dependencies as the compiler of a user judges them: against the declarations that `tsc -b` built, under the options that users have.
 */
import { expect, test } from 'vitest'
import { compile, errorsIn } from '../../tools/compiler.ts'

const lines = [
  `import { agent, tool } from 'loom-agent'`,
  `export interface Shop { readonly orders: Map<number, string> }`,
  `const shop: Shop = { orders: new Map() }`,
  `const look = tool<Shop>()({ name: 'look', run: (_, ctx) => ctx.deps.orders.size })`,
  `const child = agent<Shop>()({ name: 'child', tools: [look] })`,
  `const plain = agent({ name: 'plain' })`,
  // What compiles.
  `await agent<Shop>()({ tools: { child, plain } }).run('Hi', { deps: shop })`,
  `await agent<Shop>()({ tools: [child], deps: () => shop }).run('Hi')`,
  `await agent({ tools: { child: child.with({ deps: shop }), plain } }).run('Hi')`,
  `await agent({ tools: { nested: agent({ tools: { child } }) } }).run('Hi', { deps: shop })`,
  `export const right = tool<Shop>()({ durable: true, run: (_, ctx) => ctx.run(child, 'Go.') })`,
  // What does not.
  `await agent({ tools: { child } }).run('Hi') // wrong`,
  `await agent({ tools: { nested: agent({ tools: [child] }) } }).run('Hi') // wrong`,
  `export const other = agent<{ readonly other: string }>()({ tools: { child } }) // wrong`,
  `export const listed = agent<{ readonly other: string }>()({ tools: [child] }) // wrong`,
  `export const run = tool({ durable: true, run: (_, ctx) => ctx.run(child, 'Go.') }) // wrong`,
  `await plain.run('Hi', { tools: { child } }) // wrong`,
]
const wrong = lines.flatMap((line, index) => (line.endsWith('// wrong') ? [index + 1] : []))

const strict = { strict: true, exactOptionalPropertyTypes: false, noUncheckedIndexedAccess: false, noPropertyAccessFromIndexSignature: false }

test.each([
  ['strict alone', strict],
  ['strict, with every further option of the workspace', {}],
  ['strict, with the declarations of libraries checked', { ...strict, skipLibCheck: false }],
])('an agent whose dependencies its parent cannot give is a type error: %s', async (_, options) => {
  const printed = await compile({ programs: { 'program.ts': lines.join('\n') }, options: { customConditions: [], types: [], ...options } })
  const found = errorsIn(printed).map(({ line }) => line)
  expect([...new Set(found)]).toEqual(wrong)
})
