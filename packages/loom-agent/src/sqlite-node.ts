/** The journal of the umbrella where there is Node. */
export { sqlite } from '@loom-agent/journals/sqlite'
