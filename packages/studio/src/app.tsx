/** The studio: the bar, the page of the address, and what lies over both. */
import { type ReactNode, useEffect, useState } from 'react'
import { useConnection } from './data/use-server.tsx'
import { chooseTheme, chosenTheme, themes } from './design/theme.ts'
import { useLanguage, useWords } from './design/words.tsx'
import { pages } from './pages.ts'
import { go, usePlace } from './route/navigation.tsx'
import { Empty, NothingHere } from './shell/failure.tsx'
import { KeyHelp } from './shell/key-help.tsx'
import { listenToKeys } from './shell/keyboard.ts'
import { Palette } from './shell/palette.tsx'
import { TopBar } from './shell/top-bar.tsx'
import { useKeys } from './shell/use-keys.ts'
import { shellWords } from './shell/words.ts'
import { NewRun } from './workbench/control/new-run.tsx'

type Over = 'palette' | 'keys' | 'run' | undefined

/** The studio. */
export function App(): ReactNode {
  const text = useWords(shellWords)
  const { language, speak } = useLanguage()
  const place = usePlace()
  const connection = useConnection()
  const [over, setOver] = useState<Over>()
  const page = pages.find(({ isAt }) => isAt(place))
  const nextTheme = (): void => chooseTheme(themes[(themes.indexOf(chosenTheme()) + 1) % themes.length] ?? 'system')
  useKeys({
    heading: text.everywhere,
    bindings: [
      { keys: '?', label: text.showKeys, run: () => setOver('keys') },
      { keys: 'n', label: text.newRun, run: () => setOver('run') },
      { keys: 'p', label: text.openPalette, run: () => setOver('palette') },
      ...pages.flatMap(({ nav }) => (nav ? [{ keys: `g ${nav.key}`, label: nav.name[language], run: () => go(nav.path) }] : [])),
      { keys: 'g c', label: text.theme, run: nextTheme },
      { keys: 'g l', label: text.language, run: () => speak(language === 'en' ? 'zh' : 'en') },
    ],
  })
  useEffect(() => listenToKeys(document), [])
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOver('palette')
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
  return (
    <div className="shell">
      <a className="skip" href="#content">
        {text.skip}
      </a>
      <TopBar place={place} pages={pages} onPalette={() => setOver('palette')} onKeys={() => setOver('keys')} onRun={() => setOver('run')} />
      <main id="content">
        {connection === 'refused' ? (
          <Empty title={text.refused}>
            <p>{text.refusedHint}</p>
          </Empty>
        ) : page ? (
          <page.View place={place} />
        ) : (
          <NothingHere />
        )}
      </main>
      {over === 'palette' && <Palette onClose={() => setOver(undefined)} />}
      {over === 'run' && <NewRun onClose={() => setOver(undefined)} />}
      {over === 'keys' && <KeyHelp onClose={() => setOver(undefined)} />}
    </div>
  )
}
