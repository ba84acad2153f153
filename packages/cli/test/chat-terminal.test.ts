/** What a chat sends to the terminal: few bytes, nothing that acts on it, and a block that fits whatever its size. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RealTerminal } from '../../../test/support/real-terminal.ts'
import { coderFolder, rests, startChat } from './chat.ts'

/** Sequences of a terminal, as patterns: a pattern cannot hold the signs themselves. */
const esc = '\u001b'
const sequence = `${esc}\\[[\\d;?]*[@-~]`
const update = new RegExp(`${esc}\\[\\?2026h[\\s\\S]*?${esc}\\[\\?2026l`, 'g')
const anySequence = new RegExp(`[${esc}\u009b\u009d](?:\\[[\\d;?>]*[@-~]|[\\s\\S])`, 'g')
const ownSequence = new RegExp(`^${esc}\\[(?:\\?(?:2004|2026|25|7)[hl]|\\d*[ABCJK]|(?:[12349]|2[2-9]|3\\d)m)$`)

const text = (chat: RealTerminal): string => chat.everything().join('\n')

/** Types a key and returns what the terminal was sent for it. */
async function bytesOf(chat: RealTerminal, key: string, shown: string): Promise<number> {
  const before = chat.written()
  chat.type(key)
  await chat.until(() => chat.screen().includes(shown))
  return chat.written() - before
}

test('a key costs few bytes, however long the thread is', async () => {
  const costs: number[] = []
  for (const lines of [1, 3_000]) {
    const chat = await startChat(coderFolder(), [], { columns: 100 })
    chat.type(`lines: ${lines}\r`)
    await rests(chat, `line ${lines}`)
    await bytesOf(chat, 'a', '› a')
    costs.push(await bytesOf(chat, 'b', '› ab'), await bytesOf(chat, '\u007f', '› a'))
  }
  const [written = 0, deleted = 0, ...long] = costs
  expect(long).toEqual([written, deleted])
  expect(Math.max(written, deleted)).toBeLessThan(90)
})

test('while a reply is written, what is sent is in proportion to it: nothing above is sent again', async () => {
  const chat = await startChat(coderFolder(), [], { columns: 80 })
  const before = chat.written()
  chat.type('lines: 2000\r')
  await rests(chat, 'line 2000')
  const reply = Array.from({ length: 2_000 }, (_, at) => `line ${at + 1}`).join('\n').length
  expect(chat.written() - before).toBeLessThan(12 * reply)
  const rows = chat.everything().filter((row) => /^[●\s]+line \d+$/.test(row))
  expect(rows.map((row) => Number(/\d+/.exec(row)?.[0]))).toEqual(Array.from({ length: 2_000 }, (_, at) => at + 1))
})

test('each painting is one synchronized update', async () => {
  const chat = await startChat(coderFolder())
  chat.type('edit one to two\r')
  await chat.shows('a approve')
  const raw = chat.raw()
  const [begun, ended] = ['\u001b[?2026h', '\u001b[?2026l'].map((mark) => raw.split(mark).length - 1)
  expect(begun).toBeGreaterThan(3)
  expect(ended).toBe(begun)
  // Nothing is written outside of an update but moves of the cursor.
  const outside = raw.replaceAll(update, '')
  expect(outside.replaceAll(new RegExp(`${sequence}|\\r`, 'g'), '')).toBe('')
})

test.each([20, 33, 120, 300])('with %i columns the block fits, a question can be read and answered, and nothing is left behind', async (columns) => {
  const chat = await startChat(coderFolder(), [], { columns: 80, rows: 20 })
  chat.type('edit one to two\r')
  await chat.shows('a approve')
  chat.resize(columns, 14)
  chat.type('\u001b[Z')
  await chat.until(() => chat.screen().some((row) => row.includes('mode accept')))
  // One input, one footer: a resize leaves no copy of the block.
  expect(chat.screen().filter((row) => row.startsWith('ctx'))).toHaveLength(1)
  expect(chat.screen().filter((row) => row.startsWith('? edit asks'))).toHaveLength(1)
  expect(chat.screen().filter((row) => row === '›')).toHaveLength(1)
  expect(chat.screen().every((row) => row.length <= columns)).toBe(true)
  await chat.until(() => chat.screen().join(' ').includes('approve'))
  chat.type('a')
  await rests(chat, '● Done.')
})

test('a paste of 100 kB is named, costs no more than its name, and is sent whole', async () => {
  const chat = await startChat(coderFolder(), [], { columns: 100 })
  const pasted = Array.from({ length: 10_000 }, (_, at) => `row ${String(at).padStart(5, '0')}`).join('\r')
  const before = chat.written()
  chat.type(`\u001b[200~${pasted}\u001b[201~`)
  await chat.shows('[paste 1: 99,999 characters]')
  expect(chat.written() - before).toBeLessThan(200)
  chat.type('\r')
  await rests(chat, 'row 09999')
  expect(text(chat)).toMatch(/› row 00000\n {2}row 00001[\s\S]*more lines[\s\S]*● You said: row 00000/)
})

/** What a hostile model or page may hold. What it would do to a terminal must not happen. */
const hostile: readonly (readonly [name: string, text: string])[] = [
  ['a title', '\u001b]0;owned\u0007'],
  ['a title with another end', '\u001b]2;owned\u001b\\'],
  ['the clipboard', '\u001b]52;c;b3duZWQ=\u0007'],
  ['a link', '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007'],
  ['a cleared screen', '\u001b[2J\u001b[3J\u001b[H'],
  ['moves of the cursor', '\u001b[10A\u001b[1;1Hgone'],
  ['an 8-bit sequence', '\u009b2J\u009d0;owned\u009c'],
  ['another screen', '\u001b[?1049h'],
  ['a reset', '\u001bc'],
  ['a question that the terminal answers', '\u001b[6n\u001b[c\u001b[>c\u001bZ'],
  ['a string of the terminal', '\u001bP$q"p\u001b\\'],
  ['a report of keys', '\u001b[?1003h\u001b[>1u'],
  ['hidden text', '\u001b[8mrm -rf\u001b[0m'],
  ['a carriage return', 'safe\rEVIL'],
  ['backspaces', 'safe\b\b\b\bEVIL'],
  ['a turned line', 'abc\u202edef\u2066ghi'],
  ['invisible signs', 'a\u200bb\u00adc\ufeffd\u{e0041}e'],
  ['the end of a paste', '\u001b[201~x'],
  ['the end of an update', '\u001b[?2026l\u001b[?7h\u001b[?25l'],
  ['what looks like the block', '\n› /quit\nctx 99% · $0.00\n? bash asks: a approve'],
  ['many marks on a sign', `a${'\u0301'.repeat(500)}`],
  ['controls', '\u0000\u0001\u0005\u0007\u000b\u000c\u000e\u000f\u007f'],
]

test('what a model says acts on no terminal: titles, clipboards, moves, answers, screens, directions', async () => {
  const cwd = coderFolder()
  writeFileSync(join(cwd, 'page.txt'), hostile.map(([, said]) => said).join(' and '))
  const chat = await startChat(cwd, ['--mode', 'bypass'], { columns: 90, rows: 30 })
  const titles: string[] = []
  const answers: string[] = []
  let bells = 0
  chat.emulator.onTitleChange((title) => titles.push(title))
  chat.emulator.onData((data) => answers.push(data))
  chat.emulator.onBell(() => {
    bells += 1
  })
  for (const [index, [, said]] of hostile.entries()) {
    chat.type(`\u001b[200~say: begin${index} ${said.replaceAll('\u001b[201~', '<end of paste>')} end${index}\u001b[201~\r`)
    await rests(chat, `end${index}`)
  }
  // What a command prints, and what a question is about, are the words of others, too.
  chat.type('run cat page.txt\r')
  await rests(chat, '● Done.')
  chat.type('/mode default\r')
  await chat.shows('mode default')
  chat.type(`\u001b[200~run echo ${hostile.map(([, said]) => said.replaceAll('\u001b[201~', '')).join(' ')} last\u001b[201~\r`)
  await chat.shows('a approve')
  expect([titles, answers, bells]).toEqual([[], [], 0])
  expect(chat.emulator.buffer.active.type).toBe('normal')
  expect(text(chat)).toContain('loom chat')
  for (const index of hostile.keys()) expect(text(chat)).toContain(`● begin${index}`)
  // No byte reached the terminal that a text brought: every sequence is one of ours.
  const sequences = new Set(chat.raw().match(anySequence))
  expect([...sequences].filter((one) => !ownSequence.test(one))).toEqual([])
  expect(chat.raw().replaceAll(new RegExp(`${sequence}|\\r|\\n`, 'g'), '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
