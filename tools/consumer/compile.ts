/** Compiles what users write with the strictest options, declarations of Loom included. */
import { cpSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { node } from './execute.ts'
import type { Packed } from './packages.ts'
import { attempt, type Row } from './row.ts'

/** A compiler, by the path of its program. */
export interface Compiler {
  readonly version: string
  readonly program: string
}

const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  noEmit: true,
  target: 'es2024',
  allowImportingTsExtensions: true,
  verbatimModuleSyntax: true,
}
const resolutions = {
  NodeNext: { module: 'nodenext' },
  Bundler: { module: 'esnext', moduleResolution: 'bundler' },
} as const

/** Puts the programs of users and one that imports every entry of every package into a project. */
export function addPrograms(project: string, packed: readonly Packed[]): void {
  cpSync(join(import.meta.dirname, 'programs'), join(project, 'programs'), { recursive: true })
  const entries = packed.flatMap(({ name, exports }) => exports.map((path) => `${name}${path.slice(1)}`))
  const lines = entries.map((entry, index) => `import * as entry${index} from '${entry}'`)
  writeFileSync(
    join(project, 'surface.ts'),
    [...lines, `export const entries = [${entries.map((_, index) => `entry${index}`).join(', ')}]`, ''].join('\n'),
  )
}

/** Compiles a project with each compiler under each resolution. */
export async function compileAll(project: string, compilers: readonly Compiler[]): Promise<readonly Row[]> {
  const rows: Row[] = []
  for (const compiler of compilers)
    for (const resolution of ['NodeNext', 'Bundler'] as const) rows.push(...(await compile(project, compiler, resolution)))
  return rows
}

async function compile(project: string, { version, program }: Compiler, resolution: keyof typeof resolutions): Promise<readonly Row[]> {
  const variants = [
    { what: 'every entry, no @types', types: [], include: ['surface.ts'] },
    { what: 'programs of users', types: ['node'], include: ['programs/*.ts'] },
  ]
  const rows: Row[] = []
  for (const { what, types, include } of variants) {
    const config = join(project, `tsconfig.${version}.${resolution}.${types.length}.json`)
    writeFileSync(config, JSON.stringify({ compilerOptions: { ...strict, ...resolutions[resolution], types }, include }))
    const compiled = async (): Promise<void> => void (await node([program, '-p', basename(config), '--pretty', 'false'], { cwd: project }))
    rows.push(await attempt('types', `TypeScript ${version}, ${resolution}: ${what}`, compiled))
  }
  return rows
}
