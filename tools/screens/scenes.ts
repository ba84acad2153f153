/** The scenes of which the pages have pictures: a chat in a real terminal, with the coder and a model that does as it is told. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openTerminal, type RealTerminal } from '../../test/support/real-terminal.ts'
import { root } from '../workspace.ts'
import { pictureOf } from './svg.ts'

/** What differs from one capture to the next, and says nothing: names of threads, and how long something took. */
const changing: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}-[0-9a-f-]{0,27}…?/g, 'd290f1ee…'],
  [/\d+(?:\.\d)? m?s\b/g, '40 ms'],
]

const steady = (text: string): string => changing.reduce((changed, [what, by]) => changed.replaceAll(what, by), text)

const project = join(root, 'packages/cli/test')

/** Plays the scenes, and returns their pictures by name. */
export async function captureScreens(): Promise<ReadonlyMap<string, string>> {
  const folder = mkdtempSync(join(project, 'tmp-screens-'))
  copyFileSync(join(project, 'coder/loom.config.ts'), join(folder, 'loom.config.ts'))
  writeFileSync(join(folder, 'a.txt'), 'The shop opens at nine.\n')
  const bin = join(root, 'packages/loom-agent/bin/loom.js')
  const args = ['--conditions=loom-source', '--no-warnings', bin, 'chat']
  const { PATH = '', HOME = '' } = process.env
  const env = { PATH, HOME, USER: 'ann', TERM: 'xterm-256color' }
  const chat = openTerminal(process.execPath, args, { cwd: folder, env, columns: 88, rows: 24 })
  const pictures = new Map<string, string>()
  const keep = (name: string): void => void pictures.set(name, pictureOf(chat.emulator, steady))
  try {
    await play(chat, keep)
  } finally {
    chat.kill()
    await chat.ended
    rmSync(folder, { recursive: true })
  }
  return pictures
}

async function play(chat: RealTerminal, keep: (name: string) => void): Promise<void> {
  await chat.shows('loom chat')
  chat.type('edit nine to ten\r')
  await chat.shows('a approve')
  keep('question')
  chat.type('a')
  await chat.shows('● Done.')
  await atRest(chat)
  chat.type('/rewind\r')
  await chat.shows('Go back to before which message?')
  chat.type('\r')
  await chat.shows('put back   a.txt')
  await chat.shows('› edit nine to ten')
  await atRest(chat)
  keep('rewound')
  chat.type('\u0015run echo hello \u202e; echo hidden\r')
  await chat.shows('a approve')
  keep('command')
}

/** Nothing is under way, and the model is known to the footer. */
const atRest = (chat: RealTerminal): Promise<void> => chat.until(() => !/^ {2}\S.* … \d/m.test(chat.screen().join('\n')))
