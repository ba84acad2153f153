#!/usr/bin/env node
// The command line is a package of its own: programs that only import Loom do not install it.
let cli
try {
  cli = await import('@loom-agent/cli')
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('@loom-agent/cli')) throw error
  console.error('The command loom is in a package of its own. Install it beside loom-agent: npm install @loom-agent/cli')
  process.exit(3)
}
process.exitCode = await cli.runLoom(process.argv.slice(2))
