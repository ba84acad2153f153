/** A certificate for a host, signed by itself: made when a test needs it, so that no key is in a file. */
import { generateKeyPairSync, sign } from 'node:crypto'

/** A key and its certificate, in PEM form. */
export interface Certificate {
  readonly key: string
  readonly cert: string
}

const encoded = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(contents)
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

const sequence = (...contents: readonly Buffer[]): Buffer => encoded(0x30, ...contents)
const ecdsaWithSha256 = sequence(encoded(6, Buffer.from('2a8648ce3d040302', 'hex')))
const commonName = (name: string): Buffer =>
  sequence(encoded(0x31, sequence(encoded(6, Buffer.from('550403', 'hex')), encoded(0x0c, Buffer.from(name)))))
const time = (text: string): Buffer => encoded(0x18, Buffer.from(text))

/** Makes a certificate for the host. */
export function certificateFor(host: string): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const names = sequence(encoded(0x82, Buffer.from(host)))
  const extension = (id: string, value: Buffer): Buffer => sequence(encoded(6, Buffer.from(id, 'hex')), encoded(4, value))
  const extensions = sequence(extension('551d11', names), extension('551d13', sequence(encoded(1, Buffer.from([255])))))
  const certificate = sequence(
    encoded(0xa0, encoded(2, Buffer.from([2]))),
    encoded(2, Buffer.from([1])),
    ecdsaWithSha256,
    commonName(host),
    sequence(time('20200101000000Z'), time('21200101000000Z')),
    commonName(host),
    publicKey.export({ type: 'spki', format: 'der' }),
    encoded(0xa3, extensions),
  )
  const signature = encoded(3, Buffer.from([0]), sign('sha256', certificate, privateKey))
  const pem = sequence(certificate, ecdsaWithSha256, signature).toString('base64')
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${pem.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  }
}
