/** The studio in a browser, over threads that real runs have made. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { memoryJournal } from '@loom-agent/agent'
import { type Browser, type OpenedPage, type OpenPageOptions, openPage, startBrowser } from '@loom-agent/harness/browser'
import { migrate } from '@loom-agent/journals'
import { sqlite } from '@loom-agent/journals/sqlite'
import { manualClock } from '@loom-agent/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildStudio } from '../../../tools/build-studio.ts'
import { makeSample, sampleStart } from './sample/make-sample.ts'
import { type SampleServer, serveStudio } from './sample/serve-sample.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-studio-'))
const file = join(folder, 'loom.db')
let browser: Browser
let served: SampleServer

/** What the command line says of the same journal: another path to the same figures. */
async function loom<T>(...words: readonly string[]): Promise<T> {
  const program = join(import.meta.dirname, '../../loom-agent/bin/loom.js')
  const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=loom-source', program, ...words, '--journal', file, '--json'])
  return JSON.parse(stdout) as T
}

/** Opens an address with a session, and waits until it shows something. */
async function open(path: string, options?: OpenPageOptions): Promise<OpenedPage> {
  const opened = await openPage(browser, served.address, options)
  // The session has begun when the first page shows something: a page that is left earlier takes its request back.
  await opened.page.waitForSelector('main > :not(.skeleton)')
  await opened.page.goto(`${new URL(served.address).origin}${path}`)
  await opened.page.waitForSelector('main > :not(.skeleton)')
  return opened
}

const text = async ({ page }: OpenedPage, selector: string): Promise<string> => (await page.locator(selector).first().innerText()).trim()

/** The figures of the head of the workbench, by their names. */
const figures = async ({ page }: OpenedPage): Promise<Record<string, string>> =>
  Object.fromEntries((await page.locator('.bench-head .figures > div').allInnerTexts()).map((figure) => figure.split('\n') as [string, string]))

beforeAll(async () => {
  await buildStudio()
  const clock = manualClock(sampleStart)
  const memory = memoryJournal({ now: clock.now })
  await makeSample({ journal: memory, clock }, { turns: 60 })
  const journal = sqlite(file)
  await migrate(memory, journal)
  served = await serveStudio(journal)
  browser = await startBrowser()
})
afterAll(async () => {
  await browser.close()
  await served.close()
  await served.journal.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('every page', () => {
  test.each([
    '/',
    '/threads',
    '/threads/order-8812',
    '/threads/looms-report@9?view=tree',
    '/threads/order-9044?view=chat',
    '/threads/inventory-2026-11?view=calls',
  ])('%s asks for nothing outside, and neither throws nor complains', async (path) => {
    const opened = await open(path)
    const { origin } = new URL(served.address)
    expect(opened.requests.filter((address) => !address.startsWith(origin))).toEqual([])
    expect(opened.errors).toEqual([])
    expect(opened.page.url()).not.toContain('token')
    await opened.close()
  })

  test.each([320, 768])('fits into %s pixels', async (width) => {
    for (const path of ['/', '/threads', '/threads/order-8812@17', '/threads/looms-report?view=calls']) {
      const opened = await open(path, { width, height: 640 })
      expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      await opened.close()
    }
  })

  test('says that there is no session where there is none', async () => {
    const opened = await openPage(browser, `${new URL(served.address).origin}/threads`)
    await expect.poll(() => text(opened, 'main')).toContain('loom serve')
    await opened.close()
  })
})

describe('the first page', () => {
  test('has the figures that the command line gives', async () => {
    const rows = await loom<readonly { thread: string; status: string; seq: number }[]>('runs', '--children', '--limit', '100')
    const opened = await open('/')
    await opened.page.waitForSelector('.loom-name')
    const shown = await opened.page.locator('.loom-name').allInnerTexts()
    expect(shown).toHaveLength(rows.length)
    for (const { thread, status, seq } of rows) {
      const row = shown.find((one) => one.split('\n')[0] === thread)
      expect(row).toContain(status)
      expect(row).toContain(seq.toLocaleString('en-US'))
    }
    const waiting = await loom<readonly { prompt: string }[]>('questions')
    expect(await opened.page.locator('.question-row').count()).toBe(waiting.length)
    await opened.close()
  })
})

describe('the list of threads', () => {
  test('has the threads that the command line lists, in the same order', async () => {
    const rows = await loom<readonly { thread: string }[]>('runs', '--limit', '100')
    const opened = await open('/threads')
    await opened.page.waitForSelector('[role=option]')
    expect(await opened.page.locator('.thread-name > .code').allInnerTexts()).toEqual(rows.map(({ thread }) => thread))
    await opened.close()
  })

  test('is filtered by its address, and opened by keys alone', async () => {
    const opened = await open('/threads')
    await opened.page.getByRole('button', { name: 'failed' }).click()
    await expect.poll(() => opened.page.url()).toContain('status=failed')
    await expect.poll(() => opened.page.locator('.thread-name > .code').allInnerTexts()).toEqual(['order-9001'])
    await opened.page.getByRole('listbox').focus()
    await opened.page.keyboard.press('ArrowDown')
    await opened.page.keyboard.press('Enter')
    await expect.poll(() => opened.page.url()).toContain('/threads/order-9001')
    await opened.close()
  })
})

describe('the workbench', () => {
  test('has the figures that the command line gives', async () => {
    const rows = await loom<readonly { thread: string; seq: number; turns: number; tokens: number; cost: number }[]>(
      'runs',
      '--usage',
      '--limit',
      '100',
    )
    for (const { thread, seq, turns, tokens, cost } of rows.filter((row) =>
      ['looms-report', 'inventory-2026-11', 'order-8812'].includes(row.thread),
    )) {
      const opened = await open(`/threads/${thread}`)
      await opened.page.waitForSelector('.bench-head')
      const shown = await figures(opened)
      expect(shown['events']).toBe(seq.toLocaleString('en-US'))
      expect(shown['turns']).toBe(String(turns))
      expect(shown['tokens']).toBe(`${(tokens / 1_000).toFixed(1)}k`)
      expect(shown['cost']).toBe(`$${(cost / 1_000_000).toFixed(2)}`)
      await opened.close()
    }
  })

  test('has one selection: the address, the list, the scrubber, the detail and the figures are of the same moment', async () => {
    const headers = await loom<readonly { seq: number; type: string }[]>('show', 'order-8812', '--events', '--limit', '100')
    const opened = await open('/threads/order-8812')
    await opened.page.waitForSelector('#event-1')
    await opened.page.locator('#event-6').click()
    await expect.poll(() => opened.page.url()).toMatch(/order-8812@7$/)
    expect(await text(opened, '.detail-head h2')).toBe(headers[6]?.type)
    expect(await opened.page.getByRole('slider').inputValue()).toBe('7')
    expect((await figures(opened))['turns']).toBe('1')
    expect(await opened.page.locator('[aria-selected=true][role=option]').getAttribute('id')).toBe('event-6')
    await opened.page.locator('body').press('j')
    await expect.poll(() => opened.page.url()).toMatch(/@8$/)
    await opened.page.getByRole('slider').fill('15')
    await expect.poll(() => text(opened, '.detail-head h2')).toBe(headers[14]?.type ?? '')
    expect((await figures(opened))['turns']).toBe('2')
    await opened.close()
  })

  test('draws spans where they are: a click on one selects it', async () => {
    const opened = await open('/threads/looms-report')
    const box = await opened.page.locator('.chart canvas').boundingBox()
    await opened.page.mouse.click((box?.x ?? 0) + 40, (box?.y ?? 0) + 70)
    await expect.poll(() => text(opened, '.detail-head h2')).toBe('model.replied')
    await opened.close()
  })

  test('goes on with the thread while it is looked at', async () => {
    const opened = await open('/threads/order-9044')
    await opened.page.waitForSelector('.question')
    const before = (await figures(opened))['events']
    const [question] = await loom<readonly { id: string; thread: string }[]>('questions', '--thread', 'order-9044')
    await loom('answer', question?.id ?? '', '--reject', 'not lost')
    await expect.poll(async () => Number((await figures(opened))['events'])).toBeGreaterThan(Number(before))
    await opened.close()
  })
})
