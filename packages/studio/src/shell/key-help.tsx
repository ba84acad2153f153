/** The keys that work on this page. */
import type { ReactNode } from 'react'
import { useReadable } from '../data/use-server.tsx'
import { useWords } from '../design/words.tsx'
import { Dialog } from './dialog.tsx'
import { keyGroups } from './keyboard.ts'
import { KeyCaps } from './palette.tsx'
import { shellWords } from './words.ts'

/** The list of keys, while it is open. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useWords(shellWords)
  const groups = useReadable(keyGroups)
  return (
    <Dialog label={text.keys} onClose={onClose}>
      <div className="key-help">
        {groups.map(({ heading, bindings }) => (
          <section key={heading}>
            <h2>{heading}</h2>
            <dl>
              {bindings.map(({ keys, label }) => (
                <div key={keys} className="key-row">
                  <dt>
                    <KeyCaps keys={keys} />
                  </dt>
                  <dd>{label}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <button type="button" className="button" onClick={onClose}>
        {text.close}
      </button>
    </Dialog>
  )
}
