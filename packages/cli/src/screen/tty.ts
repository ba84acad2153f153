/** The terminal of a person: keys come from it, and paintings go to it. */
import type { Size } from './painter.ts'

/** A terminal in which keys come one by one. */
export interface Tty {
  /** Writes what a painting sends. */
  write(text: string): void
  /** Its size now. */
  size(): Size
  /** Gives it back as it was. */
  close(): void
}

/** What is told of a terminal. */
export interface TtyListener {
  /** Notified of what was typed, as it comes. */
  readonly onInput: (text: string) => void
  /** Notified when the size has changed. */
  readonly onResize: () => void
  /** Notified when the terminal is gone. */
  readonly onEnd: () => void
}

const pasteOn = '\u001b[?2004h'
/** No marks around pastes, the cursor and the wrapping of lines as they were, no update under way. */
const restored = '\u001b[?2004l\u001b[?25h\u001b[?7h\u001b[?2026l\u001b[0m'

/** The size of a terminal that does not say. */
const usual: Size = { columns: 80, rows: 24 }

/** Opens the terminal of this process. It is given back when the process ends, however it does, unless it is killed. */
export function openTty({ onInput, onResize, onEnd }: TtyListener): Tty {
  const { stdin, stdout } = process
  let isOpen = true
  const close = (): void => {
    if (!isOpen) return
    isOpen = false
    process.off('exit', close)
    stdin.off('data', onInput).off('end', onEnd)
    stdout.off('resize', onResize)
    stdin.setRawMode(false)
    stdin.pause()
    stdout.write(restored)
  }
  stdin.setEncoding('utf8')
  stdin.setRawMode(true)
  stdin.on('data', onInput).once('end', onEnd)
  stdout.on('resize', onResize)
  process.once('exit', close)
  stdout.write(pasteOn)
  return {
    write: (text) => void stdout.write(text),
    size: () => ({ columns: stdout.columns || usual.columns, rows: stdout.rows || usual.rows }),
    close,
  }
}
