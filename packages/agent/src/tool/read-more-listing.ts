/** Whether the model has Loom's own tool for reading results again. The tool itself is loaded on use: most agents do not list it. */
import type { ReadMoreListing, Toolbox } from './toolbox.ts'

let loaded: typeof import('./read-more-tool.ts') | undefined

/** Loads the tool. */
export async function loadReadMore(): Promise<typeof import('./read-more-tool.ts')> {
  loaded ??= await import('./read-more-tool.ts')
  return loaded
}

/** The toolbox with the tool, where it is listed; at once where it is loaded. */
export function listReadMore(toolbox: Toolbox, listing: ReadMoreListing): Toolbox | Promise<Toolbox> {
  if (!listing) return toolbox
  return loaded ? loaded.withReadMore(toolbox, listing) : loadReadMore().then(({ withReadMore }) => withReadMore(toolbox, listing))
}
