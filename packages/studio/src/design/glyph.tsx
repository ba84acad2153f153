/** The shapes of categories: they are told apart without colours too. */
import type { ReactNode } from 'react'
import type { Category } from './category.ts'

const shapes: { readonly [C in Category | 'fault']: ReactNode } = {
  // A weave: the context.
  context: <path d="M1 4h10M1 8h10M4 1v10M8 1v10" fill="none" stroke="currentColor" strokeWidth="1.5" />,
  model: <circle cx="6" cy="6" r="5" fill="currentColor" />,
  tool: <rect x="1" y="1" width="10" height="10" fill="currentColor" />,
  step: <path d="M6 1l5 5-5 5-5-5z" fill="currentColor" />,
  // Two bars: somebody is waited for.
  people: <path d="M3.5 1v10M8.5 1v10" fill="none" stroke="currentColor" strokeWidth="3" />,
  // A branch: another thread.
  child: <path d="M1 2h3l4 8h3M4 2h7" fill="none" stroke="currentColor" strokeWidth="2" />,
  frame: <path d="M1 6h10" fill="none" stroke="currentColor" strokeWidth="2" />,
  fault: <path d="M2 2l8 8M10 2l-8 8" fill="none" stroke="currentColor" strokeWidth="2.5" />,
}

/** The shape of a category. It says nothing to screen readers: a word stands beside it. */
export function Glyph({ of }: { readonly of: Category | 'fault' }): ReactNode {
  return (
    <svg className={`glyph ${of}`} viewBox="0 0 12 12" aria-hidden="true">
      {shapes[of]}
    </svg>
  )
}
