/** Writes what the typed client has of the table of routes: `node tools/node.mjs --conditions=loom-source tools/write-client.ts`. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { clientSources } from './server/client-source.ts'
import { root } from './workspace.ts'

const folder = join(root, 'packages/server/src/client')
for (const [name, source] of Object.entries(clientSources())) {
  writeFileSync(join(folder, name), source)
  execFileSync(join(root, 'node_modules/.bin/biome'), ['check', '--write', join(folder, name)], { stdio: 'inherit' })
}
