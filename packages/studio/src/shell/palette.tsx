/** The palette: every page and every key by its name, and threads by their id. */
import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { useReadable } from '../data/use-server.tsx'
import { useWords } from '../design/words.tsx'
import { go } from '../route/navigation.tsx'
import { momentIn, threadPath } from '../route/place.ts'
import { Dialog } from './dialog.tsx'
import { keyGroups } from './keyboard.ts'
import { type Command, fitting } from './palette-commands.ts'
import { shellWords } from './words.ts'

const shown = 12

/** The palette, while it is open. */
export function Palette({ onClose }: { readonly onClose: () => void }): ReactNode {
  const text = useWords(shellWords)
  const groups = useReadable(keyGroups)
  const [typed, setTyped] = useState('')
  const [current, setCurrent] = useState(0)
  const known: readonly Command[] = groups.flatMap(({ bindings }) => bindings)
  const name = typed.trim()
  const open: Command = { label: text.openThread(name), run: () => go(threadPath(momentIn(name))) }
  const found = [...fitting(known, typed).slice(0, shown), ...(name === '' ? [] : [open])]
  const at = Math.min(current, found.length - 1)
  const perform = (command: Command | undefined): void => {
    onClose()
    command?.run()
  }
  const press = (event: KeyboardEvent): void => {
    const move = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (move !== 0) {
      event.preventDefault()
      setCurrent((at + move + found.length) % found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      perform(found[at])
    }
  }
  return (
    <Dialog label={text.palette} onClose={onClose}>
      <input
        className="palette-field"
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={`palette-${at}`}
        aria-label={text.paletteHint}
        placeholder={text.paletteHint}
        value={typed}
        autoFocus
        onKeyDown={press}
        onChange={({ target }) => {
          setTyped(target.value)
          setCurrent(0)
        }}
      />
      <CommandList commands={found} current={at} onKeyDown={press} onChoose={perform} />
    </Dialog>
  )
}

interface ListProps {
  readonly commands: readonly Command[]
  readonly current: number
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onChoose: (command: Command | undefined) => void
}

function CommandList({ commands, current, onKeyDown, onChoose }: ListProps): ReactNode {
  const text = useWords(shellWords)
  const choose = ({ target }: MouseEvent): void => {
    const index = (target as HTMLElement).closest<HTMLElement>('[data-index]')?.dataset['index']
    if (index !== undefined) onChoose(commands[Number(index)])
  }
  return (
    <div className="palette-list" id="palette-list" role="listbox" tabIndex={-1} aria-label={text.palette} onKeyDown={onKeyDown} onClick={choose}>
      {commands.map((command, index) => (
        <div
          key={`${command.label} ${command.keys ?? ''}`}
          id={`palette-${index}`}
          role="option"
          aria-selected={index === current}
          className="palette-row"
          tabIndex={-1}
          data-index={index}
        >
          <span className="cut">{command.label}</span>
          {command.keys !== undefined && <KeyCaps keys={command.keys} />}
        </div>
      ))}
    </div>
  )
}

const caps: { readonly [key: string]: string } = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→', Escape: 'Esc' }

/** Keys as caps. */
export function KeyCaps({ keys }: { readonly keys: string }): ReactNode {
  const parts = keys === ' ' ? [keys] : keys.split(' ')
  return (
    <span className="key-caps">
      {parts.map((key) => (
        <kbd key={key}>{caps[key] ?? key}</kbd>
      ))}
    </span>
  )
}
