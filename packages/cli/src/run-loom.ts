/** Runs a command line. */
import { isLoomError } from '@loom-agent/kernel'
import { styleOf } from './output/style.ts'
import { visible } from './output/visible.ts'
import { exitCodeOf, exitCodes } from './platform/exit-codes.ts'
import { processTerminal, type Terminal } from './platform/terminal.ts'
import { createProgram, isUsageError } from './program.ts'

/**
 * Runs the command that the arguments name, and returns the exit code.
 *
 * @example
 * process.exitCode = await runLoom(['runs', '--json'])
 */
export async function runLoom(args: readonly string[], terminal: Terminal = processTerminal()): Promise<number> {
  let exitCode: number = exitCodes.done
  const program = createProgram(terminal, (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(args, { from: 'user' })
    return exitCode
  } catch (error) {
    if (isUsageError(error)) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    const style = styleOf(terminal)
    const message = error instanceof Error ? error.message : String(error)
    terminal.err(`${style('red', isLoomError(error) ? error.code : 'error')} ${visible(message)}\n`)
    return exitCodeOf(error)
  }
}
