/** Attacks on rules for files: other spellings, links, names that are exchanged after the call was judged (PATH-1 to PATH-3, JUDGED-1). */
import { mkdirSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { agent, type Policy } from '@loom-agent/agent'
import { toolDefinitionOf } from '@loom-agent/agent/kit'
import { isLoomError } from '@loom-agent/kernel'
import { scriptedModel } from '@loom-agent/testing'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../../packages/tools/test/world.ts'
import { noteFigure } from './figure.ts'

const files = ['open/a.txt', 'open/deep/b.txt', 'shut/a.txt', 'shut/deep/c.txt', 'top.txt', 'open/.env', 'open/deep/server.pem']
/** Links, and where they lead. */
const links: Readonly<Record<string, string>> = {
  way: 'open',
  'open/side': '../shut',
  'open/deep/file': '../../shut/a.txt',
  'shut/back': '../open/deep',
  round: 'way/side/back',
}

let world: World
beforeEach(() => {
  world = makeWorld()
  for (const file of files) {
    mkdirSync(world.inRoot(dirname(file)), { recursive: true })
    writeFileSync(world.inRoot(file), `this is ${file}.`)
  }
  for (const [link, target] of Object.entries(links)) symlinkSync(target, world.inRoot(link))
})
afterEach(() => world.remove())

/** What a model reads under a policy that asks nobody, for each of the paths. */
async function resultsOf(paths: readonly string[], permissions: Policy): Promise<readonly string[]> {
  const model = scriptedModel([{ calls: paths.map((path) => ({ tool: 'read_file', input: { path } })) }, 'Done.'])
  const reader = agent({ model, tools: world.tools, permissions, behaviour: { unattended: 'deny' } })
  await reader.run('go')
  const results = model.requests[1]?.prompt.at(-1)
  return Array.isArray(results?.content) ? results.content.map((part) => JSON.stringify(part)) : []
}

const names = ['open', 'shut', 'deep', 'a.txt', 'b.txt', 'c.txt', 'top.txt', 'way', 'side', 'file', 'back', 'round', '.env', 'server.pem']
const spelled = fc.constantFrom(...names, '.', '..', '', 'OPEN', 'Shut', 'ｓhut')
const anyPath = fc.array(spelled, { minLength: 1, maxLength: 6 }).map((parts) => parts.join('/'))
const ways = fc.constantFrom(
  'open/a.txt',
  'way/a.txt',
  'way/side/a.txt',
  'open/deep/file',
  'round/b.txt',
  'round/file',
  'way/side/deep/c.txt',
  './shut//a.txt',
)
const pattern = fc.constantFrom('open/**', './shut/**', '*.txt', 'open/*', 'shut/deep/**', '{open,shut}/*.txt', 'top.txt', '**/deep/**', 'way/**')

/** A reading of these patterns that shares nothing with Loom's. */
const sourceOf = (text: string): string => {
  const one = text.replace(/^\.\//, '').replace(/[.*]/g, (found) => (found === '.' ? '\\.' : '§'))
  const wide = one.replace(/§§\//g, '(?:.*/)?').replace(/§§/g, '.*').replace(/§/g, '[^/]*')
  const braced = wide.replace(/\{([^}]*)\}/g, (_, list: string) => `(?:${list.replace(/,/g, '|')})`)
  return text.includes('/') ? `^${braced}$` : `^(?:.*/)?${braced}$`
}
const meets = (text: string, path: string): boolean => new RegExp(sourceOf(text)).test(path)

/** The file that a path leads to, told by the file system. */
function fileOf(path: string): string | undefined {
  try {
    const real = realpathSync(world.inRoot(path))
    readFileSync(real)
    return relative(world.root, real)
  } catch {
    return undefined
  }
}

let tried = 0

describe('rules for files', () => {
  it('that deny are not got around by any spelling or link', async () => {
    await fc.assert(
      fc.asyncProperty(pattern, fc.array(fc.oneof(anyPath, ways), { minLength: 10, maxLength: 10 }), async (text, paths) => {
        const results = await resultsOf(paths, { [`read_file(${text})`]: 'deny', default: 'allow' })
        for (const result of results) {
          tried += 1
          for (const file of files) if (result.includes(`this is ${file}.`)) expect(meets(text, file), `${text} ${file}`).toBe(false)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('that allow allow only what they name, by its name and by the place that is opened', async () => {
    let read = 0
    await fc.assert(
      fc.asyncProperty(pattern, fc.array(fc.oneof(anyPath, ways), { minLength: 10, maxLength: 10 }), async (text, paths) => {
        const results = await resultsOf(paths, { [`read_file(${text})`]: 'allow', default: 'deny' })
        for (const [index, result] of results.entries()) {
          tried += 1
          const found = files.find((file) => result.includes(`this is ${file}.`))
          if (found === undefined) continue
          read += 1
          const given = join(paths[index] ?? '').replace(/\/$/, '')
          expect(meets(text, found) && meets(text, given), `${text} ${given} ${found}`).toBe(true)
          expect(found).toBe(fileOf(given))
        }
      }),
      { numRuns: 60 },
    )
    expect(read).toBeGreaterThan(20)
    noteFigure({ what: 'reads of files under random rules, by random spellings and links', tried, wrong: 0 })
  })

  it('that deny are met by every spelling that some file system takes for the same name', async () => {
    const paths = ['OPEN/a.txt', 'ｏpen/a.txt', 'open./a.txt', 'open ::$DATA/a.txt', 'oPen/A.TXT']
    for (const result of await resultsOf(paths, { 'read_file(open/a.txt)': 'deny', default: 'allow' })) expect(result).toContain('is not permitted')
  })

  it('with wildcards allow no secret that they do not name', async () => {
    const results = await resultsOf(['open/.env', 'open/deep/server.pem', 'open/a.txt'], { 'read_file(open/**)': 'allow', default: 'deny' })
    expect(results.map((result) => /this is/.test(result))).toEqual([false, false, true])
  })

  it('about what is below a folder are met by a search of it', async () => {
    const model = scriptedModel([{ calls: ['.', 'way', 'open'].map((path) => ({ tool: 'grep', input: { path, pattern: 'this is' } })) }, 'Done.'])
    await agent({ model, tools: world.tools, permissions: { 'grep(open/deep/**)': 'deny', default: 'allow' } }).run('go')
    expect(JSON.stringify(model.requests[1]?.prompt)).not.toContain('this is open/deep')
  })

  it.each(['read_file', 'write_file', 'grep', 'list'] as const)('hold where a link is exchanged after %s was judged', async (name) => {
    const path = name === 'grep' || name === 'list' ? 'way' : 'way/a.txt'
    const input = { path, pattern: '.', recursive: true, content: 'evil' }
    const parts = await toolDefinitionOf(world.tools[name]).matcher?.parts(input)
    expect(parts?.at(-1)?.text).toMatch(/^open/)
    rmSync(world.inRoot('way'))
    symlinkSync('shut', world.inRoot('way'))
    expect(isLoomError(await world.call(name, input))).toBe(true)
    expect(readFileSync(world.inRoot('shut', 'a.txt'), 'utf8')).toBe('this is shut/a.txt.')
  })
})
