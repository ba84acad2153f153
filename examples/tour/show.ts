/** The output of the tour: plain lines, with colour where the terminal has it. */
import { styleText } from 'node:util'
import type { LoomEvent } from 'loom-agent'

const style = (how: Parameters<typeof styleText>[0], text: string): string => styleText(how, text, { stream: process.stdout })

export function print(text: string): void {
  process.stdout.write(text)
}

export function chapter(number: string, title: string): void {
  print(`\n${style(['bold', 'cyan'], number)} ${style('bold', title)}\n`)
}

export function note(text: string): void {
  print(`  ${text}\n`)
}

/** Prints an event as one line: its seq, its type, and the start of its data. */
export function eventLine({ seq, type, data }: LoomEvent): void {
  const text = JSON.stringify(data)
  const shown = text.length > 84 ? `${text.slice(0, 81)}...` : text
  print(`  ${style('dim', String(seq).padStart(3))} ${style('cyan', type.padEnd(18))} ${style('dim', shown)}\n`)
}
