/**
 * What rewinds must do to files, written from the guide alone: what agents have changed is undone, what they had changed at the moment on another branch is
 * made again, and a file that is not as an agent left it stays.
 */

/** The content of a file; undefined where there is none. */
export type Content = string | undefined

/** A change that an agent has made. */
export interface ModelChange {
  readonly path: string
  readonly before: Content
  readonly after: Content
}

/** A thread: all changes of its past and its own, and how many of them there were at each moment. */
export interface ModelThread {
  readonly name: string
  readonly changes: readonly ModelChange[]
  readonly moments: readonly { readonly seq: number; readonly count: number }[]
}

/** What the folder holds, and who has written each file last. */
export interface ModelFolder {
  readonly files: Map<string, string>
  readonly byPerson: Set<string>
}

/** Puts a content into the folder. */
export function put({ files, byPerson }: ModelFolder, path: string, { content, isPerson }: { content: Content; isPerson: boolean }): void {
  if (content === undefined) files.delete(path)
  else files.set(path, content)
  if (isPerson) byPerson.add(path)
  else byPerson.delete(path)
}

const ofPath = (changes: readonly ModelChange[], path: string): readonly ModelChange[] => changes.filter((change) => change.path === path)

/** Each change begins with what the one before has left. */
const isUnbroken = (changes: readonly ModelChange[]): boolean =>
  changes.every(({ before }, index) => index === 0 || changes[index - 1]?.after === before)

/** Rewinds the folder, which has the files of the end of `from`, to what `to` had after so many changes. Returns the paths that stay. */
export function rewindModel(folder: ModelFolder, { from, to, count }: { from: ModelThread; to: ModelThread; count: number }): readonly string[] {
  const target = to.changes.slice(0, count)
  let shared = 0
  while (shared < target.length && target[shared] === from.changes[shared]) shared += 1
  const undone = from.changes.slice(shared)
  const made = target.slice(shared)
  const stays: string[] = []
  for (const path of new Set([...undone, ...made].map((change) => change.path))) {
    const back = ofPath(undone, path)
    const forth = ofPath(made, path)
    const wanted = (forth.at(-1) ?? { after: back[0]?.before }).after
    const left = back.length > 0 ? back.at(-1)?.after : forth[0]?.before
    const now = folder.files.get(path)
    if (now === wanted) continue
    const isClear = isUnbroken(back) && (back.length === 0 || forth.length === 0 || back[0]?.before === forth[0]?.before)
    if (now === left && isClear) put(folder, path, { content: wanted, isPerson: false })
    else stays.push(path)
  }
  return stays.sort()
}
