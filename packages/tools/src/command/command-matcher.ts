/**
 * How rules such as `bash(git log *)` name what a command would do.
 *
 * COMMAND-9. Each command that would run, each file of a redirection, and what is not understood is a part of its own. A pattern names commands alone: a
 *     redirection, and what is not understood, is never allowed by one.
 * COMMAND-12. What outlasts its call, as a background job and a shell that stays do, is settled by no sandbox: what it makes that runs as code later cannot be
 *     told from what people make.
 * COMMAND-11. A secret that a command is given is a part of its own, which no pattern names and no sandbox settles: such a call asks.
 */
import type { CallMatcher, CallPart } from '@loom-agent/agent'
import { leadsOut } from './command-folder.ts'
import { covers } from './judge.ts'
import { commandPattern, mayBeCommand, mayBeInWords } from './pattern.ts'
import { type CommandRequest, requestsOf } from './requests.ts'

/** A part of a command. */
interface CommandPart extends CallPart {
  /** The command that would run; undefined for a redirection, and for what is not understood. */
  readonly command?: CommandRequest
  /** All commands of the text: a wrapper around this one counts with it. */
  readonly commands: readonly CommandRequest[]
  /** The words of a text that is not understood. */
  readonly words: readonly string[]
}

/** How a tool runs commands. */
interface HowItRuns {
  /** Whether one shell runs them all: it may have given words another meaning, so no pattern allows anything. */
  readonly persistent: boolean
  /** The folder of the tool, where calls may name another. */
  readonly root?: string
  /** Whether they run in a sandbox of the operating system. */
  isSandboxed(): Promise<boolean>
}

/** The input of a tool that takes a command. */
interface CommandInput {
  readonly command: string
  readonly secrets?: readonly string[]
  readonly background?: boolean
  readonly cwd?: string
}

/** The matcher of tools that take a command. */
export function commandMatcher({ persistent, root, isSandboxed }: HowItRuns): CallMatcher<CommandInput, CommandPart> {
  return {
    kinds: { command: 'command', cwd: 'path' },
    async parts({ command: text, secrets = [], background = false, cwd }) {
      const isElsewhere = root !== undefined && cwd !== undefined && leadsOut(root, cwd)
      const parts = [...partsOf(text), ...(isElsewhere ? [{ text: `in ${cwd.slice(0, 200)}`, commands: [], words: [] }] : [])]
      const isConfined = !persistent && !background && (await isSandboxed())
      return [
        ...(isConfined ? parts.map((part): CommandPart => ({ ...part, isSandboxed: true })) : parts),
        ...secrets.map((name) => ({ text: `secret ${name}`, commands: [], words: [] })),
      ]
    },
    compile(text) {
      const pattern = commandPattern(text)
      return {
        names: ({ command, commands }) => !persistent && command !== undefined && covers(pattern, command, commands),
        mayMean: ({ command, commands, words }) =>
          command ? wrappedBy(command, commands).some((one) => mayBeCommand(pattern, one)) : words.length > 0 && mayBeInWords(pattern, words),
      }
    },
  }
}

function partsOf(text: string): readonly CommandPart[] {
  const { commands, paths, unknown, words } = requestsOf(text)
  return [
    // A wrapper that gives no other rights is judged with what it runs.
    ...commands.filter(({ wraps }) => wraps !== 'plain').map((command) => ({ text: command.argv.join(' '), command, commands, words: [] })),
    ...paths.map(({ access, path }) => ({ text: `${access} ${path}`, commands, words: [] })),
    ...(unknown === undefined ? [] : [{ text: `not understood: ${unknown}`, commands, words }]),
  ]
}

/** A command, and those that run it. */
function wrappedBy(command: CommandRequest, commands: readonly CommandRequest[]): readonly CommandRequest[] {
  const outer = command.within === undefined ? undefined : commands[command.within]
  return outer ? [command, ...wrappedBy(outer, commands)] : [command]
}
