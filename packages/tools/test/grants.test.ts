import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { agent, approve, type Policy, type Question, reject, tool } from '@loom-agent/agent'
import { scriptedModel } from '@loom-agent/testing'
import { grants } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loom-grants-'))
})
afterEach(() => rm(folder, { recursive: true }))

const place = () => ({ folder: join(folder, 'kept'), project: join(folder, 'project') })

/** Pays the amounts one after another; returns what was paid and how often a human was asked. */
async function pay(amounts: readonly number[], options: { remembered?: ReturnType<typeof grants>; permissions?: Policy; description?: string } = {}) {
  const paid: number[] = []
  const asked: Question[] = []
  const { remembered, permissions = { pay: 'ask' } } = options
  const payTool = tool({
    name: 'pay',
    input: options.description === undefined ? z.object({ amount: z.number() }) : z.object({ amount: z.number().describe(options.description) }),
    run: ({ amount }) => paid.push(amount),
  })
  const model = scriptedModel([...amounts.map((amount) => ({ calls: [{ tool: 'pay', input: { amount } }] })), 'Done.'])
  const human = (question: Question) => {
    asked.push(question)
    return reject('no')
  }
  await agent({ model, tools: [payTool], permissions, onQuestion: remembered?.resolver(human) ?? human }).run('go')
  return { paid, asked }
}

/** The question that is asked before the amount is paid. */
const questionOf = async (amount: number, permissions?: Policy): Promise<Question> =>
  (await pay([amount], permissions ? { permissions } : {})).asked[0] as Question

describe('a grant', () => {
  test('answers the question about the same call in another thread and another process, and no other', async () => {
    await grants(place()).remember(await questionOf(5), { by: 'ann' })
    const { paid, asked } = await pay([5, 6], { remembered: grants(place()) })
    expect(paid).toEqual([5])
    expect(asked.map(({ call }) => call?.input)).toEqual([{ amount: 6 }])
  })

  test('for a tool covers all its calls under the same rules (REMEMBER-2)', async () => {
    const remembered = grants(place())
    await remembered.remember(await questionOf(5), { by: 'ann', covers: 'tool' })
    expect((await pay([6, 7], { remembered })).paid).toEqual([6, 7])
    expect((await pay([6], { remembered, permissions: { 'p*': 'ask' } })).paid).toEqual([])
    expect((await pay([6], { remembered, description: 'Another tool of the same name.' })).paid).toEqual([])
  })

  test('loosens no rule that denies (REMEMBER-1)', async () => {
    const remembered = grants(place())
    await remembered.remember(await questionOf(5), { by: 'ann', covers: 'tool' })
    expect(await pay([5], { remembered, permissions: { pay: 'deny' } })).toEqual({ paid: [], asked: [] })
  })

  test('holds for its project alone, until its time is over or it is revoked (REMEMBER-3)', async () => {
    let now = 1000
    const remembered = grants({ ...place(), now: () => now, lasts: 500 })
    const grant = await remembered.remember(await questionOf(5), { by: 'ann' })
    expect(grant).toMatchObject({ tool: 'pay', by: 'ann', covers: 'arguments', at: 1000, expires: 1500 })
    expect(await remembered.list()).toEqual([grant])
    expect((await pay([5], { remembered: grants({ ...place(), project: join(folder, 'other'), now: () => now }) })).paid).toEqual([])
    now = 1500
    expect((await pay([5], { remembered })).paid).toEqual([])
    now = 1000
    expect((await pay([5], { remembered })).paid).toEqual([5])
    expect([await remembered.revoke(grant.id), await remembered.revoke(grant.id), await remembered.revoke('../x')]).toEqual([true, false, false])
    expect((await pay([5], { remembered })).paid).toEqual([])
  })

  test('names its author in the answer, and is kept in files that only the owner can read', async () => {
    const remembered = grants(place())
    const { id } = await remembered.remember(await questionOf(5), { by: 'ann' })
    expect(await remembered.resolver()(await questionOf(5))).toEqual(approve({ by: `ann (grant ${id})` }))
    expect((await stat(join(place().folder, `${id}.json`))).mode & 0o777).toBe(0o600)
    expect((await stat(place().folder)).mode & 0o777).toBe(0o700)
  })

  test('is not read from files that are no grants (REMEMBER-4)', async () => {
    const remembered = grants(place())
    const { id } = await remembered.remember(await questionOf(5), { by: 'ann' })
    const path = join(place().folder, `${id}.json`)
    for (const text of ['', '[]', 'null', '{"id":1}', `{"id":"${id}"}`]) {
      await writeFile(path, text)
      expect(await remembered.list()).toEqual([])
    }
    expect(await readdir(place().folder)).toHaveLength(1)
  })
})

describe('a grant for a command', () => {
  const project = () => place().project
  const put = async (name: string, text: string): Promise<void> => {
    await mkdir(join(project(), name, '..'), { recursive: true })
    await writeFile(join(project(), name), text)
  }
  const asks = async (command: string, cwd?: string): Promise<Question> => {
    const question = await questionOf(5)
    return { ...withTool(question, 'bash'), call: { id: '1.0', tool: 'bash', input: { command, ...(cwd !== undefined && { cwd }) } } }
  }
  /** Whether the grant answers the question. */
  const holds = async (question: Question): Promise<boolean> => (await grants(place()).resolver()(question)) !== undefined

  test.each([
    ['./deploy.sh', 'deploy.sh'],
    ['timeout 5 bash deploy.sh now', 'deploy.sh'],
    ['ls && node --require=./hook.js main.js', 'hook.js'],
    ['cd sub && ./deploy.sh', 'sub/deploy.sh'],
    ['npm test', 'package.json'],
    ['make -j2 all', 'Makefile'],
    ['. ./env.sh', 'env.sh'],
    ['./$(cat name) deploy.sh', 'deploy.sh'],
  ])('is void when a script of it has changed: %s, %s (REMEMBER-5)', async (command, file) => {
    await put(file, 'echo one')
    await grants(place()).remember(await asks(command), { by: 'ann' })
    expect(await holds(await asks(command))).toBe(true)
    await put(file, 'echo two')
    expect(await holds(await asks(command))).toBe(false)
    await put(file, 'echo one')
    expect(await holds(await asks(command))).toBe(true)
    await rm(join(project(), file))
    expect(await holds(await asks(command))).toBe(false)
  })

  test('is void when there is a script where none was, and in the folder that the call names', async () => {
    await mkdir(join(project(), 'sub'), { recursive: true })
    await grants(place()).remember(await asks('node build.js'), { by: 'ann' })
    await grants(place()).remember(await asks('./run', 'sub'), { by: 'ann' })
    expect([await holds(await asks('node build.js')), await holds(await asks('./run', 'sub'))]).toEqual([true, true])
    await put('build.js', '1')
    await put('run', '1')
    expect([await holds(await asks('node build.js')), await holds(await asks('./run', 'sub'))]).toEqual([false, true])
    await put('sub/run', '1')
    expect(await holds(await asks('./run', 'sub'))).toBe(false)
  })

  test('does not depend on files that it only reads', async () => {
    await put('notes.txt', 'one')
    await grants(place()).remember(await asks('cat notes.txt'), { by: 'ann' })
    await put('notes.txt', 'two')
    expect(await holds(await asks('cat notes.txt'))).toBe(true)
  })

  test('is refused where it runs more files than can be looked at', async () => {
    const command = `node ${Array.from({ length: 60 }, (_, number) => `s${number}.js`).join(' ')}`
    await expect(grants(place()).remember(await asks(command), { by: 'ann' })).rejects.toThrow(/more or larger files/)
  })
})

describe('what cannot be granted is refused, and nothing is written', () => {
  test.each([
    [
      'a question that asks for no call',
      async () => ({ ...(await questionOf(5)), kind: 'limit' as const }),
      {},
      /does not ask whether a call may run/,
    ],
    [
      'a question that several people must approve',
      () => questionOf(5, { rules: [{ tool: 'pay', verdict: 'ask', approvers: 2 }] }),
      {},
      /2 people must approve it/,
    ],
    ['all calls of a shell', async () => withTool(await questionOf(5), 'bash'), { covers: 'tool' }, /bash is granted call by call/],
    ['a grant of nobody', () => questionOf(5), { by: ' ' }, /by/],
  ] as const)('%s', async (_, question, given, message) => {
    const remembered = grants(place())
    await expect(remembered.remember(await question(), { by: 'ann', ...given })).rejects.toThrow(message)
    expect(await remembered.list()).toEqual([])
  })

  test('a folder inside of the project is refused: a tool could write there', () => {
    expect(() => grants({ project: folder, folder: join(folder, 'grants') })).toThrow(/is in the project/)
    expect(() => grants({ project: folder, folder })).toThrow(/is in the project/)
    expect(() => grants({ project: join(folder, 'a'), folder: join(folder, 'a..b') })).not.toThrow()
  })
})

const withTool = (question: Question, name: string): Question => ({ ...question, call: { id: '1.0', input: {}, ...question.call, tool: name } })
