/** Forks in a browser: the plan is shown before anything is made, and the fork is compared with its thread. */
import { type Agent, agent, memoryJournal, tool } from '@loom-agent/agent'
import { type Browser, openPage, startBrowser } from '@loom-agent/harness/browser'
import { type Journal, readEvents } from '@loom-agent/kernel'
import { type LoomServer, serve } from '@loom-agent/server/node'
import { studioHandler } from '@loom-agent/server/studio'
import { scriptedModel } from '@loom-agent/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildStudio } from '../../../tools/build-studio.ts'

let browser: Browser
let journal: Journal
let server: LoomServer
let clerk: Agent
let paid = 0

beforeAll(async () => {
  await buildStudio()
  browser = await startBrowser()
  journal = memoryJournal()
  clerk = agent({
    name: 'clerk',
    model: scriptedModel([
      ({ prompt }) => {
        const text = JSON.stringify(prompt)
        if (!text.includes('"tool-result"')) return { calls: [{ tool: 'lookup', input: { order: 7 } }] }
        return text.includes('in stock') && !text.includes('paid back') ? { calls: [{ tool: 'pay', input: { order: 7 } }] } : 'That is all.'
      },
    ]),
    tools: {
      lookup: tool({ description: 'Looks an order up.', effect: 'read', run: () => 'in stock' }),
      pay: tool({
        description: 'Pays money back.',
        effect: 'unsafe',
        run: () => {
          paid += 1
          return 'paid back'
        },
      }),
    },
    journal,
  })
  await clerk.run('What about order 7?', { thread: 'order-7' })
  server = await serve({ agents: [clerk], port: 0, recover: false, otherwise: studioHandler() })
})
afterAll(async () => {
  await browser.close()
  await server.close({ grace: 0 })
  await journal.close()
})

test('shows what a fork with another result would reuse and run, makes it, and compares it with its thread', async () => {
  expect(paid).toBe(1)
  const opened = await openPage(browser, server.startUrl ?? '')
  const { page } = opened
  await page.waitForSelector('main > :not(.skeleton)')
  const events = await journal.read('order-7')
  const looked = events.find(({ type }) => type === 'tool.finished')
  await page.goto(`${server.url}/threads/order-7@${looked?.seq}`)
  await page.getByRole('link', { name: 'Fork here' }).click()
  await page.waitForSelector('.fork-plan')
  const plan = await clerk.planFork(`order-7@${looked?.seq}`)
  expect(plan.reused.events).toBeGreaterThan(0)
  expect(await page.locator('.fork-plan').innerText()).toContain(`events ${plan.reused.events}`)
  expect(await page.locator('.fork-call').innerText()).toMatch(/pay\s+unsafe\s+people are asked first/)
  const effects = page.getByLabel('Effects behind the cut')
  await effects.selectOption('live')
  await expect.poll(() => page.locator('.fork-plan').innerText()).toContain('1 of them change')
  await effects.selectOption('ask')
  await page.getByLabel('Another result of a call').selectOption('1.0')
  await page.locator('textarea').fill('sold out')
  await expect.poll(() => page.locator('.fork-figures').innerText()).toContain(`order-7@${(looked?.seq ?? 0) - 1}`)
  // Looking at plans has made nothing.
  expect(await journal.threads()).toHaveLength(1)
  await page.getByRole('button', { name: 'Create the fork' }).click()
  await expect.poll(() => page.url()).toContain('/compare?a=order-7&b=')
  const fork = new URL(page.url()).searchParams.get('b') ?? ''
  await expect.poll(async () => JSON.stringify(await Array.fromAsync(readEvents(journal, fork)))).toContain('sold out')
  // It spends nothing before somebody has granted it.
  await expect.poll(async () => (await journal.head(fork))?.summary.status).toBe('waiting')
  await expect.poll(() => page.locator('.compare-row').filter({ hasText: 'sold out' }).count()).toBe(1)
  expect(await page.locator('.compare-row').filter({ hasText: 'sold out' }).innerText()).toContain('in stock')
  expect(await page.locator('.compare-row').filter({ hasText: 'paid back' }).innerText()).toContain('only in A')
  expect(paid).toBe(1)
  expect(opened.errors).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
  await opened.close()
})
