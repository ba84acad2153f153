/** The commands of schedules, with their arguments and their help. */
import type { Command } from 'commander'
import type { Terminal } from './platform/terminal.ts'

/** A command about schedules. */
function scheduling(schedules: Command, usage: string, ...[description, example]: readonly [string, string]): Command {
  return schedules
    .command(usage)
    .description(description)
    .option('-j, --journal <where>', 'a SQLite file, a folder of a file journal, or postgres://...')
    .option('--json', 'print one JSON value')
    .addHelpText('after', `\nExample:\n  $ ${example}`)
}

/** Adds `loom schedules` and its commands. */
export function addSchedules(program: Command, terminal: Terminal): void {
  const schedules = program.command('schedules').description('what starts by itself: list, set, pause and remove')
  scheduling(
    schedules,
    'set <name> <input>',
    'set a schedule, or change the one of this name',
    "loom schedules set report 'Write the report.' --agent support --every '0 8 * * 1-5' --zone Europe/Berlin",
  )
    .requiredOption('-a, --agent <name>', 'whose runs it starts')
    .option('--at <time>', 'due once, at this moment')
    .option('--every <rhythm>', 'due at the times of a cron expression, or after 90s, 15m, 24h or 7d')
    .option('--zone <name>', 'the time zone of a cron expression; default: UTC')
    .option('--until <time>', 'the last moment at which it may be due')
    .option('-t, --thread <id>', 'the thread of all its runs; default: each has a new one')
    .option('--missed <how>', 'what happens to due times that nobody was there to start: skip, once or all')
    .option('--most <n>', 'with all: how many at most')
    .option('--by <name>', 'who sets it; default: the user of this machine')
    .action(async (name, input, options) => (await import('./command/schedules.ts')).set(terminal, { name, input }, options))
  scheduling(schedules, 'list', 'list schedules with their next due times', 'loom schedules list').action(async (options) =>
    (await import('./command/schedules.ts')).list(terminal, options),
  )
  scheduling(schedules, 'show <name>', 'show a schedule, when it is due next, and what it started last', 'loom schedules show report --next 5')
    .option('--next <n>', 'how many due times', '3')
    .action(async (name, options) => (await import('./command/schedules.ts')).show(terminal, name, options))
  const changes: readonly (readonly ['pause' | 'resume' | 'remove', string])[] = [
    ['pause', 'start nothing until it is let go on'],
    ['resume', 'let a paused schedule go on; due times from now on count'],
    ['remove', 'remove a schedule; the runs that it has started stay'],
  ]
  for (const [what, description] of changes) {
    scheduling(schedules, `${what} <name>`, description, `loom schedules ${what} report`)
      .option('--by <name>', 'who asks; default: the user of this machine')
      .action(async (name, options) => (await import('./command/schedules.ts')).change(terminal, { what, name }, options))
  }
}
