import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Browser, openPage, startBrowser } from '../../src/browser/index.ts'

const html = `<!doctype html><html lang="en"><title>T</title><img src="/missing.png" alt=""><p>text</p>
<script>alert('hello'); console.error('printed'); fetch('/data'); void Promise.reject(new Error('thrown'))</script>`

let browser: Browser
const server = createServer((request, response) => {
  response.writeHead(request.url === '/' ? 200 : 404, { 'content-type': 'text/html' })
  response.end(request.url === '/' ? html : '')
})
let address = ''

beforeAll(async () => {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  browser = await startBrowser()
})
afterAll(async () => {
  await browser.close()
  server.close()
})

describe('a page of the test browser', () => {
  test('records what it asked for, what it threw, what it printed as an error, and its dialogs', async () => {
    const opened = await openPage(browser, address)
    await expect.poll(() => opened.errors).toContain('thrown')
    expect(opened.errors).toContain('printed')
    expect(opened.dialogs).toEqual(['hello'])
    await expect.poll(() => opened.requests).toEqual(expect.arrayContaining([address, `${address}missing.png`, `${address}data`]))
    await opened.close()
  })

  test('runs no script where scripts are off', async () => {
    const opened = await openPage(browser, address, { scripts: false })
    expect(await opened.page.textContent('p')).toBe('text')
    expect(opened.dialogs).toEqual([])
    expect(opened.errors.filter((error) => error === 'printed')).toEqual([])
    await opened.close()
  })

  test('reaches nothing where there is no network', async () => {
    await expect(openPage(browser, address, { offline: true })).rejects.toThrow('ERR_INTERNET_DISCONNECTED')
  })

  test('has the size and the colours that were asked for', async () => {
    const opened = await openPage(browser, 'data:text/html,<p>x', { width: 320, height: 640, colors: 'dark' })
    expect(await opened.page.evaluate('[innerWidth, innerHeight, matchMedia("(prefers-color-scheme: dark)").matches]')).toEqual([320, 640, true])
    await opened.close()
  })
})
