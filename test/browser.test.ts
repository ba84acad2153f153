/**
 * Loom outside Node: the examples are bundled as for a browser and run where only the language and the web's own globals exist.
 *
 * Names that only Node has are replaced by marks while bundling. The bundler does so for free names alone, so a local variable of that name is none.
 */
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build, type Plugin, type Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
/** Bytes, zipped, of everything but zod. */
const most = 56 * 1024
const nodeNames = ['process', 'Buffer', 'require', 'module', 'global', 'setImmediate', 'clearImmediate', '__dirname', '__filename']
const marks = Object.fromEntries(nodeNames.flatMap((name) => [name, `globalThis.${name}`].map((use) => [use, `only_in_node_${name}`])))

/** Loaded when an agent needs a model by its id, and not before: a program that gives a model object never loads it. */
const onUse = '@loom-agent/models'
/** Left as imports, so that a bundle shows which of them it needs. */
const nodeModules = [/^node:/, ...builtinModules, onUse]

/** A program, bundled for the browser into one file of text. */
async function bundle(entry: string, options: { external?: string[]; plugins?: Plugin[]; split?: boolean } = {}): Promise<string> {
  const built = await build({
    configFile: false,
    root,
    logLevel: 'error',
    define: marks,
    plugins: options.plugins ?? [],
    // What is published, as users bundle it: `npm test` builds it first.
    resolve: { conditions: ['browser', 'module', 'import', 'default'] },
    // As a library: Vite adds nothing of its own, such as its loader of styles.
    build: {
      write: false,
      target: 'esnext',
      lib: { entry, formats: ['es'], fileName: 'bundle' },
      rolldownOptions: { external: [...nodeModules, ...(options.external ?? [])], output: { codeSplitting: options.split === true, minify: true } },
    },
  })
  const { output } = [built].flat()[0] as Rolldown.RolldownOutput
  if (options.split !== true) expect(output).toHaveLength(1)
  return atStart(output)
}

/** The entry and everything it imports at once; what is loaded on use is not there yet. */
function atStart(output: Rolldown.RolldownOutput['output']): string {
  const chunks = new Map(output.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, chunk] as const] : [])))
  const found = new Map<string, string>()
  const add = (name: string): void => {
    const chunk = chunks.get(name)
    if (!chunk || found.has(name)) return
    found.set(name, chunk.code)
    for (const next of chunk.imports) add(next)
  }
  add(output[0].fileName)
  return [...found.values()].join('\n')
}

/** What a bundle uses that only Node has. */
const nodeIn = (code: string): readonly string[] => [...new Set(code.match(/only_in_node_\w+/g))]

/** The imports that are left; the word "import" in a list of words is none. */
const importsIn = (code: string): readonly string[] => [...code.matchAll(/\bimport\b[^'"`;]*["'`]([\w@.][^'"`]*)["'`]/g)].map(([, name = '']) => name)

const webNames = [
  ...['AbortController', 'AbortSignal', 'Blob', 'DOMException', 'Event', 'EventTarget', 'ReadableStream', 'TextDecoder', 'TextEncoder'],
  ...['TransformStream', 'URL', 'URLSearchParams', 'WritableStream', 'atob', 'btoa', 'clearInterval', 'clearTimeout', 'crypto', 'fetch'],
  ...['performance', 'queueMicrotask', 'setInterval', 'setTimeout', 'structuredClone'],
] as const

/** Runs a bundle to its end without Node, and returns what it logged. */
async function runOutsideNode(code: string): Promise<readonly string[]> {
  const said: string[] = []
  const web = Object.fromEntries(webNames.map((name) => [name, globalThis[name]]))
  const context = createContext({ ...web, console: { log: (...words: readonly unknown[]) => said.push(words.join(' ')) } })
  await runInContext(`(async () => {\n${code}\n})()`, context)
  return said
}

const examples = [
  { name: 'tool', says: 'The tool says 4.' },
  { name: 'approval', says: 'Order 7 is refunded.' },
  { name: 'multi-agent', says: 'Dear reader: looms have had power since 1785.' },
]

describe.each(examples)('the example $name, bundled for the browser', ({ name, says }) => {
  const entry = join(root, 'examples', name, 'main.ts')

  test('uses nothing that only Node has, imports nothing before it is used, and says without Node what it says with it', async () => {
    const code = await bundle(entry)
    expect(nodeIn(code)).toEqual([])
    expect(importsIn(code)).toEqual([onUse])
    expect(code).toMatch(/\bimport\(["'`]@loom-agent\/models["'`]\)/)
    expect(await runOutsideNode(code)).toEqual([says])
  })

  test(`takes at most ${most / 1024} kB, zipped and without zod`, async () => {
    const size = gzipSync(await bundle(entry, { external: ['zod'], split: true })).length
    console.log(`${name}: ${(size / 1024).toFixed(1)} kB`)
    expect(size).toBeGreaterThan(10 * 1024)
    expect(size).toBeLessThanOrEqual(most)
  })
})

test('the example hello, whose model cannot be loaded there, ends with an error', async () => {
  const code = await bundle(join(root, 'examples/hello/main.ts'))
  await expect(runOutsideNode(code)).rejects.toMatchObject({ name: 'LoomError', code: 'LOOM_RUN_FAILED' })
})

/** Bundles a program that is only a text. */
function bundleText(code: string): Promise<string> {
  const program = join(root, 'program.js')
  const text: Plugin = {
    name: 'text',
    enforce: 'pre',
    resolveId: (id) => (id === program ? id : null),
    load: (id) => (id === program ? code : null),
  }
  return bundle(program, { plugins: [text] })
}

test('a JSON Schema is checked outside Node, by a validator that comes with the first value', async () => {
  const code = await bundleText(`
    import { scriptedModel } from '@loom-agent/testing'
    import { agent, jsonSchema, tool } from 'loom-agent'
    const input = jsonSchema({ type: 'object', properties: { a: { type: 'number' } }, required: ['a'] })
    const twice = tool({ input, run: ({ a }) => 2 * a })
    const model = scriptedModel([
      { calls: [{ tool: 'twice', input: { a: 'one' } }] },
      { calls: [{ tool: 'twice', input: { a: 2 } }] },
      ({ prompt }) => prompt.filter(({ role }) => role === 'tool').map(({ content }) => content[0].output.type).join(', '),
    ])
    console.log((await agent({ model, tools: { twice } }).run('Twice 2?')).text)
  `)
  expect(await runOutsideNode(code)).toEqual(['error-text, json'])
})

describe('a bundle that needs Node is noticed', () => {
  test.each([
    ['a global', `console.log(process.platform)`, 'only_in_node_process'],
    ['a look for a global', `console.log(typeof Buffer)`, 'only_in_node_Buffer'],
    ['a member of globalThis', `console.log(globalThis.process)`, 'only_in_node_process'],
    ['require', `console.log(require)`, 'only_in_node_require'],
  ])('by %s', async (_, code, use) => {
    expect(nodeIn(await bundleText(code))).toEqual([use])
  })

  test.each(['node:fs', 'fs', 'node:assert/strict'])('by an import of %s', async (name) => {
    expect(importsIn(await bundleText(`import * as all from '${name}'\nconsole.log(all)`))).toEqual([name])
    expect(importsIn(await bundleText(`console.log(await import('${name}'))`))).toEqual([name])
  })

  test('and a name that is its own is none', async () => {
    expect(nodeIn(await bundleText(`const process = () => 'mine'\nconsole.log(process({ process }))`))).toEqual([])
  })

  test('also when it runs', async () => {
    await expect(runOutsideNode(`process.exit`)).rejects.toThrow('process is not defined')
    await expect(runOutsideNode(`Buffer.from('')`)).rejects.toThrow('Buffer is not defined')
  })
})
