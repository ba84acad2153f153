/**
 * Brings what the tests need from the system: `npm run setup`, called by `npm test`.
 *
 * On Debian as root missing packages are installed; elsewhere the line to type is printed and the setup fails.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync } from 'node:fs'

interface Need {
  readonly what: string
  readonly isThere: () => boolean
  readonly packages: readonly string[]
}

const has = (command: string): boolean => (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(`${folder}/${command}`))

const needs: readonly Need[] = [
  { what: 'git, to look at what is tracked', isThere: () => has('git'), packages: ['git'] },
  { what: 'curl, which attackers use and servers are attacked with', isThere: () => has('curl'), packages: ['curl'] },
  { what: 'strace, to see what is written and flushed', isThere: () => has('strace'), packages: ['strace'] },
  { what: 'bubblewrap, to confine commands', isThere: () => has('bwrap'), packages: ['bubblewrap'] },
  { what: 'socat, to let confined commands reach hosts', isThere: () => has('socat'), packages: ['socat'] },
  { what: 'ripgrep, which the sandbox looks for files with', isThere: () => has('rg'), packages: ['ripgrep'] },
  { what: 'python3, which models write, too', isThere: () => has('python3'), packages: ['python3'] },
  {
    what: 'Chromium with letters of English and Chinese, to open pages in',
    isThere: () => has('chromium'),
    packages: ['chromium', 'fonts-dejavu-core', 'fonts-liberation', 'fonts-wqy-microhei'],
  },
  // Only its programs are used: tests start servers of their own, on free ports, as a user that is not root.
  { what: 'PostgreSQL, to keep journals in', isThere: () => globSync('/usr/lib/postgresql/*/bin/initdb').length > 0, packages: ['postgresql'] },
]

const missing = needs.filter(({ isThere }) => !isThere())
const packages = missing.flatMap((need) => need.packages)
if (missing.length === 0) console.log('setup: everything the tests need is there')
else if (process.getuid?.() === 0 && has('apt-get')) {
  const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
  execFileSync('apt-get', ['update', '-qq'], options)
  execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
  console.log(`setup: installed ${packages.join(', ')}`)
} else {
  for (const { what } of missing) console.error(`setup: missing ${what}`)
  console.error(`setup: install it with: sudo apt-get install --no-install-recommends ${packages.join(' ')}`)
  process.exitCode = 1
}
