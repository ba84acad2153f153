/** Servers that die, stall and misbehave: every call has a result, and no agent ends because of one. */
import { existsSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'
import { until } from '../../../../test/support/event-loop.ts'
import { call, caller, keepWorlds, textResult } from './mcp-setup.ts'

const worlds = keepWorlds()
afterEach(() => worlds.close())

/** What can be looked at of another process is the folder that Linux has for it. */
const isRunning = (pid: string): boolean => existsSync(`/proc/${pid}`)

test('a server that dies in a call gives the call a result of unknown outcome, and is started again for the next', async () => {
  const world = worlds.open({
    tools: [
      { name: 'pay', does: [{ effect: 'paid' }, { die: true }] },
      { name: 'greet', does: [{ reply: textResult('Hello.') }] },
    ],
  })
  const servers = world.servers()
  const run = await caller(servers, 'box_pay').run('Go.')
  expect(run).toMatchObject({ status: 'done', text: 'Done.' })
  expect(run.steps[0]?.calls[0]).toMatchObject({
    status: 'error',
    output: expect.stringMatching(/ended the connection.*Whether pay has done something is not known/),
  })
  expect(world.ledger()).toEqual(['paid'])
  expect(await call(servers, 'box_greet')).toContain('Hello.')
})

test('a server that gives no sign of life is given up, and one that reports progress is not', async () => {
  const world = worlds.open({
    tools: [
      { name: 'stall', does: [{ stall: true }] },
      { name: 'slow', does: [{ progress: 8, every: 100 }, { reply: textResult('At last.') }] },
    ],
  })
  const servers = world.servers({ servers: { box: { ...world.program, timeout: 400 } } })
  expect(await call(servers, 'box_stall')).toMatch(/gave no sign of life for 400 ms.*Whether stall has done something is not known/)
  expect(await call(servers, 'box_slow')).toContain('At last.')
})

test('lines that are no messages do not end a call; too many of them, or one that is too long, end the connection', async () => {
  const world = worlds.open({
    tools: [
      { name: 'noise', does: [{ garbage: 20 }, { reply: textResult('Through.') }] },
      { name: 'storm', does: [{ garbage: 5_000 }, { stall: true }] },
      { name: 'wide', does: [{ longLine: 20_000_000 }, { stall: true }] },
      { name: 'flood', does: [{ flood: 80_000 }, { stall: true }] },
    ],
  })
  const servers = world.servers()
  expect(await call(servers, 'box_noise')).toContain('Through.')
  expect(await call(servers, 'box_storm')).toContain('more than 1000 lines that are no messages')
  expect(await call(servers, 'box_wide')).toContain('a line of more than 16777216 characters')
  expect(await call(servers, 'box_flood')).toContain('more than 50000 messages that nobody had asked for')
})

test('a server that cannot be used has no tools, and the agent works without them', async () => {
  for (const begins of ['silent', 'garbage', 'dies'] as const) {
    const world = worlds.open({ begins, complains: 'no licence, sk-ant-api03-abcdefghijklmnopqrstuvwxyz', tools: [{ name: 'greet' }] })
    const servers = world.servers({ servers: { box: { ...world.program, connectTimeout: 900 } } })
    expect(await servers.tools()).toEqual({})
    expect(world.notices).toEqual([
      { server: 'box', kind: 'unavailable', message: expect.stringMatching(/^The MCP server box cannot be used: .*no licence/) },
    ])
    expect(JSON.stringify(world.notices)).not.toContain('abcdefghijklmnop')
  }
  const world = worlds.open({})
  const missing = world.servers({ servers: { box: { command: '/nowhere/server' } } })
  expect(await missing.tools()).toEqual({})
  expect(world.notices).toMatchObject([{ message: expect.stringContaining('its program was not found') }])
})

test('a program that ends when it is asked for its protocol is started again and not asked', async () => {
  const world = worlds.open({ begins: 'dies when asked', tools: [{ name: 'greet', does: [{ reply: textResult('Hello.') }] }] })
  expect(await call(world.servers(), 'box_greet')).toContain('Hello.')
})

test('a server that ends again and again is started less often', async () => {
  const world = worlds.open({ tools: [{ name: 'pay', does: [{ die: true }] }] })
  const servers = world.servers()
  const outputs: unknown[] = []
  for (let times = 0; times < 5; times += 1) outputs.push(await call(servers, 'box_pay'))
  expect(outputs.at(-1)).toMatch(/has failed \d times in a row. It is tried again in \d+ s/)
})

test('a server that asks for a reply of the model is refused, with the reason', async () => {
  const world = worlds.open({ tools: [{ name: 'think', does: [{ sample: true }] }] })
  expect(await call(world.servers(), 'box_think')).toContain('This client gives servers no replies of its models')
  expect(world.notices).toMatchObject([{ kind: 'sampling-refused' }])
})

test('closing ends the program and what it has started', async () => {
  const world = worlds.open({ tools: [{ name: 'fork', does: [{ spawn: true }] }] })
  const servers = world.servers()
  await call(servers, 'box_fork')
  const [child = ''] = world.ledger()
  expect(isRunning(child)).toBe(true)
  await servers.close()
  await until(() => !isRunning(child))
  expect(await call(servers, 'box_fork')).toContain('was closed by the program')
})

test('a run that is stopped in a call leaves the call', async () => {
  const world = worlds.open({ tools: [{ name: 'stall', does: [{ effect: 'begun' }, { stall: true }] }] })
  const run = caller(world.servers(), 'box_stall').start('Go.')
  await until(() => world.ledger().includes('begun'))
  await run.stop('enough')
  expect(await run.result()).toMatchObject({ status: 'stopped' })
})
