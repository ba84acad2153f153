/**
 * Keeps snapshots of the public API: `node tools/check-api.ts` fails when they differ from what is built, `-- --write` renews them.
 *
 * A snapshot is an entry's declaration files and all they reach inside the package, in a stable order.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const root = join(import.meta.dirname, '..')
const write = process.argv.includes('--write')

interface PackageJson {
  readonly name: string
  readonly private?: boolean
  readonly exports?: Readonly<Record<string, { readonly types?: string }>>
}

function reachable(entry: string): readonly string[] {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/from\s+['"](\.[^'"]+)['"]/g)) {
      visit(join(dirname(file), name.replace(/\.(ts|js)$/, '.d.ts')))
    }
  }
  visit(entry)
  return [...seen].sort()
}

function snapshot(folder: string, types: string): string {
  const files = reachable(join(folder, types))
  return files
    .map(
      (file) =>
        `// ${relative(join(folder, 'dist'), file)}\n${readFileSync(file, 'utf8')
          .replace(/^\/\/# sourceMappingURL.*$/gm, '')
          .trim()}\n`,
    )
    .join('\n')
}

const changed: string[] = []
for (const name of ['kernel', 'agent', 'models', 'journals', 'tools', 'testing', 'loom-agent']) {
  const folder = join(root, 'packages', name)
  const { exports = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson
  for (const [path, { types }] of Object.entries(exports)) {
    if (types === undefined) continue
    const target = join(root, 'api', `${name}${path === '.' ? '' : path.slice(1).replaceAll('/', '-')}.d.ts`)
    const current = snapshot(folder, types)
    if (existsSync(target) && readFileSync(target, 'utf8') === current) continue
    changed.push(relative(root, target))
    if (!write) continue
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, current)
  }
}

if (changed.length === 0) console.log('api: the snapshots are what is built')
else if (write) console.log(`api: renewed ${changed.join(', ')}`)
else {
  console.error(`api: ${changed.join(', ')} differ from what is built. If the change of the public API is meant: npm run check:api -- --write`)
  process.exitCode = 1
}
