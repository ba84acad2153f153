/** Checks of a tarball that do not run it: publint, attw, and what every package must carry. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { node } from './execute.ts'
import type { Packed } from './packages.ts'
import { attempt, type Row } from './row.ts'

/** Checks that each installed package has a README, a licence and source maps that lead to files which are there. */
export function checkContents(project: string, packed: readonly Packed[]): Promise<readonly Row[]> {
  return Promise.all(packed.map(({ name }) => attempt('contents', name, () => contentsOf(join(project, 'node_modules', name)))))
}

function contentsOf(folder: string): string {
  for (const file of ['README.md', 'LICENSE']) if (!existsSync(join(folder, file))) throw new Error(`There is no ${file}.`)
  const maps = globSync('dist/**/*.map', { cwd: folder }).map((file) => join(folder, file))
  const lost = maps.flatMap((map) => sourcesOf(map).filter((source) => !existsSync(source)))
  if (lost.length > 0) throw new Error(`Source maps name ${lost.length} files that are not there, such as ${lost[0]}.`)
  const tests = globSync('{dist,src}/**/*.test.*', { cwd: folder })
  if (tests.length > 0) throw new Error(`There are tests in it, such as ${tests[0]}.`)
  return `${maps.length} source maps lead to their sources`
}

function sourcesOf(map: string): readonly string[] {
  const { sources, sourceRoot = '' } = JSON.parse(readFileSync(map, 'utf8')) as { sources: string[]; sourceRoot?: string }
  return sources.map((source) => join(dirname(map), sourceRoot, source))
}

/** Runs publint and attw of the toolbox over every package. */
export async function lintPackages(toolbox: string, project: string, packed: readonly Packed[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const { name, tarball } of packed) {
    const run = async (program: string, ...args: readonly string[]): Promise<void> => {
      await node([join(toolbox, 'node_modules', program), ...args], { cwd: toolbox })
    }
    const folder = join(project, 'node_modules', name)
    rows.push(
      await attempt('publint', name, () => run('publint/src/cli.js', '--strict', '--pack', 'false', folder)),
      await attempt('attw', name, () => run('@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only', '--no-emoji')),
    )
  }
  return rows
}
