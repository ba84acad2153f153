/** A text that is shown whole, every hidden character by its name: for what somebody decides about. */
import type { ReactNode } from 'react'
import { textParts } from './hidden-characters.ts'

/** The text; never cut, and no markup of it is read. */
export function WholeText({ text }: { readonly text: string }): ReactNode {
  return (
    <>
      {textParts(text).map(({ text: part, isHidden }, index) =>
        isHidden ? (
          <mark key={index} className="hidden-character">
            {part}
          </mark>
        ) : (
          part
        ),
      )}
    </>
  )
}
