/** Runs on any Node: says in one line what is wrong when it is not the one the project brings. */
const [major] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Loom's tests run on Node 24, and this is ${process.version}. Run "npm ci" (on Linux and Windows it brings Node 24, unless optional dependencies are left out) or install Node 24, then "npm test".`,
  )
  process.exit(1)
}
