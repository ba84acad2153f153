/** The environment as a port: it is read when a model is asked for, never on import, and not at all where there is none. */

/** Variables by name. */
export type Environment = { readonly [name: string]: string | undefined }

/** The environment of the process; empty where there is no process. */
export function systemEnvironment(): Environment {
  const { process } = globalThis as { process?: { env?: Environment } }
  return process?.env ?? {}
}

/** A variable that says something. */
export function settingOf(env: Environment, name: string): string | undefined {
  const value = env[name]?.trim()
  return value === '' ? undefined : value
}
