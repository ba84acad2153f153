/** A dialog over the page; the browser keeps the focus inside, and Esc closes it. */
import { type ReactNode, useEffect, useRef } from 'react'

interface DialogProps {
  readonly label: string
  readonly onClose: () => void
  readonly children: ReactNode
}

/** A dialog that is open as long as it is there. */
export function Dialog({ label, onClose, children }: DialogProps): ReactNode {
  const element = useRef<HTMLDialogElement>(null)
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const dialog = element.current
    if (!dialog) return
    const closeOutside = ({ target }: MouseEvent): void => {
      if (target === dialog) latest.current()
    }
    dialog.addEventListener('click', closeOutside)
    dialog.showModal()
    return () => {
      dialog.removeEventListener('click', closeOutside)
      dialog.close()
    }
  }, [])
  return (
    <dialog
      ref={element}
      className="dialog"
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <div className="dialog-body">{children}</div>
    </dialog>
  )
}
