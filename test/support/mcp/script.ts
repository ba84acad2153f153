/** What the scripted server does, as tests write it. The file is read again for each request, so that a test can change it at any time. */
import { writeFileSync } from 'node:fs'

/** One thing that a tool does. */
export type Deed =
  /** Appends a line to the ledger: what happened in the world. */
  | { readonly effect: string }
  | { readonly reply: object }
  | { readonly fail: { readonly code: number; readonly message: string } }
  | { readonly die: true }
  | { readonly stall: true }
  /** Prints lines that are no messages. */
  | { readonly garbage: number }
  /** Prints one line of so many characters. */
  | { readonly longLine: number }
  /** Sends so many notifications. */
  | { readonly flood: number }
  /** Sends so many reports of progress, with so many milliseconds between them. */
  | { readonly progress: number; readonly every: number }
  /** Asks a person; the answer is the result. */
  | { readonly ask: { readonly message: string; readonly requestedSchema: object } }
  /** Asks a person, together with what else is asked so; the actions of all answers are the result. */
  | { readonly askBeside: { readonly message: string; readonly requestedSchema: object } }
  /** Asks for a reply of the model; what comes back is the result. */
  | { readonly sample: true }
  /** Says that its list of tools has changed. */
  | { readonly changed: true }
  /** Starts a program that sleeps, and appends its id to the ledger. */
  | { readonly spawn: true }

/** A tool of the scripted server. */
export interface ScriptedTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema?: object
  readonly annotations?: object
  readonly execution?: object
  readonly does?: readonly Deed[]
}

/** The script of a server. */
export interface Script {
  /** How it begins: `silent` answers nothing, `dies when asked` knows no protocol but that of 2025 and ends at anything else. */
  readonly begins?: 'silent' | 'dies when asked' | 'garbage' | 'dies'
  /** The version of the protocol that it speaks; default 2025-11-25. */
  readonly speaks?: string
  readonly tools?: readonly ScriptedTool[]
  readonly resources?: readonly { readonly uri: string; readonly name: string; readonly text: string }[]
  readonly prompts?: readonly { readonly name: string; readonly text: string }[]
  /** What it prints as errors when it starts. */
  readonly complains?: string
}

/** Writes the script that a server reads. */
export function writeScript(path: string, script: Script): void {
  writeFileSync(path, JSON.stringify(script))
}
