/**
 * `node tools/node.mjs <arguments>`: runs Node 24 with the arguments, whatever Node runs this file. The scripts of package.json call Node through it.
 *
 * `npm ci` installs Node 24 in one of several packages that share the command `node`. npm 10 and older then link none of them, and `node` stays the
 * system's. So the binary is found here, and linked for `npx node`, `npx vitest` and the programs that the scripts call.
 */
import { spawn } from 'node:child_process'
import { existsSync, rmSync, symlinkSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const needed = 24
const modules = fileURLToPath(new URL('../node_modules', import.meta.url))
const isWindows = process.platform === 'win32'
const locked = join(modules, `node-${isWindows ? 'win' : process.platform}-${process.arch}`, 'bin', isWindows ? 'node.exe' : 'node')

const binary = Number.parseInt(process.versions.node, 10) >= needed ? process.execPath : existsSync(locked) ? locked : undefined
if (binary === undefined) {
  console.error(
    `Loom's tools run on Node ${needed}, this is ${process.version}, and node_modules has no Node for ${process.platform}-${process.arch}. Run "npm ci" (on Linux and on Windows x64 it brings Node ${needed}, unless optional dependencies are left out), or install Node ${needed}.`,
  )
  process.exit(1)
}
if (binary === locked) link()

const PATH = [dirname(binary), process.env.PATH].join(delimiter)
const child = spawn(binary, process.argv.slice(2), { stdio: 'inherit', env: { ...process.env, PATH } })
// The child decides when to end. What a terminal sends reaches it anyway.
for (const signal of ['SIGINT', 'SIGHUP']) process.on(signal, () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))

/** Links the binary where npm has not done so. Windows has no such links without special rights: there the path above has to do. */
function link() {
  const place = join(modules, '.bin', 'node')
  try {
    if (existsSync(place)) return
    rmSync(place, { force: true })
    symlinkSync(relative(dirname(place), locked), place)
  } catch {
    // The folder cannot be written, or another process was faster.
  }
}
