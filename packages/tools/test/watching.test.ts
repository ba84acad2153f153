/** Commands and tools of others, with a look at the files around each call (WATCH-1 to WATCH-3, JOB-4). */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Tool, tool } from '@loom-agent/agent'
import { sqlite } from '@loom-agent/journals/sqlite'
import { scriptedModel } from '@loom-agent/testing'
import { fileTools, recoverJobs, type ShellTools, type ShellToolsOptions, shellTools, type WorkspaceOptions } from '@loom-agent/tools'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../../../test/support/event-loop.ts'
import { modeOf, type ScriptedCall, sha, type WorkspaceWorld, workspaceWorld } from './workspace-world.ts'

let world: WorkspaceWorld
const worlds: WorkspaceWorld[] = []
const makeWorld = (options?: Partial<WorkspaceOptions>): WorkspaceWorld => {
  worlds.push(workspaceWorld(options))
  return worlds.at(-1) as WorkspaceWorld
}
beforeEach(() => {
  world = makeWorld()
})
afterEach(() => {
  for (const one of worlds.splice(0)) one.remove()
})

const shell = ({ root, files }: WorkspaceWorld, options: Partial<ShellToolsOptions> = {}): ShellTools =>
  shellTools({ cwd: root, grace: 100, sandbox: 'none', workspace: files, ...options })
const bash = (command: string, more: object = {}): ScriptedCall => ['bash', { command, ...more }]

describe('a command that is watched', () => {
  test('records what it has changed, with contents and permissions, and is rewound', async () => {
    world.put('a.txt', 'one', 0o644)
    world.put('b.sh', 'echo', 0o644)
    world.put('sub/c.txt', 'c')
    const start = await world.run('t', [])
    await world.run(
      't',
      [bash('printf two > a.txt; chmod 755 b.sh; rm -r sub; mkdir -p new/deep; printf n > new/deep/n.txt; ln -s a.txt link')],
      shell(world),
    )
    const [finished] = await world.recorded('t', 'tool.finished')
    expect(finished?.files).toEqual([
      { path: 'a.txt', before: sha('one'), after: sha('two'), modes: [0o644, 0o644] },
      { path: 'b.sh', before: sha('echo'), after: sha('echo'), modes: [0o644, 0o755] },
      { path: 'link', before: null, after: sha('a.txt'), modes: [null, 'link'] },
      { path: 'new/deep/n.txt', before: null, after: sha('n'), modes: [null, expect.any(Number)] },
      { path: 'sub/c.txt', before: sha('c'), after: null, modes: [expect.any(Number), null] },
    ])
    expect(finished).not.toHaveProperty('unseen')
    expect(JSON.stringify(finished?.output)).not.toContain(sha('one'))
    const { conflicts } = await world.agentFor([]).rewind(`t@${start}`)
    expect(conflicts).toEqual([])
    expect(world.contents()).toEqual({ 'a.txt': 'one', 'b.sh': 'echo', 'sub/c.txt': 'c' })
    expect(modeOf(world.root, 'b.sh')).toBe(0o644)
  })

  test('brings a link back that it has removed, unless that leads out', async () => {
    world.put('a.txt', 'one')
    symlinkSync('a.txt', join(world.root, 'in'))
    symlinkSync('/etc/passwd', join(world.root, 'out'))
    const start = await world.run('t', [])
    await world.run('t', [bash('rm in out')], shell(world))
    const { conflicts } = await world.agentFor([]).rewind(`t@${start}`)
    expect(world.contents()).toEqual({ 'a.txt': 'one', in: '-> a.txt' })
    expect(conflicts).toMatchObject([{ path: 'out', reason: 'refused', detail: expect.stringContaining('leads out') }])
  })

  test('says nothing where it changed nothing', async () => {
    world.put('a.txt', 'one')
    await world.run('t', [bash('cat a.txt; touch a.txt')], shell(world))
    const [finished] = await world.recorded('t', 'tool.finished')
    expect(finished).not.toHaveProperty('files')
    expect(finished?.output).toMatchObject({ type: 'json', value: { output: 'one' } })
  })

  test('is seen to change a file again in the same moment and with the same size', async () => {
    world.put('a.txt', 'aa')
    const calls = ['bb', 'cc', 'dd'].map((content) => bash(`printf ${content} > a.txt; touch -d 2020-01-01 a.txt`))
    await world.run('t', calls, shell(world))
    const finished = await world.recorded('t', 'tool.finished')
    expect(finished.map(({ files }) => files?.map(({ after }) => after))).toEqual([[sha('bb')], [sha('cc')], [sha('dd')]])
  })

  test('is told apart from what people did between calls', async () => {
    world.put('a.txt', 'one')
    const tools = shell(world)
    await world.run('t', [bash('printf two > a.txt')], tools)
    world.put('a.txt', 'theirs')
    await world.run('t', [bash('printf x > b.txt')], tools)
    const finished = await world.recorded('t', 'tool.finished')
    expect(finished[1]?.files?.map(({ path }) => path)).toEqual(['b.txt'])
  })

  test('that is stopped records what it has changed until then', async () => {
    const stopping = world.agentFor([bash(`printf x > a.txt; until [ -f ${world.base}/never ]; do sleep 0.02; done`)], { tools: shell(world) })
    const run = stopping.start('Go.', { thread: 't' })
    await until(async () => Object.keys(world.contents()).length > 0)
    run.stop('enough')
    await run.result()
    const [finished] = await world.recorded('t', 'tool.finished')
    expect(finished).toMatchObject({ files: [{ path: 'a.txt', before: null, after: sha('x') }] })
  })

  test('leaves out .git, node_modules, journals and temporary files of the tools', async () => {
    const journal = sqlite(join(world.root, 'loom.db'))
    try {
      const tools = { ...shell(world) }
      await world
        .agentFor([bash('mkdir -p .git node_modules/x; echo 1 > .git/a; echo 2 > node_modules/x/b; echo 3 > c')], { tools, journal })
        .run('Go.', { thread: 't' })
      const events = await journal.read('t')
      expect(events.flatMap(({ type, data }) => (type === 'tool.finished' ? (data.files ?? []).map(({ path }) => path) : []))).toEqual(['c'])
    } finally {
      await journal.close()
    }
  })

  test('never keeps what may be a secret', async () => {
    world.put('.env', 'KEY=1')
    const write = tool({ name: 'write', run: () => world.put('.env', 'KEY=2') })
    await world.run('t', [['write', {}]], { write: world.files.watching(write) })
    const [finished] = await world.recorded('t', 'tool.finished')
    expect(finished?.files).toMatchObject([{ path: '.env', before: sha('KEY=1') }])
    expect(finished).not.toHaveProperty('contents')
  })
})

describe('beyond the bounds', () => {
  const many = (count: number): void => {
    for (let index = 0; index < count; index += 1) world.put(`f${index}`, String(index))
  }

  test.each<[string, Partial<WorkspaceOptions>, string]>([
    ['of files', { maxFiles: 5 }, 'the folder has more than 5 files'],
    ['of bytes', { maxBytes: 5 }, 'the files of the folder have more than 5 bytes'],
    ['of time', { maxTime: 1 }, 'to look at the folder takes more than 1 milliseconds'],
  ])('%s the record says so, and what was seen counts', async (what, bounds, why) => {
    world = makeWorld(bounds)
    many(what === 'of time' ? 2_000 : 12)
    await world.run('t', [bash('echo changed > f0; rm f9')], shell(world))
    const [finished] = await world.recorded('t', 'tool.finished')
    expect(finished?.unseen).toBe(why)
    expect(finished?.files ?? []).not.toContainEqual(expect.objectContaining({ path: 'f9' }))
    const { unseen } = await world.agentFor([]).planRewind('t@1')
    expect(unseen).toEqual([`the call 1.0: ${why}`])
  })

  test('the question whether a command may run says that it is not restorable', async () => {
    const prompts = async (bounds: Partial<WorkspaceOptions>): Promise<string> => {
      world = makeWorld(bounds)
      many(7)
      const { questions } = await world.agentFor([bash('ls')], { tools: shell(world), permissions: { bash: 'ask' } }).run('Go.', { thread: 't' })
      return questions[0]?.prompt ?? ''
    }
    expect(await prompts({})).toBe('May bash run with these arguments?')
    expect(await prompts({ maxFiles: 5 })).toBe(
      'May bash run with these arguments? What it changes is not restorable: the folder has more than 5 files.',
    )
    expect(await prompts({ contents: 'hashes' })).toBe(
      'May bash run with these arguments? What it changes is not restorable: its workspace keeps no contents.',
    )
  })
})

describe('a tool of others', () => {
  const writing = (run: () => unknown): Tool => tool({ name: 'write', description: 'Writes.', run })

  test('is watched like a command, whatever it returns or throws', async () => {
    const write = (content: string) => (): string => {
      world.put('a.txt', content)
      return content
    }
    const throwing = (): never => {
      world.put('a.txt', 'thrown')
      throw new Error('The disk is tired')
    }
    for (const [index, body] of [write('one'), throwing].entries()) {
      await world.run(`t${index}`, [['write', {}]], { write: world.files.watching(writing(body)) })
      const [finished] = await world.recorded(`t${index}`, 'tool.finished')
      expect(finished?.files).toMatchObject([{ path: 'a.txt', after: sha(index === 0 ? 'one' : 'thrown') }])
      expect(JSON.stringify(finished?.output)).toContain(index === 0 ? 'one' : 'The disk is tired')
    }
  })

  test('that only reads is returned as it is, and a durable one is refused', () => {
    const reading = tool({ name: 'look', effect: 'read', run: () => 'x' })
    expect(world.files.watching(reading)).toBe(reading)
    expect(() => world.files.watching(fileTools({ root: world.root }).edit)).toThrow('durable')
  })

  test('does not run beside another one: what each has changed could not be told apart', async () => {
    const order: string[] = []
    const slow = (name: string): Tool =>
      tool({
        name,
        schedule: { parallel: true },
        async run() {
          order.push(`${name} begins`)
          await new Promise((done) => setImmediate(done))
          writeFileSync(join(world.root, name), name)
          order.push(`${name} ends`)
          return name
        },
      })
    const model = [{ calls: ['x', 'y'].map((name) => ({ tool: name, input: {} })) }, 'Done.']
    const tools = [world.files.watching(slow('x')), world.files.watching(slow('y'))]
    await world.agentFor([], { model: scriptedModel(model), tools }).run('Go.', { thread: 't' })
    expect(order).toEqual(['x begins', 'x ends', 'y begins', 'y ends'])
    const finished = await world.recorded('t', 'tool.finished')
    expect(finished.map(({ files }) => files?.map(({ path }) => path))).toEqual([['x'], ['y']])
  })
})

describe('a background job', () => {
  const jobsOf = () => ({ folder: join(world.base, 'jobs'), journal: world.journal })
  const changed = () => world.recorded('t', 'workspace.changed')

  test('has what it changed recorded when it has ended, without what calls have recorded', async () => {
    world.put('a.txt', 'one')
    const tools = { ...shell(world, { jobs: jobsOf() }), ...fileTools({ root: world.root, workspace: 'snapshots' }) }
    const start = await world.run('t', [])
    await world.run(
      't',
      [
        bash(`until [ -f ${world.base}/go ]; do sleep 0.02; done; printf job > b.txt; printf three > a.txt`, { background: true }),
        ['write_file', { path: 'c.txt', content: 'by a call' }],
        ['write_file', { path: 'a.txt', content: 'two' }],
      ],
      tools,
    )
    expect(await changed()).toEqual([])
    writeFileSync(join(world.base, 'go'), '')
    await until(async () => (await changed()).length > 0)
    const [fact] = await changed()
    expect(fact).toMatchObject({ by: expect.stringMatching(/^job:/) })
    expect(fact?.files).toMatchObject([
      { path: 'a.txt', before: sha('two'), after: sha('three') },
      { path: 'b.txt', before: null, after: sha('job') },
    ])
    const { conflicts } = await world.agentFor([]).rewind(`t@${start}`)
    expect(conflicts).toEqual([])
    expect(world.contents()).toEqual({ 'a.txt': 'one' })
  })

  test('whose process was lost is found by the next one, and recorded once', async () => {
    world.put('a.txt', 'one')
    await world.run('t', [])
    const quiet = shell(world, { jobs: { folder: join(world.base, 'jobs') } })
    await world.run('t', [bash('printf job > a.txt', { background: true })], quiet)
    await until(async () => readFileSync(join(world.root, 'a.txt'), 'utf8') === 'job')
    await until(async () => (await recoverJobs({ ...jobsOf(), workspace: world.files }))[0]?.status === 'ended')
    await recoverJobs({ ...jobsOf(), workspace: world.files })
    const facts = (await changed()).flatMap(({ files = [] }) => files)
    expect([...facts, ...(await world.recorded('t', 'tool.finished')).flatMap(({ files = [] }) => files)]).toMatchObject([
      { path: 'a.txt', before: sha('one'), after: sha('job') },
    ])
  })
})
