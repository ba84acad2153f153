/** Chats in a real terminal, for tests. */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFailed, onTestFinished } from 'vitest'
import { openTerminal, type RealTerminal, type TerminalOptions } from '../../../test/support/real-terminal.ts'

const bin = join(import.meta.dirname, '../../loom-agent/bin/loom.js')

/** How Node runs the command. */
export const loomArgs = (given: readonly string[]): readonly string[] => ['--conditions=loom-source', '--no-warnings', bin, ...given]

/** A folder with the coder and a file `a.txt`. It is inside the repository, so that its configuration finds the packages. */
export function coderFolder(): string {
  const folder = mkdtempSync(join(import.meta.dirname, 'tmp-'))
  copyFileSync(join(import.meta.dirname, 'coder/loom.config.ts'), join(folder, 'loom.config.ts'))
  writeFileSync(join(folder, 'a.txt'), 'one\n')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The environment of a chat: no key of a provider, no colours unless they are asked for. */
export const chatEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  HOME: process.env['HOME'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  USER: 'ann',
  TERM: 'xterm-256color',
}

/** Starts `loom chat` in a terminal; resolves when it takes keys. What a test that failed saw is printed. */
export async function startChat(cwd: string, args: readonly string[] = [], given: Partial<TerminalOptions> = {}): Promise<RealTerminal> {
  const terminal = openTerminal(process.execPath, loomArgs(['chat', ...args]), { cwd, env: chatEnvironment, ...given })
  onTestFailed(() => console.error(terminal.everything().join('\n')))
  // The folder goes when the program has gone.
  onTestFinished(async () => {
    terminal.kill()
    await terminal.ended
  })
  await terminal.shows('loom chat')
  return terminal
}

/** Resolves when a text is shown and nothing is under way. */
export async function rests(chat: RealTerminal, text: string): Promise<void> {
  await chat.until(() => chat.everything().join('\n').includes(text) && !/^ {2}\S.* … \d/m.test(chat.screen().join('\n')))
}
