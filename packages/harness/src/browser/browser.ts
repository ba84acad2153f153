/**
 * A real browser for tests: Chromium of the system, without a profile and without a network of its own.
 *
 * Nothing is downloaded: `npm run setup` installs the browser.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'

export type { Browser, Page } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome']

/** Starts a browser. It ends with `close()`, and with the process of the test. */
export async function startBrowser(): Promise<Browser> {
  const folders = `${process.env['PATH']}`.split(':')
  const program = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path))
  if (program === undefined) throw new Error('Chromium is not installed. Run: npm run setup')
  // What a browser asks the network on its own, such as for updates, would be indistinguishable from what a page asks.
  const quiet = ['--disable-background-networking', '--disable-component-update', '--no-first-run']
  return await chromium.launch({ executablePath: program, args: quiet })
}
