/**
 * Keeps snapshots of the public API: `node tools/check-api.ts` fails when they differ from what is built, `-- --write` renews them.
 *
 * A snapshot is an entry's declaration files and all they reach inside the package, in a stable order.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { type Entry, entries } from './api/entries.ts'
import { root } from './workspace.ts'

const write = process.argv.includes('--write')

function reachable(entry: string): readonly string[] {
  const seen = new Set<string>()
  const add = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/from\s+['"](\.[^'"]+)['"]/g)) {
      add(join(dirname(file), name.replace(/\.(ts|js)$/, '.d.ts')))
    }
  }
  add(entry)
  return [...seen].sort()
}

function snapshot({ folder, types }: Entry): string {
  return reachable(types)
    .map(
      (file) =>
        `// ${relative(join(folder, 'dist'), file)}\n${readFileSync(file, 'utf8')
          .replace(/^\/\/# sourceMappingURL.*$/gm, '')
          .trim()}\n`,
    )
    .join('\n')
}

const changed: string[] = []
for (const entry of entries()) {
  const target = join(root, 'api', `${entry.name.replace('@loom-agent/', '').replaceAll('/', '-')}.d.ts`)
  const current = snapshot(entry)
  if (existsSync(target) && readFileSync(target, 'utf8') === current) continue
  changed.push(relative(root, target))
  if (!write) continue
  mkdirSync(dirname(target), { recursive: true })
  writeFileSync(target, current)
}

if (changed.length === 0) console.log('api: the snapshots are what is built')
else if (write) console.log(`api: renewed ${changed.join(', ')}`)
else {
  console.error(`api: ${changed.join(', ')} differ from what is built. If the change of the public API is meant: npm run check:api -- --write`)
  process.exitCode = 1
}
