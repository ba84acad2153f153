/** The pages of the studio, in the order of the navigation. */
import { ContextPage } from './context/context-page.tsx'
import { words } from './design/words.tsx'
import { HomePage } from './home/home-page.tsx'
import { InboxPage } from './inbox/inbox-page.tsx'
import type { Page } from './shell/page.ts'
import { ThreadsPage } from './threads/threads-page.tsx'
import { WorkbenchPage } from './workbench/workbench-page.tsx'

/** Every page. The first one whose address it is is shown. */
export const pages: readonly Page[] = [
  {
    nav: { name: words({ en: 'Home', zh: '首页' }), key: 'h', path: '/' },
    isAt: ({ parts }) => parts.length === 0,
    View: HomePage,
  },
  {
    nav: { name: words({ en: 'Threads', zh: '线程' }), key: 't', path: '/threads' },
    isAt: ({ parts }) => parts.length === 1 && parts[0] === 'threads',
    View: ThreadsPage,
  },
  { isAt: ({ parts }) => parts.length === 2 && parts[0] === 'threads', View: WorkbenchPage },
  { isAt: ({ parts }) => parts.length === 3 && parts[0] === 'threads' && parts[2] === 'context', View: ContextPage },
  {
    nav: { name: words({ en: 'Inbox', zh: '收件箱' }), key: 'i', path: '/inbox' },
    isAt: ({ parts }) => parts.length === 1 && parts[0] === 'inbox',
    View: InboxPage,
  },
]
