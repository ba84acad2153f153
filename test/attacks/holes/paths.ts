/** Holes in the confinement of the file tools, in the protection of paths, and in that of journals. */
import type { Hole } from './hole.ts'

const foundBy = 'test/attacks/paths.test.ts'
const files = 'tools/src/files'
const hole = (what: string, file: string, [passage, instead]: readonly [passage: string, instead: string]): Hole => ({
  what,
  file,
  passage,
  instead,
  foundBy,
})
const ruleHole = (...given: Parameters<typeof hole>): Hole => ({ ...hole(...given), foundBy: 'test/attacks/path-rules.test.ts' })

export const pathHoles: readonly Hole[] = [
  hole('.. leads above the root', `${files}/path.ts`, [
    "if (name !== '..') segments.push",
    "if (name !== '..' || segments.length === 0) segments.push",
  ]),
  hole('absolute paths are taken as relative ones', `${files}/path.ts`, ["if (path.startsWith('/')) throw", "if (path.startsWith('/\\0')) throw"]),
  hole('backslashes are characters like others', `${files}/path.ts`, ["|| path.includes('\\\\')", '']),
  hole('invisible characters are allowed', `${files}/path.ts`, ['if (hidden.test(path)) throw', 'if (path === hidden.source) throw']),
  hole('half characters are allowed', `${files}/path.ts`, ['if (!path.isWellFormed()) throw', 'if (path === hidden.source) throw']),
  hole('a home folder is a name like others', `${files}/path.ts`, ['if (/^~(?:\\/|$)/.test(path)) throw', "if (path === '') throw"]),
  hole('links lead anywhere', `${files}/confinement.ts`, ['/.test(inside)) {\n    throw forbidden(', '/.test(inside)) {\n    void forbidden(']),
  hole('pipes and devices are files', `${files}/confinement.ts`, ['if (stats.isFile()) return\n', 'if (!stats.isDirectory()) return\n']),
  hole('capital letters make another name', `${files}/guard.ts`, ['    .toUpperCase()\n    .toLowerCase()\n', '']),
  hole('wide letters make another name', `${files}/guard.ts`, [".normalize('NFKC')", ".normalize('NFC')"]),
  hole('streams make another name', `${files}/guard.ts`, [".replace(/(?!^):.*$/su, '')", '']),
  hole('trailing dots make another name', `${files}/guard.ts`, [".replace(/(?!^)[. ]+$/u, '')", '']),
  hole('short names are other names', `${files}/guard.ts`, ['(short !== undefined && folded(name).startsWith(short))', 'short === name']),
  hole('links lead to protected places', `${files}/guard.ts`, ['if (why === undefined || reached', 'if (why !== path || reached']),
  hole('protected places are not asked about', `${files}/guard.ts`, [
    "why === undefined ? { atLeast: 'allow' }",
    "why !== path ? { atLeast: 'allow' }",
  ]),
  hole('rules loosen the least verdict', 'agent/src/permission/judge.ts', [
    'leasts.reduce((made, one) => atLeast(call, made, one), ruling)',
    'ruling',
  ]),
  hole('searches read secrets', `${files}/grep.ts`, ['if (secret !== undefined) return', 'if (secret === shown) return']),
  hole('searches enter folders of secrets', `${files}/find-files.ts`, [
    "bounds.guard.reason('read', place) !== undefined",
    "bounds.guard.reason('read', place) === ''",
  ]),
  hole('databases are files like others', `${files}/journal-files.ts`, ['(await hasJournalHead(folder, name)) ||', '']),
  hole('logs of databases can be made', `${files}/journal-files.ts`, ['isLog || (await journals', '(await journals']),
  hole('the journals of the program are files like others', `${files}/target.ts`, [
    'if (await journals.covers(join(root, ...segments))) throw',
    "if (path === '') throw",
  ]),
  ruleHole('rules look at the name of a link alone', `${files}/path-matcher.ts`, ['[given, trail.place, knownAs(root, trail.place)]', '[given]']),
  ruleHole('rules look at the end of a link alone', `${files}/path-matcher.ts`, ['[given, trail.place, knownAs', '[trail.place, knownAs']),
  ruleHole('links may be exchanged after a call was judged', `${files}/judged-places.ts`, ['if (!isJudged) return guard', 'if (input) return guard']),
  ruleHole('folders may be exchanged after a listing was judged', `${files}/list.ts`, ['...(bounds.check && { check: bounds.check })', '']),
  ruleHole('rules that deny compare names as they are', `${files}/path-pattern.ts`, [
    ' || loose.some((parts) => mayMeet(parts, segments.map(folded), isTree))',
    '',
  ]),
  ruleHole('rules that deny something below a folder are not met by a search of it', `${files}/path-pattern.ts`, [
    '(isTree && (states',
    '(!isTree && (states',
  ]),
  ruleHole('rules with wildcards name secrets', `${files}/path-pattern.ts`, ['why === undefined || guard', "why !== '' || guard"]),
]
