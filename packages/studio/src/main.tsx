/** Starts the studio in its page. */
import { createRoot } from 'react-dom/client'
import { App } from './app.tsx'
import { createStudioServer } from './data/server.ts'
import { openSession } from './data/session.ts'
import { ServerProvider } from './data/use-server.tsx'
import { applyTheme, chosenTheme } from './design/theme.ts'
import { LanguageProvider } from './design/words.tsx'

applyTheme(chosenTheme())
const server = createStudioServer(`${location.origin}/api/v1`)
await openSession(server.client)
const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <LanguageProvider>
      <ServerProvider server={server}>
        <App />
      </ServerProvider>
    </LanguageProvider>,
  )
}
