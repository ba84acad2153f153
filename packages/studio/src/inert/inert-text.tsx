/** A text of a model or a tool, as blocks of text. */
import type { ReactNode } from 'react'
import { type Block, blocksOf, type Inline } from './blocks.ts'

/** Shows a text; nothing in it is followed, fetched or run. */
export function InertText({ text }: { readonly text: string }): ReactNode {
  return (
    <div className="inert-text">
      {blocksOf(text).map((block, index) => (
        <BlockView key={index} block={block} />
      ))}
    </div>
  )
}

function BlockView({ block }: { readonly block: Block }): ReactNode {
  if (block.kind === 'code') return <pre className="inert">{block.text}</pre>
  const inlines = block.inlines.map((inline, index) => <InlineView key={index} inline={inline} />)
  if (block.kind === 'heading') return <p className="strong">{inlines}</p>
  if (block.kind === 'paragraph') return <p>{inlines}</p>
  return (
    <p className="inert-item">
      <span className="faint">{block.mark}</span>
      <span>{inlines}</span>
    </p>
  )
}

function InlineView({ inline }: { readonly inline: Inline }): ReactNode {
  if (inline.kind === 'code') return <code>{inline.text}</code>
  return inline.kind === 'strong' ? <strong>{inline.text}</strong> : inline.text
}
