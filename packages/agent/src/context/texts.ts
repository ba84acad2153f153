/** What the framework itself says to models about the context. All of it is in this file; strategies and hooks can replace every text. */
import { sectionNames, sections } from './sections.ts'

/** The system text with which a model is asked for a summary. */
export function compressionPrompt(perSection: number): string {
  return [
    'You summarize a conversation between a user and an assistant that uses tools, so that the assistant can go on without the original messages.',
    `Write these ${sectionNames.length} sections, each as a heading "## name" and points that start with "- ". Leave out a section that has no points.`,
    ...sectionNames.map((name) => `## ${name}: ${sections[name]}`),
    `A section has at most ${perSection} tokens. Keep names, numbers, ids, paths and quotations exactly as they are. Name the ids of calls, such as "call 3.0", whose results may be read again.`,
    'Where there is a summary so far, take over what still matters. Write nothing that was not said. Answer with the sections only.',
  ].join('\n')
}
