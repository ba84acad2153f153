/** The context debugger in a browser: a forgotten entry is found, its reason is that of the command line, and a replay brings it back. */
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Explanation, memoryJournal, type Presence, type RequestAt } from '@loom-agent/agent'
import { type Browser, type OpenedPage, type OpenPageOptions, openPage, startBrowser } from '@loom-agent/harness/browser'
import { migrate } from '@loom-agent/journals'
import { sqlite } from '@loom-agent/journals/sqlite'
import { manualClock } from '@loom-agent/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buildStudio } from '../../../tools/build-studio.ts'
import { makeSample, sampleStart } from './sample/make-sample.ts'
import { type SampleServer, serveStudio } from './sample/serve-sample.ts'

const folder = mkdtempSync(join(tmpdir(), 'loom-context-'))
const file = join(folder, 'loom.db')
const thread = 'inventory-2026-11'
const forgotten = 'yarn-0007'
let browser: Browser
let served: SampleServer

/** What the command line says of the same journal: another path to the same values. */
async function loom<T>(...words: readonly string[]): Promise<T> {
  const program = join(import.meta.dirname, '../../loom-agent/bin/loom.js')
  const given = ['--conditions=loom-source', program, ...words, '--journal', file, '--json']
  const { stdout } = await promisify(execFile)(process.execPath, given, { maxBuffer: 1 << 26 })
  return JSON.parse(stdout) as T
}

async function open(path: string, options?: OpenPageOptions): Promise<OpenedPage> {
  const opened = await openPage(browser, served.address, options)
  await opened.page.waitForSelector('main > :not(.skeleton)')
  await opened.page.goto(`${new URL(served.address).origin}/threads/${thread}${path}`)
  await opened.page.waitForSelector('.context-side')
  return opened
}

/** What an explanation says last: the reason for the place that was found. */
const reasonIn = (words: string): string => /Entry \d+ [^:]*: (.*)$/s.exec(words)?.[1] ?? 'no reason'

beforeAll(async () => {
  await buildStudio()
  const clock = manualClock(sampleStart)
  const memory = memoryJournal({ now: clock.now })
  await makeSample({ journal: memory, clock }, { turns: 140 })
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

describe('a forgotten entry', () => {
  test('is found by its text, and its reason is that of the command line', async () => {
    const said = await loom<Explanation>('explain', thread, forgotten)
    expect(said.asked?.isShown).toBe(false)
    const opened = await open('/context')
    await opened.page.keyboard.press('/')
    await opened.page.keyboard.type(forgotten)
    await opened.page.keyboard.press('Enter')
    await expect.poll(() => opened.page.url()).toContain(`find=${forgotten}`)
    await opened.page.locator('[role=option]', { hasText: forgotten }).locator('.weave-row > .cut').first().click()
    await expect.poll(() => opened.page.locator('.reason').innerText()).toContain(reasonIn(said.words))
    expect(await opened.page.locator('.context-side h2').first().innerText()).toBe('in a summary')
    expect(opened.errors).toEqual([])
    await opened.close()
  })

  test('comes back when the replay of another context is asked for', async () => {
    const said = await loom<Explanation>('explain', thread, forgotten)
    const seq = said.asked?.found[0]?.part.seq
    const before = await loom<Presence>('explain', thread, '--turns')
    const opened = await open(`/context?item=${seq}&side=what-if`)
    await opened.page.locator('.hint').first().click()
    await expect.poll(() => opened.page.locator('.outcome').innerText()).toContain('It would have been there.')
    await opened.page.getByRole('combobox').selectOption('window')
    await opened.page.getByRole('spinbutton').fill('3')
    await opened.page.getByRole('button', { name: 'Replay' }).click()
    await expect.poll(() => opened.page.locator('.outcome').innerText()).not.toContain('It would have been there.')
    expect(await loom<Presence>('explain', thread, '--turns')).toEqual(before)
    await opened.close()
  })
})

describe('the weave and its table', () => {
  test('say of every entry what the command line says', async () => {
    const { rows, turn } = await loom<Presence>('explain', thread, '--turns')
    const opened = await open('/context?view=table')
    await opened.page.waitForSelector('.entry-table')
    const words = { in: 'whole', trimmed: 'cut', summary: 'in a summary', dropped: 'dropped', absent: 'not sent' }
    const range = (from: number, to: number): string => (from === to ? `${from}` : `${from}–${to}`)
    const shown = await opened.page.locator('.entry-table tbody tr td:nth-child(2)').allInnerTexts()
    expect(shown).toEqual(rows.map(({ turns }) => turns.map(({ from, to, as }) => `${range(from, to)} ${words[as]}`).join(', ')))
    expect(await opened.page.locator('.turn-steps').innerText()).toContain(`turn ${turn} of ${turn}`)
    await opened.page.keyboard.press('t')
    const first = opened.page.locator('#entry-1 .strand')
    await first.first().waitFor()
    expect(await first.count()).toBe(rows[1]?.turns.length)
    await opened.close()
  })

  test('go through turns by keys, with the tokens of each', async () => {
    const opened = await open('/context')
    await opened.page.locator('body').press('ArrowLeft')
    await expect.poll(() => opened.page.locator('.turn-steps').innerText()).toContain('turn 140 of 141')
    const seq = /@(\d+)\/context/.exec(opened.page.url())?.[1]
    const said = await loom<Explanation>('explain', `${thread}@${seq}`)
    expect(said.turn).toBe(140)
    await expect.poll(() => opened.page.locator('.context-head .figures').innerText()).toContain(said.tokens.total.toLocaleString('en-US'))
    await opened.close()
  })
})

test('the request of a turn is what the command line prints, as text', async () => {
  const opened = await open('/context?side=request')
  await opened.page.waitForSelector('.context-side .json')
  const said = await loom<RequestAt>('request', thread)
  expect(await opened.page.locator('.context-side').innerText()).toContain(said.at)
  expect(await opened.page.locator('.context-side').innerText()).toContain('Count every item, and never let stock fall below 5.')
  await opened.close()
})

test.each([320, 768])('the page fits into %s pixels', async (width) => {
  const opened = await open('/context?item=7', { width, height: 640 })
  expect(await opened.page.evaluate('document.documentElement.scrollWidth')).toBe(width)
  await opened.close()
})
