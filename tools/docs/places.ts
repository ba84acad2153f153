/** Where pages say that a function is: the file that they link to has it. A page that leads a reader through the code must not lead them astray. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import type { Page } from '../architecture/sources.ts'
import { root } from '../workspace.ts'
import { proseOf } from './spans.ts'

/** A function, and the file in which a page says it is. */
export interface Place {
  readonly name: string
  readonly file: string
}

const inFile = /`(\w+)`(?: of the \w+| of the \w+'s \w+)? in \[[^\]]+\]\(([^)#]+\.ts)\)/g
const row = /^\|[^|]*\| *`(\w+)`[^|]*\| *(?:\[[^\]]+\]\(([^)#]+\.ts)\)|(the same)) *\|/

/** The places that a page names: "`function` in [file](path)", and rows of tables with a function and its file. */
export function placesIn(page: Page): readonly Place[] {
  const text = proseOf(page)
  const at = (link: string): string => normalize(join(dirname(page.file), link))
  const said = [...text.matchAll(inFile)].map(([, name = '', link = '']) => ({ name, file: at(link) }))
  const rows: Place[] = []
  for (const line of text.split('\n')) {
    const [, name, link, same] = row.exec(line) ?? []
    const file = link === undefined ? same && rows.at(-1)?.file : at(link)
    if (name !== undefined && file !== undefined) rows.push({ name, file })
  }
  return [...said, ...rows]
}

/** Functions that are not in the file in which a page says they are. */
export function checkPlaces(pages: readonly Page[]): readonly string[] {
  const has = ({ name, file }: Place): boolean =>
    existsSync(join(root, file)) && new RegExp(`\\b${name}\\b`).test(readFileSync(join(root, file), 'utf8').replace(/^ *(\/\/|\*|\/\*).*$/gm, ''))
  return pages.flatMap((page) =>
    placesIn(page).flatMap((place) => (has(place) ? [] : [`${page.file} says that ${place.name} is in ${place.file}, and it is not`])),
  )
}
