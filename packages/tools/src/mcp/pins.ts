/**
 * Which definitions were approved.
 *
 * MCP-6. A definition is pinned when a call of it has been let through for the first time. One that has changed since is asked about, with both texts, whatever
 *     rules allow; the model is shown the pinned one until a person has approved the other.
 * MCP-7. Pins are kept outside of the project, one file for each tool. A file that is damaged pins nothing: then the first use is asked about again.
 */
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { ToolText } from './definition.ts'

/** A definition that was approved. */
export interface Pin extends ToolText {
  readonly digest: string
}

/** The definitions of one server's tools that were approved. */
export interface Pins {
  /** The pin of a tool, as far as it is loaded. */
  get(tool: string): Pin | undefined
  /** Loads the pins of tools. */
  load(tools: readonly string[]): Promise<void>
  /** All pins of the server, for when it cannot be asked what it has. */
  all(): Promise<readonly Pin[]>
  /** Pins a definition. */
  set(pin: Pin): Promise<void>
}

/** Bytes of a file that is read, and files of a folder. */
const mostBytes = 512 * 1024
const mostFiles = 10_000

/** The pins of a server. Without a folder they are known as long as this process lives. */
export function createPins(folder: string | undefined, server: string): Pins {
  const pins = new Map<string, Pin>()
  const fileOf = (tool: string): string =>
    `${createHash('sha256')
      .update(JSON.stringify([server, tool]))
      .digest('hex')
      .slice(0, 32)}.json`
  return {
    get: (tool) => pins.get(tool),
    async load(tools) {
      if (folder === undefined) return
      const found = await Promise.all(tools.map((tool) => readPin(join(folder, fileOf(tool)))))
      for (const [index, pin] of found.entries()) if (pin && pin.name === tools[index]) pins.set(pin.name, pin)
    },
    async all() {
      if (folder === undefined) return [...pins.values()]
      const names = await readdir(folder).catch((): string[] => [])
      const found = await Promise.all(names.slice(0, mostFiles).map(async (name) => ({ name, pin: await readPin(join(folder, name)) })))
      // The name of a file says whose pin it is.
      for (const { name, pin } of found) if (pin && name === fileOf(pin.name)) pins.set(pin.name, pin)
      return [...pins.values()]
    },
    async set({ name, description, schema, digest }) {
      if (pins.get(name)?.digest === digest) return
      const pin: Pin = { name, description, schema, digest }
      pins.set(name, pin)
      if (folder !== undefined) await writePin(folder, fileOf(name), JSON.stringify({ server, ...pin }))
    },
  }
}

async function readPin(path: string): Promise<Pin | undefined> {
  try {
    if ((await stat(path)).size > mostBytes) return undefined
    const { name, description, schema, digest } = JSON.parse(await readFile(path, 'utf8')) as Partial<Pin>
    const isPin =
      typeof name === 'string' && typeof description === 'string' && typeof digest === 'string' && typeof schema === 'object' && schema !== null
    return isPin ? { name, description, schema, digest } : undefined
  } catch {
    // There is none, or it is damaged.
    return undefined
  }
}

/** Only the owner can read the folder and its files. */
async function writePin(folder: string, name: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, name)
  const draft = `${path}.${process.pid}.tmp`
  const handle = await open(draft, 'w', 0o600)
  try {
    await handle.writeFile(`${text}\n`)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(draft, path)
}
