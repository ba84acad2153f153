/** Control of threads in a browser: runs are started, steered, paused, resumed and stopped there, and the journal says what came of it. */
import { type Agent, agent, memoryJournal, tool } from '@loom-agent/agent'
import { type Browser, type OpenedPage, openPage, startBrowser } from '@loom-agent/harness/browser'
import type { EventType, Journal } from '@loom-agent/kernel'
import { type LoomServer, serve } from '@loom-agent/server/node'
import { studioHandler } from '@loom-agent/server/studio'
import { scriptedModel } from '@loom-agent/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildStudio } from '../../../tools/build-studio.ts'

let browser: Browser
let journal: Journal
let server: LoomServer
let digger: Agent
let release: () => void

beforeAll(async () => {
  await buildStudio()
  browser = await startBrowser()
})
beforeEach(async () => {
  journal = memoryJournal()
  // One call at a time is under way until it is released.
  const held = { go: () => {} }
  release = () => held.go()
  digger = agent({
    name: 'digger',
    model: scriptedModel([
      ({ prompt }) => {
        const text = JSON.stringify(prompt)
        const done = prompt.filter(({ role }) => role === 'tool').length
        if (text.includes('Only say hello')) return 'Hello.'
        return text.includes('That is enough') || done >= 3 ? `Dug ${done} times.` : { calls: [{ tool: 'dig', input: { depth: done } }] }
      },
    ]),
    tools: {
      dig: tool({
        description: 'Digs.',
        effect: 'read',
        run: (_, { signal }) =>
          new Promise<string>((resolve, reject) => {
            held.go = () => resolve('deeper')
            signal.addEventListener('abort', () => reject(new Error('stopped')))
          }),
      }),
    },
    journal,
  })
  server = await serve({ agents: [digger], port: 0, recover: false, otherwise: studioHandler() })
})
afterEach(async () => {
  release()
  await server.close({ grace: 0 })
  await journal.close()
})
afterAll(() => browser.close())

/** Opens an address with a session. */
async function open(path: string, width = 1400): Promise<OpenedPage> {
  const opened = await openPage(browser, server.startUrl ?? '', { width })
  await opened.page.waitForSelector('main > :not(.skeleton)')
  await opened.page.goto(`${server.url}${path}`)
  await opened.page.waitForSelector('main > :not(.skeleton)')
  return opened
}

const status = async (thread: string): Promise<string | undefined> => (await journal.head(thread))?.summary.status
const count = async (thread: string, type: EventType): Promise<number> => (await journal.read(thread)).filter((event) => event.type === type).length

/** Starts a run that is in its first call, and opens it. */
async function openRunning(thread: string): Promise<OpenedPage> {
  void digger
    .start('Dig.', { thread })
    .result()
    .catch(() => {})
  await expect.poll(() => count(thread, 'tool.started')).toBe(1)
  const opened = await open(`/threads/${thread}`)
  await opened.page.waitForSelector('.control-bar')
  return opened
}

describe('the studio', () => {
  test('starts a run by keys, and goes on with it as a conversation', async () => {
    const opened = await open('/threads')
    await opened.page.locator('body').press('n')
    await opened.page.locator('dialog select').selectOption('digger')
    await opened.page.locator('dialog textarea').fill('Only say hello, please.')
    await opened.page.keyboard.press('Control+Enter')
    await expect.poll(() => opened.page.url()).toContain('?view=chat')
    const thread = decodeURIComponent(new URL(opened.page.url()).pathname.split('/')[2] ?? '')
    await expect.poll(() => status(thread)).toBe('done')
    await expect.poll(() => opened.page.locator('.chat').innerText()).toContain('Hello.')
    await opened.page.locator('.control-field').fill('Only say hello again.')
    await opened.page.keyboard.press('Enter')
    await expect.poll(() => count(thread, 'run.finished')).toBe(2)
    await expect.poll(() => opened.page.locator('.chat').innerText()).toContain('Only say hello again.')
    expect(await opened.page.locator('.control-field').inputValue()).toBe('')
    expect(opened.errors).toEqual([])
    await opened.close()
  })

  test('steers the run under way: its next turn reads the message', async () => {
    const opened = await openRunning('steered')
    await opened.page.locator('.control-field').fill('That is enough.')
    await opened.page.getByRole('button', { name: 'Steer' }).click()
    await expect.poll(() => opened.page.locator('.control-note').innerText()).toContain('Sent')
    release()
    await expect.poll(() => status('steered')).toBe('done')
    expect(await count('steered', 'tool.started')).toBe(1)
    await opened.close()
  })

  test('pauses a run, and resumes it where it was', async () => {
    const opened = await openRunning('paused')
    await opened.page.getByRole('button', { name: 'Pause', exact: true }).last().click()
    await expect.poll(() => opened.page.locator('.control-note').innerText()).toContain('Asked to pause')
    release()
    await expect.poll(() => status('paused')).toBe('waiting')
    expect(await count('paused', 'tool.started')).toBe(1)
    await opened.page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => count('paused', 'tool.started')).toBe(2)
    await opened.close()
  })

  test('stops a run', async () => {
    const opened = await openRunning('stopped')
    await opened.page.getByRole('button', { name: 'Stop' }).click()
    await expect.poll(() => status('stopped')).toBe('stopped')
    await expect.poll(() => opened.page.getByRole('button', { name: 'Send' }).count()).toBe(1)
    await opened.close()
  })

  test('says what was refused, and keeps the message', async () => {
    await digger.run('Only say hello.', { thread: 'lost' })
    const opened = await open('/threads/lost', 320)
    await opened.page.locator('.control-field').fill('Only say hello again.')
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    await journal.remove('lost')
    await server.close({ grace: 0 })
    await opened.page.keyboard.press('Enter')
    await expect.poll(() => opened.page.locator('.control-bar [role=alert]').innerText()).toContain('This was not done.')
    expect(await opened.page.locator('.control-field').inputValue()).toBe('Only say hello again.')
    await opened.close()
  })
})
