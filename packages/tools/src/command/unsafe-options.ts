/**
 * Options that make a harmless program run or write something. A `*` in a pattern never stands for one.
 *
 * The table is a help against accidents and known tricks, and it is never complete: what is not listed is allowed by a rule that allows it.
 */
import { baseName } from './programs.ts'

interface Unsafe {
  /** Options of one letter: also in a cluster, and with a value attached. */
  readonly letters?: string
  /** Long options, which most programs accept shortened. */
  readonly long?: readonly string[]
  /** Options with one dash and a whole word. */
  readonly words?: readonly string[]
  /** Options that count only before the first operand. */
  readonly first?: readonly string[]
  /** What an operand must not look like. */
  readonly operand?: RegExp
  /** What the first operand, which is a program of its own, must look like. */
  readonly script?: RegExp
}

const table: Readonly<Record<string, Unsafe>> = {
  awk: { letters: 'filE', long: ['file', 'include', 'load', 'exec'], script: /^(?!.*(?:system|getline|[|>@]))/s },
  curl: {
    letters: 'oOKTc',
    long: ['output', 'remote-name', 'config', 'upload-file', 'cookie-jar', 'output-dir', 'create-dirs', 'dump-header', 'trace'],
  },
  date: { letters: 's', long: ['set'] },
  fd: { letters: 'xX', long: ['exec', 'exec-batch'] },
  find: { words: ['-delete', '-exec', '-execdir', '-ok', '-okdir', '-fls', '-fprint', '-fprint0', '-fprintf', '-files0-from'] },
  git: {
    letters: 'O',
    long: ['config-env', 'exec-path', 'ext-diff', 'output', 'upload-pack', 'receive-pack', 'exec', 'open-files-in-pager', 'git-dir', 'work-tree'],
    first: ['-c', '-C'],
    operand: /^[A-Za-z0-9.+-]*::/,
  },
  go: { words: ['-exec', '-toolexec', '-overlay', '-modfile'] },
  less: { letters: 'oOk', long: ['log-file', 'LOG-FILE', 'lesskey-file', 'lesskey-src'] },
  man: { letters: 'PHCl', long: ['pager', 'html', 'config-file'] },
  rg: { letters: 'z', long: ['pre', 'pre-glob', 'hostname-bin', 'search-zip'] },
  rsync: { letters: 'e', long: ['rsh', 'rsync-path'] },
  sed: {
    letters: 'ife',
    long: ['in-place', 'file', 'expression'],
    script: /^(?:(?:\d+|\$)?(?:,(?:\d+|\$))?[pdq]|s\/[^/\\\n]*\/[^/\\\n]*\/[gip]*)$/,
  },
  sort: { letters: 'oT', long: ['output', 'compress-program', 'temporary-directory', 'files0-from'] },
  tar: {
    letters: 'IF',
    long: ['checkpoint-action', 'to-command', 'use-compress-program', 'rsh-command', 'info-script', 'new-volume-script', 'rmt-command'],
  },
  tree: { letters: 'oR', long: ['output'] },
  wget: { letters: 'Oeai', long: ['output-document', 'execute', 'use-askpass', 'config', 'post-file', 'output-file'] },
  zip: { letters: 'T', long: ['unzip-command'], words: ['-TT'] },
}

/** Whether the words of a command from a place on have such an option. */
export function hasUnsafeOption(argv: readonly string[], from: number): boolean {
  const name = baseName(argv[0] ?? '')
  const unsafe = Object.hasOwn(table, name) ? table[name] : undefined
  if (!unsafe) return false
  const firstOperand = argv.findIndex((word, index) => index > 0 && !word.startsWith('-'))
  const end = firstOperand < 0 ? argv.length : firstOperand
  const isUnsafe = (word: string, index: number): boolean =>
    index >= from &&
    (isUnsafeWord(unsafe, word) ||
      (index < end && (unsafe.first ?? []).some((option) => word.startsWith(option))) ||
      (index === firstOperand && unsafe.script?.test(word) === false))
  return argv.some((word, index) => index > 0 && isUnsafe(word, index))
}

function isUnsafeWord({ letters = '', long = [], words, operand }: Unsafe, word: string): boolean {
  if (words?.includes(word)) return true
  if (!word.startsWith('-')) return operand?.test(word) ?? false
  if (!word.startsWith('--')) return letters.split('').some((letter) => word.includes(letter))
  const option = word.slice(2).split('=')[0] ?? ''
  return option !== '' && long.some((known) => known.startsWith(option))
}
