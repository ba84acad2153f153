/** Programs that only read, with the options of which that is known. What is not in the table may do anything. */

/** With which words a program only reads. */
export interface ReadingUse {
  /** Options of one letter, alone or in a cluster. */
  readonly flags?: string
  /** Options of one letter that take a value. */
  readonly values?: string
  /** Options with two dashes, with or without a value after `=`. */
  readonly long?: string
  /** Options with two dashes whose value is the next word. */
  readonly longValues?: string
  /** Options with one dash and a whole word, and whether a value follows. */
  readonly words?: Readonly<Record<string, boolean>>
  /** Whether a number with a dash is an option: `head -20`. */
  readonly number?: true
  /** How many operands there may be; default: any number. */
  readonly operands?: number
  /** What the first operand must look like. */
  readonly script?: RegExp
}

const nothing: ReadingUse = { operands: 0 }
const revisions =
  'oneline stat graph decorate all branches tags remotes name-only name-status no-color color pretty format author grep since until after before max-count skip reverse merges no-merges follow patch no-patch abbrev-commit date numstat shortstat first-parent no-pager cached staged word-diff ignore-all-space no-ext-diff no-textconv unified diff-filter summary check raw left-right cherry-pick cherry topo-order date-order'
const gitLog: ReadingUse = {
  flags: 'pisMwbEPFz',
  values: 'nSGULA',
  long: revisions,
  longValues: 'author grep since until after before max-count skip',
  number: true,
}
const counted: ReadingUse = { flags: 'qvz', values: 'nc', long: 'lines bytes quiet silent verbose zero-terminated', number: true }
const sums: ReadingUse = { flags: 'bctwz', long: 'check quiet status warn binary text tag zero' }

/** The uses of `git` that only read, by its sub-command. Settings of the repository may still make git run programs. */
export const gitReading: Readonly<Record<string, ReadingUse>> = {
  blame: { flags: 'wsltcfneMC', values: 'L', long: 'porcelain line-porcelain date since' },
  branch: { flags: 'avr', long: 'all list remotes verbose show-current no-color', operands: 0 },
  'cat-file': { flags: 'pset' },
  'check-ignore': { flags: 'vnq', long: 'verbose quiet no-index' },
  'count-objects': { flags: 'vH' },
  describe: { long: 'tags all long always dirty abbrev exact-match contains match' },
  diff: gitLog,
  'for-each-ref': { long: 'format sort count points-at merged contains' },
  grep: { flags: 'nilcwvEFPqIhHo', values: 'eABC', long: 'line-number ignore-case count name-only files-with-matches cached untracked' },
  log: gitLog,
  'ls-files': { flags: 'cdmostukz', values: 'x', long: 'cached deleted modified others stage exclude-standard error-unmatch full-name' },
  'ls-tree': { flags: 'drtlz', long: 'name-only full-name full-tree long abbrev' },
  'merge-base': { flags: 'a', long: 'all is-ancestor fork-point octopus' },
  reflog: { ...gitLog, operands: 0 },
  'rev-list': { ...gitLog, long: `${revisions} count objects` },
  'rev-parse': {
    flags: 'q',
    long: 'short verify abbrev-ref show-toplevel git-dir show-prefix show-cdup is-inside-work-tree symbolic-full-name quiet',
  },
  shortlog: { flags: 'sne', long: revisions, number: true },
  show: gitLog,
  'show-ref': { flags: 'dqs', long: 'heads tags verify hash abbrev head' },
  status: { flags: 'sbuvz', long: 'short branch porcelain long untracked-files ignored verbose show-stash ahead-behind no-ahead-behind' },
}

/** The programs, by name. */
export const reading: Readonly<Record<string, ReadingUse>> = {
  basename: { flags: 'az', values: 's', long: 'multiple suffix zero' },
  cat: { flags: 'AbeEnstTuv', long: 'number show-all squeeze-blank show-ends show-tabs' },
  cmp: { flags: 'bls', values: 'in', long: 'print-bytes verbose silent quiet' },
  comm: { flags: '123z', long: 'check-order nocheck-order' },
  cut: { flags: 'snz', values: 'bcdf', long: 'bytes characters delimiter fields complement only-delimited output-delimiter' },
  df: { flags: 'ahHiklPT', values: 't', long: 'all human-readable si inodes local portability print-type total' },
  diff: { flags: 'abBiqrsuwyNE', values: 'UCIx', long: 'unified brief recursive side-by-side ignore-all-space ignore-case color exclude new-file' },
  dirname: { flags: 'z', long: 'zero' },
  du: { flags: '0abchHkLmPsSx', values: 'd', long: 'all human-readable summarize total max-depth apparent-size exclude' },
  echo: { flags: 'neE' },
  false: nothing,
  file: { flags: 'bhiLz', long: 'brief mime mime-type mime-encoding dereference' },
  fold: { flags: 'bs', values: 'w', long: 'bytes spaces width' },
  grep: {
    flags: 'abcEFGhHiIlLnoPqrRsvwxyzZ',
    values: 'eABCmd',
    long: 'count extended-regexp fixed-strings ignore-case files-with-matches files-without-match line-number only-matching quiet recursive invert-match word-regexp color include exclude exclude-dir context after-context before-context max-count no-messages no-filename with-filename',
    number: true,
  },
  head: counted,
  id: { flags: 'agGnruz' },
  jq: {
    flags: 'acCeMnrsSj',
    long: 'arg argjson compact-output raw-output slurp sort-keys exit-status tab indent null-input color-output monochrome-output',
  },
  ls: {
    flags: '1aAbBcCdfFgGhHiklLmnNopqQrRsStuUvxXZ',
    long: 'all almost-all human-readable recursive reverse size sort time color full-time directory classify inode group-directories-first time-style',
  },
  md5sum: sums,
  nl: { values: 'bdfhilnsvw' },
  nproc: { long: 'all ignore' },
  paste: { flags: 'sz', values: 'd', long: 'delimiters serial' },
  ps: { flags: 'aAdeflux', values: 'poCtU', long: 'forest no-headers sort pid ppid' },
  pwd: { flags: 'LP', operands: 0 },
  readlink: { flags: 'efmnqsvz', long: 'canonicalize no-newline' },
  realpath: { flags: 'emLPqsz', long: 'relative-to relative-base canonicalize-existing canonicalize-missing no-symlinks' },
  rg: {
    flags: 'acFhHiIlLnNoPqsSUvwx0.u',
    values: 'ABCegmMrtTEj',
    long: 'after-context before-context context count count-matches files files-with-matches files-without-match fixed-strings glob hidden ignore-case iglob json line-number max-count max-depth multiline no-heading no-ignore no-line-number only-matching pcre2 quiet regexp replace smart-case sort stats type type-not word-regexp color heading vimgrep column trim null',
    longValues: 'after-context before-context context glob iglob max-count max-depth regexp replace sort type type-not color',
  },
  sed: { flags: 'nEr', long: 'quiet silent regexp-extended', script: /^(?:\d+|\$)?(?:,(?:\d+|\$))?[pdq]$/ },
  seq: { flags: 'w', values: 'sf', long: 'equal-width separator format' },
  sha1sum: sums,
  sha256sum: sums,
  sort: {
    flags: 'bcCdfghiMmnrRsuVz',
    values: 'kt',
    long: 'numeric-sort reverse unique key field-separator ignore-case human-numeric-sort version-sort stable check general-numeric-sort month-sort',
  },
  stat: { flags: 'Lft', values: 'c', long: 'format printf dereference file-system terse' },
  tac: { flags: 'br', values: 's', long: 'before regex separator' },
  tail: counted,
  test: {
    words: { '-f': true, '-d': true, '-e': true, '-s': true, '-r': true, '-w': true, '-x': true, '-n': true, '-z': true, '-L': true, '-h': true },
  },
  tr: { flags: 'cCdst', long: 'complement delete squeeze-repeats truncate-set1' },
  tree: { flags: 'adfilpshDFgUrtuCnNq', values: 'LPI', long: 'dirsfirst noreport prune gitignore si du filelimit charset' },
  true: nothing,
  uname: { flags: 'amnioprsv', long: 'all kernel-name machine', operands: 0 },
  uniq: { flags: 'cdDiuz', values: 'fsw', long: 'count repeated unique ignore-case skip-fields skip-chars', operands: 1 },
  uptime: { flags: 'ps', operands: 0 },
  wc: { flags: 'clLmw', long: 'bytes chars lines words max-line-length' },
  which: { flags: 'as', long: 'all' },
  whoami: nothing,
}

/** What `find` may have, and whether a word follows. */
export const findWords: Readonly<Record<string, boolean>> = {
  ...Object.fromEntries(
    'amin anewer atime cmin cnewer ctime gid group ilname iname inum ipath iregex links lname maxdepth mindepth mmin mtime name newer path perm regex regextype samefile size type uid user wholename xtype printf fstype used'
      .split(' ')
      .map((word) => [`-${word}`, true]),
  ),
  ...Object.fromEntries(
    'H L P a and daystart depth empty executable false follow ls mount noleaf nogroup not nouser o or print print0 prune quit readable true writable xdev'
      .split(' ')
      .map((word) => [`-${word}`, false]),
  ),
}
