/** The part of the package `@anthropic-ai/sandbox-runtime` that is used. It is a preview, so nothing else of Loom knows it. */
import { fileURLToPath } from 'node:url'
import { packageUrl } from './load-package.ts'
import { noSandbox } from './sandbox.ts'

/** A path that is never a pattern. */
export interface RuntimePath {
  readonly path: string
  readonly literal: true
}

/** What one command may do. */
export interface RuntimeConfig {
  readonly network: { readonly allowedDomains: readonly string[]; readonly deniedDomains: readonly string[] }
  readonly filesystem: {
    readonly denyRead: readonly RuntimePath[]
    readonly allowRead: readonly RuntimePath[]
    readonly allowWrite: readonly RuntimePath[]
    readonly denyWrite: readonly RuntimePath[]
  }
}

/** What the package does. */
export interface Runtime {
  checkDependenciesAsync(): Promise<{ readonly errors: readonly string[] }>
  /** Returns a text for a shell that runs the command confined. */
  wrapWithSandbox(
    command: string,
    shell: string,
    config: RuntimeConfig,
    signal: AbortSignal | undefined,
    options: { readonly commandId?: string },
  ): Promise<string>
  cleanupAfterCommand(): void
  /** Where its proxies listen; undefined while there are none. */
  getProxyPort(): number | undefined
  initialize(config: RuntimeConfig): Promise<void>
  registerCommandNetworkLists(commandId: string, lists: { readonly allowedDomains: readonly string[] }): void
  unregisterCommandNetworkLists(commandId: string): void
  reset(): Promise<void>
}

/** Allows nothing. */
export const nothing: RuntimeConfig = {
  network: { allowedDomains: [], deniedDomains: [] },
  filesystem: { denyRead: [], allowRead: [], allowWrite: [], denyWrite: [] },
}

const urlOfPackage = (): string => packageUrl('@anthropic-ai/sandbox-runtime', 'The sandbox of the operating system')

/** The folder of the package: commands run a program of it, so it has to be seen in every sandbox. */
export const runtimeFolder = (): string => fileURLToPath(new URL('..', urlOfPackage()))

/** Loads the package. */
export async function loadRuntime(): Promise<Runtime> {
  const { SandboxManager } = (await import(urlOfPackage())) as { readonly SandboxManager: Runtime }
  return SandboxManager
}

/** The proxies of a process: they are there while a command may reach hosts. */
interface Proxies {
  commands: number
  /** What was asked for last: what follows waits for it. */
  last: Promise<unknown>
}

const known = new WeakMap<Runtime, Proxies>()

function proxiesOf(runtime: Runtime): Proxies {
  const proxies = known.get(runtime) ?? { commands: 0, last: Promise.resolve() }
  known.set(runtime, proxies)
  return proxies
}

/** Does one thing after the other. */
function inTurn<T>(proxies: Proxies, work: () => Promise<T>): Promise<T> {
  const done = proxies.last.then(work)
  proxies.last = done.catch(() => {})
  return done
}

/** Lets the command of this id reach hosts, until the function that is returned is called. */
export async function openNetwork(runtime: Runtime, id: string, hosts: readonly string[]): Promise<() => Promise<void>> {
  const proxies = proxiesOf(runtime)
  if (proxies.commands === 0 && runtime.getProxyPort() !== undefined) {
    throw noSandbox(
      'The sandbox of this process was set up by somebody else, whose hosts would be allowed here. Use another process for one of them.',
    )
  }
  if (hosts.length === 0) return async () => {}
  await inTurn(proxies, async () => {
    if (proxies.commands === 0) await runtime.initialize(nothing)
    proxies.commands += 1
  })
  const close = (): Promise<void> =>
    inTurn(proxies, async () => {
      runtime.unregisterCommandNetworkLists(id)
      proxies.commands -= 1
      if (proxies.commands === 0) await runtime.reset()
    })
  try {
    runtime.registerCommandNetworkLists(id, { allowedDomains: hosts })
  } catch (error) {
    await close()
    throw noSandbox(
      `The hosts cannot be allowed: ${error instanceof Error ? error.message : String(error)}. Give hosts such as example.com or *.example.com.`,
    )
  }
  return close
}
