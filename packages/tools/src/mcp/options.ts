/** The options of `mcp()`, and what they must be. */

import { areKinds, type Expected, expected, type Shape } from '@loom-agent/agent/kit'
import type { ArgumentKinds, EffectClass } from '@loom-agent/kernel'

/** Where access tokens come from: a program's own flow of OAuth, or a fixed token. */
export interface McpAuth {
  /** The token that is sent now; `undefined`: none. Asked before each request. */
  token(): string | undefined | Promise<string | undefined>
  /** Called when the server has refused a request; what `token` returns afterwards is tried once. `challenge` is what the server says about it. */
  unauthorized?(refused: { readonly server: string; readonly url: string; readonly challenge: string | undefined }): void | Promise<void>
}

/** What is the same for all kinds of servers. */
export interface McpServerBase {
  /** The tools that are used, by the server's names; default: all. */
  readonly tools?: readonly string[]
  /** The effect classes of tools, by the server's names; default: `unsafe`. */
  readonly effects?: { readonly [tool: string]: EffectClass }
  /** Which arguments of tools are paths, commands, addresses or hosts, by the server's names: rules can name them, and protected paths ask. */
  readonly kinds?: { readonly [tool: string]: ArgumentKinds }
  /** The folder that paths in arguments are relative to; default: the folder of a program, and that of this process for an address. */
  readonly root?: string
  /** Whether the server's own hints (`readOnlyHint`, `idempotentHint`) count where `effects` says nothing; default false: they are claims of the server. */
  readonly trustHints?: boolean
  /** Milliseconds that a call may take without any sign of life; default 120,000. */
  readonly timeout?: number
  /** Milliseconds that starting and connecting may take; default 10,000. */
  readonly connectTimeout?: number
  /** The protocol: `auto` asks for the newest and falls back to the one of 2025, `2025` does not ask; default `auto`. */
  readonly protocol?: 'auto' | '2025'
}

/** A server that is a program on this machine. */
export interface McpProgram extends McpServerBase {
  /** The program. It is started without a shell. */
  readonly command: string
  /** Its arguments. */
  readonly args?: readonly string[]
  /** Its folder; default: the folder of this process. */
  readonly cwd?: string
  /** Variables that it gets besides a few harmless ones, such as `PATH`. It gets no others: keys of this process are not among them. */
  readonly env?: { readonly [name: string]: string }
}

/** A server that is reached over HTTP. */
export interface McpAddress extends McpServerBase {
  /** The address of its endpoint. */
  readonly url: string
  /** Headers of each request. */
  readonly headers?: { readonly [name: string]: string }
  /** Where access tokens come from. */
  readonly auth?: McpAuth
}

/** A server: a program, or an address. */
export type McpServer = McpProgram | McpAddress

/** Something about a server that a person should know. */
export interface McpNotice {
  /** The name of the server. */
  readonly server: string
  /** What kind of thing it is. */
  readonly kind:
    | 'tool-refused'
    | 'definition-changed'
    | 'definition-hidden'
    | 'look-alike'
    | 'mentions'
    | 'sampling-refused'
    | 'broken'
    | 'unavailable'
  /** The tool, by the server's name, where it is about one. */
  readonly tool?: string
  /** What happened, in words. Hidden characters are written out. */
  readonly message: string
}

/** What `mcp()` takes. */
export interface McpOptions {
  /** The servers, by the names that rules and the model know them by. */
  readonly servers: { readonly [name: string]: McpServer }
  /** The folder that keeps which definitions were approved, outside of the project; default: they are known as long as this process lives. */
  readonly pins?: string
  /** Called with each notice. */
  readonly onNotice?: (notice: McpNotice) => void
}

const strings: Expected = expected.list(expected.text, 'a list of texts')
const record = (words: string, fits: (value: unknown) => boolean): Expected => ({
  words,
  fits: (value) => expected.object.fits(value) && Object.values(value as object).every(fits),
})
const isText = (value: unknown): boolean => typeof value === 'string'
const effects = ['pure', 'read', 'idempotent', 'unsafe'] as const
const isEffect = (value: unknown): boolean => (effects as readonly unknown[]).includes(value)

/** What all servers may have. */
const baseShape: Shape & Record<keyof McpServerBase, Expected> = {
  tools: strings,
  kinds: record('an object of { argument: path, command, url or host } by the names of tools', areKinds),
  root: expected.name,
  effects: record(`an object of ${effects.join(', ')} by the names of tools`, isEffect),
  trustHints: expected.flag,
  timeout: expected.finite(1),
  connectTimeout: expected.finite(1),
  protocol: expected.oneOf('auto', '2025'),
}

/** What a program must be. */
export const programShape: Shape & Record<keyof McpProgram, Expected> = {
  ...baseShape,
  command: expected.required(expected.name),
  args: strings,
  cwd: expected.name,
  env: record('an object of texts', isText),
}

const isWebAddress = (value: unknown): boolean => {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

/** What an address must be. */
export const addressShape: Shape & Record<keyof McpAddress, Expected> = {
  ...baseShape,
  url: { words: 'an http or https address without a password', fits: isWebAddress, required: true },
  headers: record('an object of texts', isText),
  auth: { words: 'an object with token()', fits: (value) => typeof (value as Partial<McpAuth> | null)?.token === 'function' },
}

/** What the options must be. */
export const mcpShape: Shape & Record<keyof McpOptions, Expected> = {
  servers: expected.required(expected.object),
  pins: { ...expected.name, words: 'the path of a folder' },
  onNotice: expected.function,
}

/** Whether a server is a program. */
export const isProgram = (server: McpServer): server is McpProgram => 'command' in server
