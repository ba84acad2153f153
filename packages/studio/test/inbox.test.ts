/** The inbox in a browser: real runs ask, somebody answers there, and the journal says what came of it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Agent, agent, answer, approve, reject, tool } from '@loom-agent/agent'
import { type Browser, type OpenedPage, type OpenPageOptions, openPage, startBrowser } from '@loom-agent/harness/browser'
import { sqlite } from '@loom-agent/journals/sqlite'
import type { Journal } from '@loom-agent/kernel'
import { type LoomServer, serve } from '@loom-agent/server/node'
import { studioHandler } from '@loom-agent/server/studio'
import { scriptedModel } from '@loom-agent/testing'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildStudio } from '../../../tools/build-studio.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-inbox-'))
let browser: Browser
let journal: Journal
let server: LoomServer
let refunds: Agent
let paid: unknown[]
let count = 0

beforeAll(async () => {
  await buildStudio()
  browser = await startBrowser()
})
beforeEach(async () => {
  journal = sqlite(join(folder, `${count++}.db`))
  paid = []
  const call = (amount: number, note: string) => ({ calls: [{ tool: 'refund', input: { order: 7, amount, note } }] })
  refunds = agent({
    name: 'refunds',
    model: scriptedModel([
      ({ prompt }) => {
        if (prompt.at(-1)?.role === 'tool') return `Ended: ${JSON.stringify(prompt.at(-1))}`
        return call(59, JSON.stringify(prompt).includes('long') ? `${'because it was lost. '.repeat(600)}END` : 'lost\u202e')
      },
    ]),
    tools: {
      refund: tool({
        description: 'Pays money back.',
        effect: 'unsafe',
        permission: 'ask',
        run: (input) => {
          paid.push(input)
          return 'paid'
        },
      }),
    },
    journal,
  })
  server = await serve({ agents: [refunds], port: 0, recover: false, otherwise: studioHandler() })
})
afterEach(async () => {
  await server.close({ grace: 0 })
  await journal.close()
})
afterAll(async () => {
  await browser.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Opens the inbox with a session. */
async function open(options?: OpenPageOptions): Promise<OpenedPage> {
  const opened = await openPage(browser, server.startUrl ?? '', options)
  await opened.page.waitForSelector('main > :not(.skeleton)')
  await opened.page.goto(`${server.url}/inbox`)
  await opened.page.waitForSelector('.inbox')
  return opened
}

const status = async (thread: string): Promise<string | undefined> => (await journal.head(thread))?.summary.status

/** What was answered on a thread, as the journal has it. */
async function answers(thread: string): Promise<readonly unknown[]> {
  const events = await journal.read(thread)
  return events.flatMap(({ type, data }) => (type === 'question.answered' ? [data.answer] : []))
}

describe('the inbox', () => {
  test('approves by keys what a run asks, and the run ends', async () => {
    const opened = await open()
    await expect.poll(() => opened.page.locator('main').innerText()).toContain('Nothing waits for you.')
    const result = await refunds.run('Refund order 7.', { thread: 'order-7' })
    expect(result.status).toBe('waiting')
    // The question appears by itself, whole, and with what cannot be seen by its name.
    await expect.poll(() => opened.page.locator('.asked-body').innerText()).toContain('"amount": 59')
    expect(await opened.page.locator('.asked-body .hidden-character').allInnerTexts()).toEqual(['U+202E'])
    expect(await opened.page.getByRole('checkbox').count()).toBe(0)
    await opened.page.waitForSelector('.asked-answers .primary:enabled')
    expect(paid).toEqual([])
    await opened.page.keyboard.press('A')
    await expect.poll(() => status('order-7')).toBe('done')
    expect(paid).toEqual([{ order: 7, amount: 59, note: 'lost\u202e' }])
    expect(await answers('order-7')).toEqual([{ kind: 'approve' }])
    await expect.poll(() => opened.page.locator('main').innerText()).toContain('Approved: refund')
    expect(opened.errors).toEqual([])
    await opened.close()
  })

  test('answers nothing before its end was in view, on a screen as small as a phone', async () => {
    await refunds.run('Refund order 7, it is a long story.', { thread: 'long' })
    const opened = await open({ width: 320, height: 568 })
    await opened.page.locator('.inbox-row').click()
    await opened.page.waitForSelector('.asked-answers')
    expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(320)
    const approveButton = opened.page.locator('.asked-answers .primary')
    expect(await approveButton.isDisabled()).toBe(true)
    await opened.page.keyboard.press('A')
    await opened.page.keyboard.press('R')
    expect(await opened.page.locator('textarea').count()).toBe(0)
    expect(await answers('long')).toEqual([])
    await opened.page.locator('.asked-scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await opened.page.waitForSelector('.asked-answers .primary:enabled')
    expect(await opened.page.locator('.asked-body').innerText()).toContain('END"')
    await approveButton.click()
    await expect.poll(() => status('long')).toBe('done')
    expect(paid).toHaveLength(1)
    await opened.close()
  })

  test('approves other arguments, and rejects with a reason that the model reads', async () => {
    await refunds.run('Refund order 7.', { thread: 'edited' })
    const opened = await open()
    await opened.page.waitForSelector('.asked-answers .primary:enabled')
    await opened.page.keyboard.press('E')
    const field = opened.page.locator('textarea')
    // What is edited is the value that was proposed, hidden characters as escapes.
    expect(await field.inputValue()).toContain('"lost\\u202e"')
    await field.fill('{"order": 7, amount: 5}')
    await opened.page.keyboard.press('Control+Enter')
    expect(await opened.page.getByRole('alert').innerText()).toContain('no JSON')
    await field.fill('{"order": 7, "amount": 5}')
    await opened.page.keyboard.press('Control+Enter')
    await expect.poll(() => status('edited')).toBe('done')
    expect(paid).toEqual([{ order: 7, amount: 5 }])
    await refunds.run('Refund order 7.', { thread: 'rejected' })
    await opened.page.waitForSelector('.asked-answers .primary:enabled')
    await opened.page.keyboard.press('R')
    await opened.page.locator('textarea').fill('It was delivered.')
    await opened.page.keyboard.press('Control+Enter')
    await expect.poll(() => status('rejected')).toBe('done')
    expect(paid).toHaveLength(1)
    expect(await answers('rejected')).toEqual([{ kind: 'reject', reason: 'It was delivered.' }])
    await opened.close()
  })

  test('says that somebody was faster, and records nothing of the answer that came too late', async () => {
    const { questions } = await refunds.run('Refund order 7.', { thread: 'raced' })
    const opened = await open()
    await opened.page.waitForSelector('.asked-answers .primary:enabled')
    // The page does not hear of the other answer before it sends its own.
    await opened.page.route('**/api/v1/stream*', (route) => route.abort())
    await opened.page.route('**/api/v1/questions', (route) => route.abort())
    await answer(journal, questions[0]?.id ?? '', reject('No.', { by: 'ann' }))
    await opened.page.evaluate("document.querySelector('.asked-answers .primary')?.click()")
    await expect.poll(() => opened.page.getByRole('alert').first().innerText()).toContain('Somebody was faster')
    expect(await answers('raced')).toEqual([{ kind: 'reject', reason: 'No.' }])
    expect(paid).toEqual([])
    await opened.close()
  })

  test('says so where the question that an address names is not open any more', async () => {
    const { questions } = await refunds.run('Refund order 7.', { thread: 'settled' })
    const id = questions[0]?.id ?? ''
    await refunds.answer(id, approve())
    const opened = await open()
    await opened.page.goto(`${server.url}/inbox?question=${encodeURIComponent(id)}`)
    await expect.poll(() => opened.page.locator('main').innerText()).toContain('not open any more')
    await opened.close()
  })
})
