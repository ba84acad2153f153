/**
 * Pictures of the studio over the sample threads: `npm run screenshots`. They are written to `packages/studio/pictures`, or to the folder that is named;
 * further words choose pictures whose names hold one of them.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { startBrowser } from '@loom-agent/harness/browser'
import { sampleNow } from '../packages/studio/test/sample/make-sample.ts'
import { serveSample } from '../packages/studio/test/sample/serve-sample.ts'
import { buildStudio } from './build-studio.ts'
import { root } from './workspace.ts'

/** A view, and what is done before its picture. */
interface Shot {
  readonly name: string
  readonly path: string
  readonly keys?: readonly string[]
  readonly wait?: string
}

/** To the first question, and through it to its end. */
const readThrough = ['k', ...Array.from({ length: 10 }, () => 'd')]

const shots: readonly Shot[] = [
  { name: 'home', path: '/' },
  { name: 'threads', path: '/threads?children=yes' },
  { name: 'threads-none', path: '/threads?agent=nobody' },
  { name: 'bench-long', path: '/threads/inventory-2026-11@812' },
  { name: 'bench-refund', path: '/threads/order-8812@17' },
  { name: 'bench-chat', path: '/threads/order-8812?view=chat' },
  { name: 'bench-tree', path: '/threads/looms-report?view=tree' },
  { name: 'bench-calls', path: '/threads/looms-report?view=calls' },
  { name: 'bench-waiting', path: '/threads/order-9044' },
  { name: 'bench-failed', path: '/threads/order-9001@13' },
  { name: 'context', path: '/threads/inventory-2026-11@812/context?item=7' },
  { name: 'context-changes', path: '/threads/inventory-2026-11@708/context?side=changes' },
  { name: 'context-what-if', path: '/threads/inventory-2026-11/context?item=7&side=what-if' },
  { name: 'context-table', path: '/threads/inventory-2026-11/context?view=table' },
  { name: 'inbox', path: '/inbox' },
  { name: 'inbox-seen', path: '/inbox', keys: readThrough },
  { name: 'inbox-edit', path: '/inbox', keys: [...readThrough, 'E'] },
  { name: 'control-chat', path: '/threads/order-8812?view=chat' },
  { name: 'control-waiting', path: '/threads/order-9044?view=chat' },
  { name: 'new-run', path: '/', keys: ['n'] },
  { name: 'missing', path: '/threads/no-such-thread' },
  { name: 'keys', path: '/threads/order-8812', keys: ['?'] },
  { name: 'palette', path: '/', keys: ['p'] },
]

const sizes = [
  { name: '1440', width: 1440, height: 900 },
  { name: '768', width: 768, height: 1024 },
  { name: '320', width: 320, height: 640 },
] as const

const [folder = join(root, 'packages/studio/pictures'), ...only] = process.argv.slice(2)
mkdirSync(folder, { recursive: true })
await buildStudio()
const { address, close } = await serveSample()
const { origin } = new URL(address)
const browser = await startBrowser()
for (const colors of ['light', 'dark'] as const) {
  for (const { name: size, width, height } of sizes) {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme: colors,
      reducedMotion: 'reduce',
      locale: 'en-US',
      timezoneId: 'UTC',
    })
    const page = await context.newPage()
    await page.clock.setFixedTime(sampleNow)
    page.on('pageerror', (error) => console.error(`${size} ${colors}: ${error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') console.error(`${size} ${colors} console: ${message.text()}`)
    })
    await page.goto(address)
    await page.waitForSelector('main *')
    for (const { name, path, keys = [] } of shots) {
      const file = `${name}-${size}-${colors}`
      if (only.length > 0 && !only.some((word) => file.includes(word))) continue
      await page.goto(`${origin}${path}`)
      // The stream of what changes stays open: what is awaited is that everything else has ended.
      await page.waitForSelector('.skeleton, [aria-busy=true]', { state: 'detached' })
      await page.waitForTimeout(300)
      for (const key of keys) {
        await page.keyboard.press(key)
        // What a key brings into view is noticed a frame later.
        await page.waitForTimeout(60)
      }
      await page.screenshot({ path: join(folder, `${file}.png`), animations: 'disabled' })
    }
    await context.close()
  }
}
await browser.close()
await close()
process.exit(0)
