/** What a page is: where it is, how it is called, and what it shows. */
import type { ReactNode } from 'react'
import type { Words } from '../design/words.tsx'
import type { Place } from '../route/place.ts'

/** A page. `src/pages.ts` lists them. */
export interface Page {
  /** Its name in the navigation, and the key that leads there after `g`; absent for pages that are only reached from others. */
  readonly nav?: { readonly name: Words<string>; readonly key: string; readonly path: string }
  /** Whether an address is one of this page. */
  readonly isAt: (place: Place) => boolean
  /** What it shows. */
  readonly View: (props: { readonly place: Place }) => ReactNode
}
