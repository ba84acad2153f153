/** A real browser for tests. */
export { type Browser, type Page, startBrowser } from './browser.ts'
export { type OpenedPage, type OpenPageOptions, openPage } from './open-page.ts'
