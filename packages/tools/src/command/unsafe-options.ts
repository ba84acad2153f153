/**
 * Options that make a harmless program run or write something. A `*` in a pattern never stands for one.
 *
 * UNSAFE-1. A listed option is found in each way in which its program reads it: shortened, in a cluster, with its value attached, with one dash or two, and
 *     as what its letter means for the subcommand that is called.
 *
 * The table is a help against accidents and known tricks, and it is never complete: what is not listed is allowed by a rule that allows it.
 */
import { baseName } from './programs.ts'

interface Unsafe {
  /** Options of one letter: also in a cluster, and with a value attached. */
  readonly letters?: string
  /** Long options, which most programs accept shortened. */
  readonly long?: readonly string[]
  /** Options of a whole word, with one dash or two, and with a value attached. */
  readonly words?: readonly string[]
  /** Whether the first word may be a cluster of letters without a dash. */
  readonly isBundled?: true
  /** Options that count only before the first operand. */
  readonly first?: readonly string[]
  /** What an operand must not look like. */
  readonly operand?: RegExp
  /** How many operands are read; the next one would be written. */
  readonly reads?: number
  /** What else counts for a subcommand, by its name. */
  readonly under?: Readonly<Record<string, Pick<Unsafe, 'letters' | 'long' | 'operand'>>>
  /** What the first operand, which is a program of its own, must look like. */
  readonly script?: RegExp
}

const table: Readonly<Record<string, Unsafe>> = {
  ack: { long: ['pager', 'ackrc'] },
  ag: { long: ['pager'] },
  awk: { letters: 'filE', long: ['file', 'include', 'load', 'exec'], script: /^(?!.*(?:system|getline|[|>@]))/s },
  bat: { long: ['pager', 'generate-config-file'] },
  curl: {
    letters: 'oOKTc',
    long: ['output', 'remote-name', 'config', 'upload-file', 'cookie-jar', 'output-dir', 'create-dirs', 'dump-header', 'trace'],
  },
  date: { letters: 's', long: ['set'], operand: /^\d{8,12}(?:\.\d\d)?$/ },
  fd: { letters: 'xX', long: ['exec', 'exec-batch'] },
  file: { letters: 'C', long: ['compile'] },
  find: { words: ['-delete', '-exec', '-execdir', '-ok', '-okdir', '-fls', '-fprint', '-fprint0', '-fprintf', '-files0-from'] },
  git: {
    letters: 'O',
    long: ['config-env', 'exec-path', 'ext-diff', 'output', 'upload-pack', 'receive-pack', 'exec', 'open-files-in-pager', 'git-dir', 'work-tree'],
    first: ['-c', '-C'],
    operand: /^[A-Za-z0-9.+-]*::/,
    under: {
      bisect: { operand: /^run$/ },
      clone: { letters: 'uc', long: ['config', 'template'] },
      difftool: { letters: 'x', long: ['extcmd'] },
      'filter-branch': {
        long: ['setup', 'env-filter', 'tree-filter', 'index-filter', 'parent-filter', 'msg-filter', 'commit-filter', 'tag-name-filter'],
      },
      init: { long: ['template'] },
      rebase: { letters: 'x' },
      submodule: { operand: /^foreach$/ },
    },
  },
  go: { words: ['-exec', '-toolexec', '-vettool', '-overlay', '-modfile', '-ldflags'] },
  hg: { long: ['config', 'cwd', 'repository'], letters: 'R' },
  less: { letters: 'oOk', long: ['log-file', 'LOG-FILE', 'lesskey-file', 'lesskey-src'], operand: /^\+/ },
  man: { letters: 'PHCl', long: ['pager', 'html', 'config-file'] },
  more: { operand: /^\+/ },
  rg: { letters: 'z', long: ['pre', 'pre-glob', 'hostname-bin', 'search-zip'] },
  rsync: { letters: 'e', long: ['rsh', 'rsync-path'] },
  sed: {
    letters: 'ife',
    long: ['in-place', 'file', 'expression'],
    script: /^(?:(?:\d+|\$)?(?:,(?:\d+|\$))?[pdq]|s\/[^/\\\n]*\/[^/\\\n]*\/[gip]*)$/,
  },
  sort: { letters: 'oT', long: ['output', 'compress-program', 'temporary-directory', 'files0-from'] },
  shuf: { letters: 'o', long: ['output'] },
  split: { long: ['filter'] },
  svn: { long: ['diff-cmd', 'diff3-cmd', 'editor-cmd', 'config-option', 'config-dir'] },
  tar: {
    letters: 'IF',
    isBundled: true,
    long: ['checkpoint-action', 'to-command', 'use-compress-program', 'rsh-command', 'info-script', 'new-volume-script', 'rmt-command'],
  },
  tree: { letters: 'oR', long: ['output'] },
  uniq: { reads: 1 },
  wget: { letters: 'Oeai', long: ['output-document', 'execute', 'use-askpass', 'config', 'post-file', 'output-file'] },
  xxd: { reads: 1 },
  yq: { letters: 'is', long: ['inplace', 'in-place', 'split-exp'] },
  zip: { letters: 'T', long: ['unzip-command'], words: ['-TT'] },
}

/** Whether the words of a command from a place on have such an option. */
export function hasUnsafeOption(argv: readonly string[], from: number): boolean {
  const name = baseName(argv[0] ?? '')
  const unsafe = Object.hasOwn(table, name) ? table[name] : undefined
  if (!unsafe) return false
  const isOperand = (word: string, index: number): boolean => index > 0 && !word.startsWith('-')
  const firstOperand = argv.findIndex(isOperand)
  const end = firstOperand < 0 ? argv.length : firstOperand
  const { under = {}, isBundled, reads = Infinity } = unsafe
  if (argv.flatMap((word, index) => (isOperand(word, index) ? index : [])).some((index, place) => place >= reads && index >= from)) return true
  const called = Object.entries(under).flatMap(([subcommand, more]) =>
    argv.some((word, at) => isOperand(word, at) && word === subcommand) ? more : [],
  )
  const isUnsafe = (word: string, index: number): boolean =>
    index >= from &&
    (isUnsafeWord(unsafe, isBundled && index === 1 && firstOperand === 1 ? `-${word}` : word) ||
      called.some((more) => isUnsafeWord(more, word)) ||
      (index < end && (unsafe.first ?? []).some((option) => word.startsWith(option))) ||
      (index === firstOperand && unsafe.script?.test(word) === false))
  return argv.some((word, index) => index > 0 && isUnsafe(word, index))
}

function isUnsafeWord({ letters = '', long = [], words = [], operand }: Unsafe, word: string): boolean {
  if (!word.startsWith('-')) return operand?.test(word) ?? false
  const option = word.replace(/^--?/, '').split('=')[0] ?? ''
  if (words.includes(`-${option}`)) return true
  if (!word.startsWith('--')) return letters.split('').some((letter) => word.includes(letter))
  return option !== '' && long.some((known) => known.startsWith(option))
}
