/** The packages of the Model Context Protocol: the first server loads them. */
import { LoomError } from '@loom-agent/kernel'

/** Bundlers accept an import of a package that is not installed where it has a `catch`. */
const rethrow = (error: unknown): never => {
  throw error
}

/** Loads the package of clients. */
export const loadClient = (): Promise<typeof import('@modelcontextprotocol/client')> =>
  load('@modelcontextprotocol/client', 'Client', () => import('@modelcontextprotocol/client').catch(rethrow))

/** Loads the package of servers. */
export const loadServer = (): Promise<typeof import('@modelcontextprotocol/server')> =>
  load('@modelcontextprotocol/server', 'createMcpHandler', () => import('@modelcontextprotocol/server').catch(rethrow))

/** Loads what serves over the standard input and output of this process. */
export const loadServerStdio = (): Promise<typeof import('@modelcontextprotocol/server/stdio')> =>
  load('@modelcontextprotocol/server', 'serveStdio', () => import('@modelcontextprotocol/server/stdio').catch(rethrow))

/** Loads what turns requests of Node into those of the web. */
export const loadNode = (): Promise<typeof import('@modelcontextprotocol/node')> =>
  load('@modelcontextprotocol/node', 'toNodeHandler', () => import('@modelcontextprotocol/node').catch(rethrow))

/** Some bundlers replace a package that is not installed by an empty module: `expects` is what the real one has. */
async function load<T extends object>(name: string, expects: keyof T, importIt: () => Promise<T>): Promise<T> {
  let loaded: T | undefined
  let cause: unknown
  try {
    loaded = await importIt()
  } catch (error) {
    cause = error
  }
  if (loaded && expects in loaded) return loaded
  const problem = isMissing(cause) ? 'is not installed' : 'cannot be loaded'
  throw new LoomError('LOOM_PACKAGE_MISSING', `MCP needs the package ${name}, which ${problem}. Install it: npm install ${name}`, {
    cause,
    context: { package: name },
  })
}

const isMissing = (cause: unknown): boolean =>
  cause === undefined || (typeof cause === 'object' && cause !== null && 'code' in cause && cause.code === 'ERR_MODULE_NOT_FOUND')
