/** Holes in rewinds, and in what is recorded of files. */
import type { Hole } from './hole.ts'

const foundBy = 'test/attacks/rewinds.test.ts'
const workspace = 'tools/src/workspace'
const hole = (what: string, file: string, [passage, instead]: readonly [passage: string, instead: string]): Hole => ({
  what,
  file,
  passage,
  instead,
  foundBy,
})

export const rewindHoles: readonly Hole[] = [
  hole('rewinds write to protected places', `${workspace}/put-back.ts`, ['if (why !== undefined) throw', 'if (why === path) throw']),
  hole('rewinds go through folders that are links', `${workspace}/put-back.ts`, ['name !== names[index]', 'name === path']),
  hole('rewinds make links to anywhere', `${workspace}/put-back.ts`, ["|| inside === '..' || inside.startsWith('../')", '']),
  hole('rewinds make links to absolute places', `${workspace}/put-back.ts`, ['|| posix.isAbsolute(to)', '']),
  hole('a file is put back over any other content', `${workspace}/put-back.ts`, [
    'if (!isIn(now, before, was)) return edited()',
    'if (now.hash === path) return edited()',
  ]),
  hole('what stands aside is not looked at', `${workspace}/exchange-file.ts`, [
    'if (!(await exchange.isExpected(aside))) throw',
    "if (exchange.key === '') throw",
  ]),
  hole('a name is taken from others', `${workspace}/exchange-file.ts`, ['await link(from, to)', 'return await rename(from, to)']),
  {
    ...hole('what a look has found is undone without its content', 'agent/src/fork/plan-restore.ts', [
      'if (one.isSeen && before !== null',
      "if (one.path === '' && before !== null",
    ]),
    foundBy: 'packages/tools/test/lost-watch.test.ts',
  },
  hole('a link counts as the file that it leads to', `${workspace}/put-back.ts`, [
    "if (stats.isSymbolicLink()) return { hash: hashOf(await readlink(folder.at(name), 'buffer')), mode: 'link' }",
    '',
  ]),
  hole('journals are files like others for a rewind', 'tools/src/files/target.ts', ['await refuseJournal(folder, name, { path, journals })', '']),
  hole('what people edited since is expected', 'agent/src/fork/plan-restore.ts', [
    'if (!has(expected, found)) return',
    'if (found.hash === path) return',
  ]),
  hole('what people edited in between is undone', 'agent/src/fork/net-changes.ts', ['isMixed: isMixed || !has(last, was)', 'isMixed']),
  hole('a name gives the bytes of any thread', 'agent/src/fork/plan-restore.ts', [
    '(await has(hash)) ? journal.blob(hash)',
    'hash ? journal.blob(hash)',
  ]),
  hole('lines from outside are rewound', 'agent/src/fork/rewind.ts', ['if (cut.quarantined) throw', "if (thread === '') throw"]),
  hole('data with the fields of notes is notes', 'agent/src/types/noted.ts', [
    'Object.hasOwn(returned, brand)',
    "Object.hasOwn(returned, 'changed')",
  ]),
  hole('looks keep secrets', `${workspace}/scan.ts`, ["bounds.guard.reason('read', [...folder.segments, name]) === undefined", 'bounds.keeps']),
  hole('file tools keep secrets', 'tools/src/files/changing.ts', ["bounds.guard.reason('read', path.split('/')) !== undefined", "path === ''"]),
  hole('looks read journals', `${workspace}/scan.ts`, ["if (hasCode(error, 'LOOM_PERMISSION_DENIED')) return true", '']),
]
