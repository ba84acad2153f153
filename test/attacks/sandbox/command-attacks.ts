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
}

const python = 'python3 -c'

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
]
