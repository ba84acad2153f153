/** The TypeScript of the repository as the checks see it: one entry for each file, with what it imports. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, relative } from 'node:path'
import { root } from '../workspace.ts'

/** An import or a re-export. */
export interface Import {
  /** The text between the quotes. */
  readonly name: string
  /** The imported file, for a relative import. */
  readonly file: string | undefined
}

/** A TypeScript file. */
export interface Source {
  /** Its path in the repository. */
  readonly file: string
  readonly text: string
  readonly lines: number
  /** The folder below `packages/`; empty for what belongs to no package. */
  readonly package: string
  /** The folder inside `src` of its package; `.` is `src` itself. Empty for tests and for what belongs to no package. */
  readonly folder: string
  readonly isTest: boolean
  readonly imports: readonly Import[]
}

const statement = /^(?:import|export)\s+[^'"`;]*?from\s+['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|^import\s+['"]([^'"]+)['"]/gm

/** The imports of a file; `import('x')` counts like any other. */
export function importsOf(file: string, text: string): readonly Import[] {
  return [...text.matchAll(statement)].map(([, from, dynamic, bare]) => {
    const name = from ?? dynamic ?? bare ?? ''
    return { name, file: name.startsWith('.') ? normalize(join(dirname(file), name)) : undefined }
  })
}

/** The folder of a file inside the `src` of its package. */
export const folderOf = (file: string): string => relative(file.split('/').slice(0, 3).join('/'), dirname(file)) || '.'

/** A file as the checks see it, given its path and its text. */
export function sourceOf(file: string, text: string): Source {
  const [top, name = '', part] = file.split('/')
  const isTest = /\.test(-d)?\.tsx?$|(^|\/)(test|bench)\//.test(file)
  return {
    file,
    text,
    lines: text.split('\n').length - 1,
    package: top === 'packages' ? name : '',
    folder: top === 'packages' && part === 'src' && !isTest ? folderOf(file) : '',
    isTest,
    imports: importsOf(file, text),
  }
}

/** Reads every TypeScript file of the repository, in a stable order. */
export function readSources(): readonly Source[] {
  return globSync('{packages/*/{src,test},test,tools,bench,examples}/**/*.{ts,tsx}', { cwd: root })
    .filter((file) => !file.includes('node_modules'))
    .sort()
    .map((file) => sourceOf(file, readFileSync(join(root, file), 'utf8')))
}

/** A Markdown page. */
export interface Page {
  /** Its path in the repository. */
  readonly file: string
  readonly text: string
}

/** Reads every page of the repository, in a stable order. */
export function readPages(): readonly Page[] {
  return globSync(['*.md', '{docs,packages,examples,bench,tools,test}/**/*.md'], { cwd: root, exclude: (path) => path.includes('node_modules') })
    .sort()
    .map((file) => ({ file, text: readFileSync(join(root, file), 'utf8') }))
}
