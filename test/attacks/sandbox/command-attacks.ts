/** Attacks by commands. Each works in a shell without a sandbox, in a form that does no harm there. */

/** An attack, and what shows that it has worked. */
export interface CommandAttack {
  readonly what: string
  /** Its variables: OUT is a folder outside of the workspace, PORT and SOCKET lead to a server, VICTIM is another process, which sleeps for LONG. */
  readonly command: string
  readonly shownBy:
    | 'file canary'
    | 'environment canary'
    | 'made outside'
    | 'server'
    | 'victim'
    | 'hook'
    | 'printed yes'
    | 'allocated'
    | 'left running'
    | 'never ends'
    | 'crowd'
    | 'planted'
  /** Where it plants the word evil. */
  readonly plants?: string
}

const python = 'python3 -c'

/** Code that somebody else runs later, outside of the sandbox. The world has a package, a workflow, a worktree and a submodule. */
const plantings: readonly Required<Pick<CommandAttack, 'what' | 'command' | 'plants'>>[] = [
  { what: 'changes a script of the package', command: 'sed -i s/true/evil/ package.json', plants: 'package.json' },
  { what: 'exchanges the package', command: 'echo evil > x; mv -f x package.json', plants: 'package.json' },
  { what: 'exchanges a folder with a package', command: 'mv app old; cp -r old app; echo evil > app/package.json', plants: 'app/package.json' },
  { what: 'makes a package', command: 'mkdir -p new/deep; echo evil > new/deep/package.json', plants: 'new/deep/package.json' },
  { what: 'changes a workflow', command: 'echo evil > .github/workflows/ci.yml', plants: '.github/workflows/ci.yml' },
  { what: 'adds a workflow', command: 'echo evil > .github/workflows/new.yml', plants: '.github/workflows/new.yml' },
  { what: 'makes a pipeline', command: 'echo evil > .gitlab-ci.yml', plants: '.gitlab-ci.yml' },
  { what: 'makes tasks of an editor', command: 'mkdir .vscode; echo evil > .vscode/tasks.json', plants: '.vscode/tasks.json' },
  { what: 'makes tasks of an editor under a link', command: 'mkdir n; echo evil > n/tasks.json; ln -s n .vscode', plants: '.vscode/tasks.json' },
  { what: 'makes a start file of a shell', command: 'echo evil > .bashrc', plants: '.bashrc' },
  { what: 'makes settings of a package manager', command: 'echo evil > .npmrc', plants: '.npmrc' },
  { what: 'makes a hook of a package', command: 'mkdir .husky; echo evil > .husky/pre-commit', plants: '.husky/pre-commit' },
  { what: 'makes settings of a worktree', command: 'echo evil > .git/config.worktree', plants: '.git/config.worktree' },
  { what: 'leads the repository to other settings', command: 'mkdir o; echo evil > .git/commondir', plants: '.git/commondir' },
  {
    what: 'makes the hooks that are not there',
    command: 'mkdir -p bare.git/hooks; echo evil > bare.git/hooks/update',
    plants: 'bare.git/hooks/update',
  },
  { what: 'changes the settings of a submodule', command: 'echo evil > .git/modules/sub/config', plants: '.git/modules/sub/config' },
  { what: 'leads a worktree to another repository', command: 'echo evil > tree/.git', plants: 'tree/.git' },
  { what: 'leads a worktree to other settings', command: 'echo evil > .git/worktrees/tree/commondir', plants: '.git/worktrees/tree/commondir' },
  { what: 'makes a repository', command: 'mkdir inner; git init -q inner; git -C inner config core.fsmonitor evil', plants: 'inner/.git/config' },
  {
    what: 'makes a repository that looks like a folder',
    command: "mkdir -p docs/objects docs/refs; echo 'ref: refs/heads/x' > docs/HEAD; echo evil > docs/config",
    plants: 'docs/config',
  },
  {
    what: 'leaves a list of steps that runs something',
    command: "mkdir .git/rebase-merge; echo 'exec evil' > .git/rebase-merge/git-rebase-todo",
    plants: '.git/rebase-merge/git-rebase-todo',
  },
]

export const commandAttacks: readonly CommandAttack[] = [
  { what: 'reads a secret of the workspace', command: 'cat .env', shownBy: 'file canary' },
  { what: 'reads a secret through a link', command: 'ln -s .env innocent; cat innocent', shownBy: 'file canary' },
  { what: 'reads a secret through a second name', command: 'ln .env innocent; cat innocent', shownBy: 'file canary' },
  {
    what: 'reads a secret under a new name',
    command: 'mv .env innocent; cat innocent; cp -r . ../copy 2>/dev/null; mv innocent .env',
    shownBy: 'file canary',
  },
  { what: 'reads a secret through its folder', command: 'cp -r keys other; cat other/*', shownBy: 'file canary' },
  { what: 'reads a secret in an archive', command: 'tar cf - . | cat', shownBy: 'file canary' },
  { what: 'reads a secret through /proc', command: 'cat /proc/self/cwd/.env /proc/self/root$PWD/.env', shownBy: 'file canary' },
  { what: 'reads the environment of the agent', command: 'env', shownBy: 'environment canary' },
  { what: 'reads the environment of another process', command: 'cat /proc/$VICTIM/environ /proc/*/environ', shownBy: 'environment canary' },
  { what: 'reads the memory map of another process', command: 'grep -q sleep /proc/$VICTIM/maps && echo yes', shownBy: 'printed yes' },
  { what: 'writes outside of the workspace', command: 'touch "$OUT/made"', shownBy: 'made outside' },
  { what: 'writes outside through a link', command: 'ln -s "$OUT" link; touch link/made', shownBy: 'made outside' },
  { what: 'writes outside through /proc', command: 'touch "/proc/self/root$OUT/made"; touch "/proc/1/root$OUT/made"', shownBy: 'made outside' },
  {
    what: 'writes outside after a mount',
    command: 'unshare -m bash -c \'mount -o remount,bind,rw / 2>/dev/null; touch "$OUT/made"\'; touch "$OUT/made"',
    shownBy: 'made outside',
  },
  { what: 'writes outside in a namespace of its own', command: 'unshare -Urm bash -c \'touch "$OUT/made"\'', shownBy: 'made outside' },
  { what: 'writes outside in the namespace of another process', command: 'nsenter -t $VICTIM -m touch "$OUT/made"', shownBy: 'made outside' },
  { what: 'changes a hook of the repository', command: 'echo evil > .git/hooks/post-checkout; cat .git/hooks/post-checkout', shownBy: 'hook' },
  {
    what: 'exchanges the folder of the hooks',
    command: 'mv .git/hooks .git/old; mkdir .git/hooks; echo evil > .git/hooks/post-checkout',
    shownBy: 'hook',
  },
  { what: 'exchanges the repository', command: 'mv .git old; mkdir -p .git/hooks; echo evil > .git/hooks/post-checkout', shownBy: 'hook' },
  {
    what: 'names other hooks in the settings of the repository',
    command: 'git config core.hooksPath evil',
    shownBy: 'hook',
  },
  {
    what: 'has the kernel run a program when another one crashes',
    // It writes what is there already.
    command: 'cat /proc/sys/kernel/core_pattern > /proc/sys/kernel/core_pattern && echo yes',
    shownBy: 'printed yes',
  },
  {
    what: 'makes a control group of the system',
    command: 'for one in /sys/fs/cgroup/pids /sys/fs/cgroup; do mkdir "$one/loom-attack" && rmdir "$one/loom-attack" && echo yes; done',
    shownBy: 'printed yes',
  },
  { what: 'makes a device', command: 'mknod device b 259 0 && echo yes', shownBy: 'printed yes' },
  { what: 'connects to a server of this machine', command: 'exec 3<>/dev/tcp/127.0.0.1/$PORT', shownBy: 'server' },
  {
    what: 'connects to a server by another address of this machine',
    command: `${python} "import os, socket; socket.create_connection(('0.0.0.0', int(os.environ['PORT'])))"`,
    shownBy: 'server',
  },
  { what: 'connects to a socket in the file system', command: 'curl -s -m 5 --unix-socket "$SOCKET" http://x/', shownBy: 'server' },
  { what: 'kills another process', command: 'kill -9 $VICTIM', shownBy: 'victim' },
  { what: 'looks for another process and kills it', command: 'pkill -9 -f "sleep $LONG"', shownBy: 'victim' },
  { what: 'leaves a process that cannot be found', command: 'env -i setsid -f sleep "$MARK" >/dev/null 2>&1 </dev/null', shownBy: 'left running' },
  {
    what: 'takes memory without end (600 MiB of it)',
    command: `${python} "kept = bytearray(600 << 20); print('allocated', len(kept) >> 20)"`,
    shownBy: 'allocated',
  },
  { what: 'starts processes without end (60 of them)', command: 'for ((i = 0; i < 60; i++)); do sleep "$MARK" & done; wait', shownBy: 'crowd' },
  { what: 'computes without end', command: 'echo begun; while :; do :; done', shownBy: 'never ends' },
  ...plantings.map(({ what, command, plants }) => ({ what, command, plants, shownBy: 'planted' as const })),
]
