/** A page whose requests, errors and dialogs are all recorded, so that a test can say that there were none. */
import type { Browser, Page } from 'playwright-core'

/** How a page is opened. */
export interface OpenPageOptions {
  /** Its size in CSS pixels; 1400 by 900 by default. */
  readonly width?: number
  readonly height?: number
  /** What the system prefers; light by default. */
  readonly colors?: 'light' | 'dark'
  /** Whether there is no network; false by default. */
  readonly offline?: boolean
  /** Whether scripts run; true by default. */
  readonly scripts?: boolean
  /** Whether the Content Security Policy of the page is ignored; false by default. */
  readonly ignorePolicy?: boolean
}

/** A page, and what it did. */
export interface OpenedPage {
  readonly page: Page
  /** Every address that was asked for, with the page's own. */
  readonly requests: readonly string[]
  /** What was thrown and not caught, and what the console called an error. */
  readonly errors: readonly string[]
  /** The text of every dialog, which is dismissed. */
  readonly dialogs: readonly string[]
  /** Every further window that was opened. */
  readonly windows: readonly string[]
  close(): Promise<void>
}

/** Opens a page in a profile of its own. */
export async function openPage(browser: Browser, address: string, options: OpenPageOptions = {}): Promise<OpenedPage> {
  const { width = 1400, height = 900, colors = 'light', offline = false, scripts = true, ignorePolicy = false } = options
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: colors,
    offline,
    javaScriptEnabled: scripts,
    bypassCSP: ignorePolicy,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const requests: string[] = []
  const errors: string[] = []
  const dialogs: string[] = []
  const windows: string[] = []
  context.on('request', (request) => requests.push(request.url()))
  context.on('page', (other) => windows.push(other.url()))
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text())
  })
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.goto(address)
  return { page, requests, errors, dialogs, windows, close: () => context.close() }
}
