/**
 * Checks that the repository has the structure that ARCHITECTURE.md shows: `node tools/check-architecture.ts`. With `--write` it draws the pictures
 * of that page again.
 */
import { checkFolderTables } from './architecture/folder-tables.ts'
import { checkFolders } from './architecture/folders.ts'
import { checkLabels } from './architecture/labels.ts'
import { checkPackages } from './architecture/packages.ts'
import { checkPicture } from './architecture/picture.ts'
import { checkSizes } from './architecture/sizes.ts'
import { readPages, readSources } from './architecture/sources.ts'
import { checkTestTiming } from './architecture/test-timing.ts'
import { checkUserCalls } from './architecture/user-calls.ts'

const sources = readSources()
const sizes = checkSizes(sources)
const pages = readPages()
const labels = checkLabels(sources, pages)
const problems = [
  ...sizes.problems,
  ...checkPackages(sources),
  ...checkFolders(sources),
  ...pages.filter(({ file }) => file === 'ARCHITECTURE.md').flatMap((page) => checkFolderTables(sources, page)),
  ...labels.problems,
  ...checkTestTiming(sources),
  ...checkUserCalls(sources),
  ...checkPicture(sources, process.argv.includes('--write')),
]

for (const problem of problems) console.error(problem)
console.log(`architecture: ${sizes.summary}, ${labels.summary}, ${problems.length} problems`)
process.exitCode = problems.length > 0 ? 1 : 0
