/** Packages that are loaded on use: a program without sandboxes installs none of them. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { LoomError } from '@loom-agent/kernel'

/** The packages that sandboxes need. */
export type SandboxPackage = 'quickjs-emscripten' | '@anthropic-ai/sandbox-runtime'

/** Where a package is installed, as a URL to import; a missing one is an error that says how to install it. */
export function packageUrl(name: SandboxPackage, use: string): string {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve(name)).href
  } catch (cause) {
    const install = `npm install ${name}`
    const message = `${use} needs the package ${name}, which is not installed. Run: ${install}`
    throw new LoomError('LOOM_SANDBOX_UNAVAILABLE', message, { cause, context: { package: name, install } })
  }
}
