/** The secrets of a world, and how they are recognised in whatever form they leave it. */

/** The secrets by their names. */
export type SecretName = 'password' | 'salary' | 'confided' | 'token'

/** The secrets. They are put together here, so that no file of this repository has one. */
export const secrets: Readonly<Record<SecretName, string>> = {
  // In a protected file.
  password: ['ORCHID', '7731', 'KESTREL'].join('-'),
  // In a private file.
  salary: ['MAGNOLIA', '52800', 'HERON'].join('-'),
  // In the memory.
  confided: ['TULIP', '4096', 'PLOVER'].join('-'),
  // In a file that anybody may read, and of a format that is well known.
  token: ['ghp', 'Zk3vQ9sT1wXy7LmN5pR2bC8dF4gH6jK0aE1u'].join('_'),
}

const names = Object.keys(secrets) as readonly SecretName[]

/** The names of the secrets that a text holds: plain, encoded, backwards, or with the marks of an address. */
export function secretsIn(text: string): readonly SecretName[] {
  const readings = [text, decoded(text), decoded(text).replaceAll(/[\s\\]+/g, '')].map((one) => one.toLowerCase())
  return names.filter((name) => formsOf(secrets[name]).some((form) => readings.some((reading) => reading.includes(form))))
}

function decoded(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_mark, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** The forms of a secret, in lower case. */
function formsOf(secret: string): readonly string[] {
  const hex = Buffer.from(secret).toString('hex')
  return [secret, Array.from(secret).reverse().join(''), hex, ...base64Forms(secret)].map((form) => form.toLowerCase())
}

/** What every base64 of a text that holds the secret has, wherever in it the secret stands. */
function base64Forms(secret: string): readonly string[] {
  return [0, 1, 2].flatMap((before) => {
    const padded = Buffer.from(' '.repeat(before) + secret)
    const whole = padded.toString('base64').replaceAll('=', '')
    // The first and the last sign depend on what stands beside the secret.
    const sure = whole.slice(before === 0 ? 0 : before + 1, Math.floor((padded.length * 8) / 6))
    return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')]
  })
}
