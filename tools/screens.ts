/** Captures the pictures of terminals on the pages: `npm run screens`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { captureScreens } from './screens/scenes.ts'
import { root } from './workspace.ts'

const folder = join(root, 'docs/guides/screens')
mkdirSync(folder, { recursive: true })
for (const [name, picture] of await captureScreens()) {
  writeFileSync(join(folder, `chat-${name}.svg`), picture)
  console.log(`docs/guides/screens/chat-${name}.svg`)
}
