/** The studio: the web app that looks at the threads of a server. */
export { type StudioFile, type StudioFiles, studioHandler } from './studio-handler.ts'
