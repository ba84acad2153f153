/** Next: a server with a route that runs an agent, built by both of its bundlers, started and called. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { checkOutcome } from './bundlers.ts'
import { node } from './execute.ts'
import { attempt, type Row } from './row.ts'

const env = { NEXT_TELEMETRY_DISABLED: '1' }

/** Builds the server with each bundler of Next and calls it once. The toolbox has Next and the tarballs, and no providers. */
export async function tryNext(toolbox: string): Promise<readonly Row[]> {
  cpSync(join(import.meta.dirname, 'next'), toolbox, { recursive: true })
  cpSync(join(import.meta.dirname, 'bundle-entry.js'), join(toolbox, 'bundle-entry.js'))
  const rows: Row[] = []
  for (const bundler of ['turbopack', 'webpack'] as const) {
    rows.push(await attempt('bundlers', `Next (${bundler}), server, no providers`, () => buildAndCall(toolbox, bundler)))
  }
  return rows
}

async function buildAndCall(toolbox: string, bundler: string): Promise<string> {
  const program = join(toolbox, 'node_modules/next/dist/bin/next')
  rmSync(join(toolbox, '.next'), { recursive: true, force: true })
  await node([program, 'build', `--${bundler}`], { cwd: toolbox, env })
  const server = spawn(process.execPath, [program, 'start', '--port', '0', '--hostname', '127.0.0.1'], {
    cwd: toolbox,
    env: { ...process.env, ...env },
  })
  try {
    const response = await fetch(`${await addressOf(server.stdout)}/api/run`)
    checkOutcome(await response.text(), { platform: 'node', hasProviders: false })
  } finally {
    server.kill()
    await once(server, 'close')
  }
  return 'built, started, called'
}

/** Where a server listens, from what it prints. */
async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(line) ?? []
    if (address !== undefined) return address
  }
  throw new Error('The server of Next ended before it listened.')
}
