/** The studio: the web app that looks at the threads of a server. */
export type { StudioFile, StudioFiles } from './studio-files.ts'
export { studioHandler } from './studio-handler.ts'
