/** The environment as a port: it is read when a model is resolved, never on import. Platforms without one have an empty environment. */

/** Variables by name. */
export type Environment = { readonly [name: string]: string | undefined }

/** The environment of the process; empty where there is no process. */
export function systemEnvironment(): Environment {
  const { process } = globalThis as { process?: { env?: Environment } }
  return process?.env ?? {}
}

/** The value of a variable; undefined when it is not set or blank. */
export function settingOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}
