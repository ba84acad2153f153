/**
 * Secrets as handles: a model names a secret, and never sees its value.
 *
 * HANDLE-1. The value of a secret is in the environment of the calls that name it, and nowhere else: not in the arguments, the journal or this process's
 *     environment.
 * HANDLE-2. What a command prints is shown without the values that it was given, in plain form and in base64, hexadecimal, percent and JSON form, wherever
 *     its output is cut into pieces. A command that wants to can print a value in another form: a secret is for commands that may use it.
 */
import { LoomError } from '@loom-agent/kernel'

/** Secrets by the names of the variables that hold them. */
export type Secrets = Readonly<Record<string, () => string | Promise<string>>>

/** A secret that a call was given. */
export interface GivenSecret {
  readonly name: string
  readonly value: string
}

/** A shorter value would stand everywhere in what is printed. */
const shortest = 6

/** The values of secrets. */
export function openSecrets(secrets: Secrets, names: readonly string[]): Promise<readonly GivenSecret[]> {
  return Promise.all(
    [...new Set(names)].map(async (name) => {
      const open = Object.hasOwn(secrets, name) ? secrets[name] : undefined
      if (!open) {
        const known = Object.keys(secrets).join(', ') || 'none'
        throw new LoomError('LOOM_TOOL_INPUT_INVALID', `There is no secret ${name.slice(0, 80)}. There are: ${known}.`)
      }
      const value: unknown = await open()
      if (typeof value === 'string' && value.length >= shortest && !value.includes('\0')) return { name, value }
      throw new LoomError('LOOM_TOOL_UNAVAILABLE', `The secret ${name} has no value of at least ${shortest} characters now. Tell the user.`)
    }),
  )
}

/** Takes output in pieces, and returns it without secrets. */
export interface SecretFilter {
  /** Takes a piece; returns what can be shown now. */
  push(piece: Uint8Array): Uint8Array
  /** The output has ended; returns the rest. */
  end(): Uint8Array
}

/** A place in a text. */
interface Found {
  readonly at: number
  readonly length: number
  readonly mark: string
}

/** A filter for the output of one command. */
export function createSecretFilter(secrets: readonly GivenSecret[]): SecretFilter {
  const forms = secrets.flatMap(({ name, value }) => formsOf(value).map((form) => ({ form, mark: `[secret ${name}]` })))
  const longest = Math.max(1, ...forms.map(({ form }) => form.length))
  let held = ''
  /** The first form from a place on. Where each form stands next is remembered: the text is searched once for each, however many places there are. */
  const firstFrom = (from: number, next: number[]): Found | undefined => {
    let first: Found | undefined
    for (const [index, { form, mark }] of forms.entries()) {
      const seen = next[index] ?? -1
      const at = seen >= from ? seen : held.indexOf(form, from)
      next[index] = at < 0 ? Number.POSITIVE_INFINITY : at
      if (at >= 0 && at < held.length && (!first || at < first.at || (at === first.at && form.length > first.length)))
        first = { at, length: form.length, mark }
    }
    return first
  }
  const show = (until: number): Uint8Array => {
    const next: number[] = []
    let shown = ''
    let at = 0
    for (let found = firstFrom(0, next); found && found.at < until; found = firstFrom(at, next)) {
      shown += held.slice(at, found.at) + found.mark
      at = found.at + found.length
    }
    const end = Math.max(at, until)
    shown += held.slice(at, end)
    held = held.slice(end)
    return Buffer.from(shown, 'latin1')
  }
  return {
    push(piece) {
      held += Buffer.from(piece).toString('latin1')
      return show(Math.max(0, held.length - longest + 1))
    },
    end: () => show(held.length),
  }
}

/** The forms of a value that are looked for, as bytes. */
function formsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8')
  const hex = bytes.toString('hex')
  const json = JSON.stringify(value).slice(1, -1)
  const inBase64 = [0, 1, 2].flatMap((offset) => base64At(bytes, offset)).flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
  const forms = [
    bytes.toString('latin1'),
    Buffer.from(json, 'utf8').toString('latin1'),
    encodeURIComponent(value.toWellFormed()),
    hex,
    hex.toUpperCase(),
    ...inBase64,
  ]
  return [...new Set(forms)].filter((form) => form.length >= shortest)
}

/** The characters of base64 that a value has in a text that has it so many bytes behind a whole group: in its middle, and at its end. */
function base64At(bytes: Uint8Array, offset: number): readonly string[] {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '')
  const atEnd = text.slice(Math.ceil((8 * offset) / 6))
  return [atEnd, (offset + bytes.length) % 3 === 0 ? atEnd : atEnd.slice(0, -1)]
}
