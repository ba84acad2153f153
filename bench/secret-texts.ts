/** Texts that are the worst for the redaction: each is one part, again and again. What is found of a secret in them is made up here. */

/** What the worst texts are made of, by what is bad about them. */
export const worstParts: Readonly<Record<string, string>> = {
  'runs of base64': 'QUJD',
  'names without values': 'password=',
  'names and quotes': 'secret: "',
  'names that end nothing': 'the key of the account which was given to the client is: ',
  'values under names': `api_key=${'a1B2c3D4'.repeat(2)}, `,
  'values that are no secrets': 'token: nothing, ',
  'beginnings of addresses': 'a://b:',
  'addresses with signs': '://a:b@',
  'addresses that do not end': `x://${'a:'.repeat(40)}`,
  'beginnings of tokens': '-eyJ',
  'tokens without ends': '.eyJhbGciOiJIUzI1NiJ9',
  'beginnings of keys': ' sk-proj-ghp_xoxb-AKIA',
  'keys that are one short': ` ATATT3${'aB3'.repeat(32)}!`,
  'marks inside': `${'9'.repeat(15)}|`,
  'dots and dashes': 'a.b-c_',
  'first lines of private keys': '-----BEGIN PRIVATE KEY-----',
  'last lines of private keys': '-----END PRIVATE KEY-----',
  'lines of private keys': `-----BEGIN PRIVATE KEY-----\n${'QUJD'.repeat(16)}\n`,
  'lines before their last': `${'QUJD'.repeat(16)}\n`,
  headers: 'Authorization: Basic ',
  cookies: 'Cookie: a=b; ',
  options: '--token ',
  separators: '=:>',
  'escaped quotes': '\\"password\\":\\"',
  blanks: '          ',
}

/** A text of this length, of one part again and again. */
export const worstText = (part: string, length: number): string => part.repeat(Math.ceil(length / part.length)).slice(0, length)
