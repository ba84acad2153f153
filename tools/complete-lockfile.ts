/**
 * Completes package-lock.json after a change of dependencies: `node tools/complete-lockfile.ts`.
 *
 * A registry that does not serve the binaries of every platform makes npm leave them out of the lock file, and `npm ci` then refuses the
 * file everywhere. Each missing optional dependency is entered with the platform its name tells, so that the lock file is whole and npm
 * fetches only what fits the machine.
 */
import { readFileSync, writeFileSync } from 'node:fs'

interface LockEntry {
  version?: string
  dev?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const lockPath = new URL('../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(lockPath, 'utf8')) as { packages: Record<string, LockEntry> }

const operatingSystems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32', 'wasm32', 'aix', 'sunos', 'netbsd', 'openbsd']
const processors = ['arm64', 'x64', 'ia32', 'arm', 'ppc64', 'riscv64', 's390x', 'wasm32', 'loong64', 'mips64el']

const platformOf = (name: string): Pick<LockEntry, 'os' | 'cpu' | 'libc'> => {
  const words = name.split(/[/-]/)
  const os = operatingSystems.find((candidate) => words.includes(candidate) && candidate !== 'wasm32')
  const cpu = processors.find((candidate) => words.includes(candidate))
  const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : words.some((word) => word.startsWith('gnu')) ? 'glibc' : undefined
  return { ...(os && { os: [os] }), ...(cpu && { cpu: [cpu] }), ...(libc && os === 'linux' && { libc: [libc] }) }
}

let added = 0
for (const entry of Object.values(lock.packages)) {
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const path = `node_modules/${name}`
    if (lock.packages[path]) continue
    if (!/^\d/.test(version)) continue
    lock.packages[path] = { version, ...platformOf(name), ...(entry.dev && { dev: true }), optional: true }
    added += 1
  }
}

const sorted = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)))
writeFileSync(lockPath, `${JSON.stringify({ ...lock, packages: sorted }, null, 2)}\n`)
console.log(`package-lock.json: ${added} platform packages entered`)
