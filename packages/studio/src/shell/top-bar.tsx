/** The bar at the top: where one can go, whether the server is there, and how the page looks. */
import { type ReactNode, useState } from 'react'
import { useConnection } from '../data/use-server.tsx'
import { chooseTheme, chosenTheme, themes } from '../design/theme.ts'
import { useLanguage, useWords } from '../design/words.tsx'
import { Link } from '../route/navigation.tsx'
import type { Place } from '../route/place.ts'
import type { Page } from './page.ts'
import { shellWords } from './words.ts'

interface TopBarProps {
  readonly place: Place
  readonly pages: readonly Page[]
  readonly onPalette: () => void
  readonly onKeys: () => void
  readonly onRun: () => void
}

/** The bar. */
export function TopBar({ place, pages, onPalette, onKeys, onRun }: TopBarProps): ReactNode {
  const text = useWords(shellWords)
  const { language, speak } = useLanguage()
  const [theme, setTheme] = useState(chosenTheme)
  const nextTheme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  return (
    <header className="top-bar">
      <Link to="/" className="brand" aria-label="Loom">
        <Mark />
        <span>Loom</span>
      </Link>
      <nav aria-label={text.pages}>
        {pages.flatMap(({ nav, isAt }) =>
          nav ? (
            <Link key={nav.path} to={nav.path} className="tab" aria-current={isAt(place) ? 'page' : undefined}>
              {nav.name[language]}
            </Link>
          ) : (
            []
          ),
        )}
      </nav>
      <span className="grow" />
      <ConnectionBadge />
      <button type="button" className="button" aria-label={text.newRun} title={text.newRun} onClick={onRun}>
        + <span className="wide-only">{text.newRun}</span>
      </button>
      <button type="button" className="button palette-button" onClick={onPalette}>
        <span className="soft">{text.search}</span> <kbd>⌃K</kbd>
      </button>
      <button type="button" className="button plain" onClick={() => speak(language === 'en' ? 'zh' : 'en')}>
        {text.language}
      </button>
      <button
        type="button"
        className="button plain"
        aria-label={text.theme}
        title={text.themes[theme]}
        onClick={() => {
          chooseTheme(nextTheme)
          setTheme(nextTheme)
        }}
      >
        <ThemeMark theme={theme} />
      </button>
      <button type="button" className="button plain wide-only" aria-label={text.showKeys} onClick={onKeys}>
        <kbd>?</kbd>
      </button>
    </header>
  )
}

/** A thread, and a branch of it. */
function Mark(): ReactNode {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M1 4h14M1 12h6q3 0 3-4t3-4M1 8h4" fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  )
}

const halves = { system: 'M8 2a6 6 0 0 1 0 12z', light: '', dark: 'M8 2a6 6 0 0 1 0 12a6 6 0 0 1 0-12z' }

function ThemeMark({ theme }: { readonly theme: keyof typeof halves }): ReactNode {
  return (
    <svg className="mark" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <path d={halves[theme]} fill="currentColor" />
    </svg>
  )
}

function ConnectionBadge(): ReactNode {
  const text = useWords(shellWords)
  const connection = useConnection()
  return (
    <span className={`connection ${connection}`} role="status">
      {connection === 'lost' && text.lost}
    </span>
  )
}
