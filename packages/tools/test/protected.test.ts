/** Protected paths and journals: what rules do not loosen, and what no tool ever reads or writes (GUARD-1, GUARD-2, JOURNAL-FILE-1). */
import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { agent, approve, type Policy, reject, safeMode } from '@loom-agent/agent'
import { permissionMap } from '@loom-agent/agent/compat'
import { file } from '@loom-agent/journals/file'
import { sqlite } from '@loom-agent/journals/sqlite'
import { scriptedModel } from '@loom-agent/testing'
import { codePaths, type FileToolsOptions, fileTools, secretPaths } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { makeWorld, type ToolName, type World } from './world.ts'

let world: World
beforeEach(() => {
  world = makeWorld()
})
afterEach(() => world.remove())

function put(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(world.inRoot(path)), { recursive: true })
  writeFileSync(world.inRoot(path), content)
}

const inputs: Readonly<Record<ToolName, (path: string) => object>> = {
  read_file: (path) => ({ path }),
  write_file: (path) => ({ path, content: 'evil' }),
  edit: (path) => ({ path, edits: [{ old: 'old', new: 'evil' }] }),
  delete_file: (path) => ({ path }),
  list: (path) => ({ path }),
  glob: (path) => ({ path, pattern: '*' }),
  grep: (path) => ({ path, pattern: 'old' }),
  file_search: (path) => ({ path, query: 'a' }),
}

interface Tried {
  /** The questions that were asked. */
  readonly asked: readonly string[]
  /** What the model read. */
  readonly shown: string
}

/** One call of a tool by an agent whose rules allow everything; nobody approves unless it is said. */
async function tried(
  name: ToolName,
  path: string,
  options: { permissions?: Policy; tools?: Partial<FileToolsOptions>; approved?: boolean } = {},
): Promise<Tried> {
  const { permissions = { default: 'allow', [name]: 'allow' }, approved = false } = options
  const model = scriptedModel([{ calls: [{ tool: name, input: inputs[name](path) }] }, 'Done.'])
  const asked: string[] = []
  await agent({ model, tools: fileTools({ root: world.root, ...options.tools }), permissions }).run('Do it.', {
    onQuestion: ({ prompt }) => {
      asked.push(prompt)
      return approved ? approve() : reject('no')
    },
  })
  return { asked, shown: JSON.stringify(model.requests[1]?.prompt.at(-1) ?? '') }
}

/** Names that are protected, in the forms that some file system treats as the same. */
const spellings = [
  '.git/hooks/pre-commit',
  'sub/.git/config',
  '.GIT/config',
  '.git./config',
  '.git /config',
  'GIT~1/config',
  '.ｇit/config',
  '.gıt/config',
  '.git',
  '.git::$INDEX_ALLOCATION/config',
  '.git:stream',
  'a/../.git/config',
  '.husky/pre-commit',
  '.github/workflows/ci.yml',
  '.vscode/tasks.json',
  'packages/app/package.json',
  'PACKAGE.JSON',
  'PACKAG~1.JSO',
  '.gitattributes',
  'GITATT~1',
  '.bashrc',
  '.gitlab-ci.yaml',
  'Jenkinsfile',
  '.config/fish/config.fish',
]

const secretSpellings = [
  '.env',
  '.env.local',
  'packages/app/.Env',
  '.envrc',
  'certs/server.PEM',
  'ſerver.key',
  'id_rsa',
  'backup/id_ed25519.old',
  '.ssh/authorized_keys',
  '.ＳＳＨ/config',
  '.aws/credentials',
  '.config/gh/hosts.yml',
  '.npmrc',
  'NPMRC~1',
  '.netrc',
  '.loom/loom.db',
  '.bash_history',
]

describe('a protected path asks, whatever the rules say', () => {
  test.each([...spellings, ...secretSpellings])('before %s is written, edited or deleted', async (path) => {
    for (const name of ['write_file', 'edit', 'delete_file'] as const) {
      expect((await tried(name, path)).asked, name).toEqual([expect.stringContaining('is protected: it may')])
    }
    expect(existsSync(world.inRoot(path))).toBe(false)
  })

  test.each(secretSpellings)('before %s is read or searched', async (path) => {
    put(path, 'SECRET old')
    for (const name of ['read_file', 'grep'] as const) {
      const { asked, shown } = await tried(name, path)
      expect(asked, name).toEqual([expect.stringContaining('is protected: it may hold secrets')])
      expect(shown).not.toContain('SECRET')
    }
  })

  test('in safe mode, by a map of the original project, and without any policy', async () => {
    put('.env', 'SECRET')
    for (const permissions of [safeMode(), permissionMap({ file: 'allow', default: 'allow' }), permissionMap({ read_file: 'allow' })]) {
      expect((await tried('read_file', '.env', { permissions })).asked).toHaveLength(1)
    }
    const model = scriptedModel([{ calls: [{ tool: 'read_file', input: { path: '.env' } }] }, 'Done.'])
    expect((await agent({ model, tools: fileTools({ root: world.root }) }).run('Read it.')).status).toBe('waiting')
  })

  test('and an approval lets it happen', async () => {
    put('.env', 'SECRET')
    expect((await tried('read_file', '.env', { approved: true })).shown).toContain('SECRET')
    expect((await tried('write_file', '.github/ci.yml', { approved: true })).shown).toContain('created')
  })

  test('or is denied, where the program says so', async () => {
    put('.env', 'SECRET')
    const { asked, shown } = await tried('read_file', '.env', { tools: { protect: { verdict: 'deny' } }, approved: true })
    expect(asked).toEqual([])
    expect(shown).toContain('.env is protected: it may hold secrets')
  })

  test('and other patterns replace those of Loom', async () => {
    put('.env', 'plain')
    put('private/a.txt', 'SECRET')
    const tools = { protect: { secrets: ['private'] } }
    expect((await tried('read_file', '.env', { tools })).shown).toContain('plain')
    expect((await tried('read_file', 'private/a.txt', { tools })).asked).toHaveLength(1)
  })

  test.each(['.gitignore', 'env.txt', '.environment', 'git/notes.md', 'src/key.ts', 'my-package.json', 'id.rsa.md'])(
    'and %s is not protected',
    async (path) => {
      expect((await tried('write_file', path)).asked).toEqual([])
      expect((await tried('read_file', path)).asked).toEqual([])
    },
  )

  test('and every pattern of the lists protects a name that it stands for', async () => {
    for (const [list, name] of [
      [secretPaths, 'read_file'],
      [codePaths, 'write_file'],
    ] as const) {
      for (const pattern of list) expect((await tried(name, `a/${pattern.replaceAll('*', 'x')}`)).asked, pattern).toHaveLength(1)
    }
  })
})

describe('a link to a protected place', () => {
  test('is refused by every tool that opens it, with the place that it leads to', async () => {
    put('.git/config', 'old')
    put('.env', 'SECRET old')
    symlinkSync('.git', world.inRoot('harmless'))
    symlinkSync('.env', world.inRoot('notes.txt'))
    for (const name of ['write_file', 'edit', 'delete_file'] as const) {
      expect((await tried(name, 'harmless/config', { approved: true })).shown, name).toContain('link to .git')
    }
    for (const name of ['read_file', 'grep'] as const)
      expect((await tried(name, 'notes.txt', { approved: true })).shown, name).toContain('link to .env')
    expect(readFileSync(world.inRoot('.git/config'), 'utf8')).toBe('old')
  })

  test('is refused when it stands in another protected place, which is what was approved', async () => {
    put('.git/config', 'old')
    mkdirSync(world.inRoot('.github'))
    symlinkSync('../.git', world.inRoot('.github/l'))
    expect((await tried('write_file', '.github/l/config', { approved: true })).shown).toContain('link to .git')
  })
})

describe('searches', () => {
  test('leave the content of secrets out, and say so', async () => {
    put('a.txt', 'token=1')
    put('server.pem', 'token=SECRET')
    put('.env', 'token=SECRET')
    put('.ssh/config', 'token=SECRET')
    expect(await world.call('grep', { pattern: 'token', hidden: true })).toBe(
      'a.txt:1: token=1\n[left out: .env, .ssh/, server.pem, which may hold secrets; read_file asks for them]',
    )
    expect(await world.call('glob', { pattern: '*', hidden: true })).toBe(
      '.env\na.txt\nserver.pem\n[left out: .ssh/, which may hold secrets; read_file asks for them]',
    )
  })
})

describe('a journal', () => {
  const never = 'belongs to a database or a journal of Loom'
  const writing = ['write_file', 'edit', 'delete_file'] as const

  /** Every tool is refused after an approval, too. */
  async function untouched(path: string, tools: Partial<FileToolsOptions> = {}): Promise<void> {
    const before = existsSync(world.inRoot(path)) ? readFileSync(world.inRoot(path)) : undefined
    for (const name of [...writing, 'read_file'] as const) {
      const { shown } = await tried(name, path, { approved: true, tools })
      if (before || name === 'write_file') expect(shown, `${name} ${path}`).toContain(never)
    }
    expect(existsSync(world.inRoot(path)) ? readFileSync(world.inRoot(path)) : undefined).toEqual(before)
  }

  test('in SQLite is neither read nor changed, nor are its logs, which are not made either', async () => {
    const journal = sqlite(world.inRoot('agent.data'))
    await agent({ model: scriptedModel('Hi.'), journal }).run('Hello.', { thread: 't' })
    for (const path of ['agent.data', 'agent.data-wal']) await untouched(path)
    await journal.close()
    for (const path of ['agent.data', 'agent.data-wal', 'agent.data-journal', 'new.db-journal', 'new.sqlite3-WAL']) await untouched(path)
  })

  test('in files is neither read nor changed, and nothing is put beside its threads', async () => {
    const journal = file(world.inRoot('threads'))
    await agent({ model: scriptedModel('Hi.'), journal }).run('Hello.', { thread: 't' })
    await journal.close()
    await untouched('threads/t.jsonl')
    for (const path of ['threads/feed', 'threads/other.jsonl']) expect((await tried('write_file', path)).shown).toContain(never)
  })

  test('that the program names is neither read nor changed, even before it is there', async () => {
    const journals = [world.inRoot('mine'), world.inRoot('store.bin')]
    put('mine/a.txt', 'old')
    await untouched('mine/a.txt', { journals })
    await untouched('MINE/b.txt', { journals })
    await untouched('store.bin', { journals })
    await untouched('store.bin-wal', { journals })
    expect(await tried('write_file', 'minerals.txt', { tools: { journals } })).toMatchObject({ shown: expect.stringContaining('created') })
  })

  test('under another name is recognised by its first bytes, and not searched', async () => {
    put('notes.txt', 'SQLite format 3\0 old')
    put('thread.txt', '{"loom":"thread","format":2} old')
    await untouched('notes.txt')
    await untouched('thread.txt')
    expect(await world.call('grep', { pattern: 'old' })).toMatch(/^No line matches\.\n\[notes.txt was left out.*\n\[thread.txt was left out/)
  })
})

test('writing a name that is shared with a protected file leaves that file alone', async () => {
  put('.env', 'SECRET')
  linkSync(world.inRoot('.env'), world.inRoot('shared.txt'))
  expect((await tried('write_file', 'shared.txt')).shown).toContain('overwritten')
  expect(readFileSync(join(world.root, '.env'), 'utf8')).toBe('SECRET')
})
