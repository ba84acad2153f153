/** The files of the studio as this package has them. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname, join } from 'node:path'
import type { StudioFile, StudioFiles } from './studio-files.ts'

const types: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** The folder of this package: the first one above this file that has a manifest. */
function packageFolder(): string {
  let folder = import.meta.dirname
  while (!existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}

/** Finds the files in the package. A name outside of the pattern that the build gives is none of them. */
export function installedFiles(folder: string = join(packageFolder(), 'static')): StudioFiles {
  return async (path): Promise<StudioFile | undefined> => {
    const type = types[extname(path)]
    if (type === undefined || !/^(\/assets)?\/[\w.-]+$/.test(path) || path.includes('..')) return undefined
    try {
      return { bytes: new Uint8Array(await readFile(join(folder, path))), type }
    } catch {
      return undefined
    }
  }
}
