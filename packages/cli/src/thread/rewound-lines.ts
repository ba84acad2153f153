/** What a rewind does to files, in lines. */
import type { RewindPlan } from '@loom-agent/agent'
import { counted } from '../output/words.ts'

const conflictWords: { readonly [K in RewindPlan['conflicts'][number]['reason']]: string } = {
  edited: 'somebody has changed it since',
  mixed: 'others changed it between two changes of the agent',
  'not-kept': 'its earlier content is not in the journal',
  refused: 'it cannot be written',
}

/** What a rewind does, or would do, to files. */
export function rewoundLines({ files, conflicts, unseen, shared }: Omit<RewindPlan, 'fork' | 'folder'>): readonly string[] {
  return [
    ...(files.length + conflicts.length === 0 ? ['no file was to be put back'] : []),
    ...files.map(({ path, after }) => (after === null ? `removed    ${path}` : `put back   ${path}`)),
    ...conflicts.map(({ path, reason }) => `left alone ${path}: ${conflictWords[reason]}`),
    ...(unseen.length === 0 ? [] : [`${counted(unseen.length, 'call')} may have changed more than is known: ${unseen.join(', ')}`]),
    ...(shared.length === 0 ? [] : [`changed while a command ran, by it or by somebody else: ${shared.join(', ')}`]),
  ]
}
