/** Options in the forms in which programs read them, with rules that allow the program with any words. */

/** Each of them makes a program that only looks run or write something. */
export const unsafeForms: readonly string[] = [
  // Letters that mean something else in another subcommand.
  ...['git clone -u ./evil . x', 'git clone -u./evil . x', 'git clone -c core.hooksPath=evil . x', 'git clone -qc core.fsmonitor=./evil . x'],
  ...[
    'git clone --template=evil . x',
    'git clone --templ=evil . x',
    'git clone --conf core.pager=evil . x',
    'git init --template evil',
    'git init --temp=evil',
  ],
  ...['git rebase -x ./evil HEAD~1', 'git rebase -ix ./evil HEAD~1', 'git rebase main -x./evil', 'git difftool -x ./evil', 'git difftool -yx ./evil'],
  ...[
    'git difftool --extcmd=./evil',
    'git difftool --extc ./evil',
    'git bisect run ./evil',
    'git submodule foreach ./evil',
    'git submodule -q foreach ./evil',
  ],
  ...[
    'git filter-branch --tree-filter ./evil',
    'git filter-branch --msg-filter=./evil',
    'git filter-branch --index-f ./evil',
    'git filter-branch --setup ./evil',
  ],
  // One dash or two, and a value attached.
  ...[
    'go test -exec ./evil',
    'go test -exec=./evil',
    'go test --exec ./evil',
    'go test --exec=./evil',
    'go build -toolexec=./evil',
    'go build --toolexec=./evil',
  ],
  ...[
    'go vet -vettool=./evil',
    'go vet --vettool ./evil',
    'go build -overlay=evil.json',
    'go build --modfile=evil.mod',
    'go list -export -toolexec=./evil',
  ],
  ...['go build -ldflags=-extld=./evil', "go build '-ldflags=-extld ./evil'", 'go build --ldflags -extld=./evil'],
  // A cluster without a dash.
  ...['tar cIf ./evil x y', 'tar xIf ./evil x', 'tar tFf ./evil x', 'tar cvIf ./evil x y'],
  // Operands that are written, or that are commands.
  ...[
    'uniq in out',
    'uniq -c in out',
    'xxd in out',
    'xxd -r in out',
    'date 010112002026',
    'date -u 0101120020.30',
    "less '+!evil' x",
    'less +Gq x',
    "more '+!evil' x",
  ],
  // Programs that only look, with an option that does more.
  ...[
    'ack --pager=./evil x',
    'ack --ackrc=evil x',
    'ag --pager ./evil x',
    'bat --pager=./evil x',
    'bat --pag ./evil x',
    'file -C -m evil',
    'file --compile -m evil',
  ],
  ...[
    'shuf -o out in',
    'shuf -eo out in',
    'shuf --outp=out in',
    'split --filter=./evil in',
    'split --filt ./evil in',
    'yq -i .a=1 x',
    'yq e -i .a=1 x',
  ],
  ...[
    'yq --inplace .a=1 x',
    'yq -s .a x',
    "hg --config alias.log='!evil' log",
    'hg log --config=hooks.x=evil',
    'hg -R evil log',
    'svn diff --diff-cmd ./evil',
  ],
  ...['svn diff --diff-cmd=./evil', 'svn log --diff --diff-c ./evil', 'svn up --config-option config:helpers:diff-cmd=evil'],
]

/** The same programs, doing what they are for. */
export const harmlessForms: readonly string[] = [
  ...[
    'git clone . x',
    'git clone --depth 1 . x',
    'git init',
    'git rebase main',
    'git rebase -i HEAD~2',
    'git push -u origin main',
    'git diff -u',
    'git log -c',
  ],
  ...[
    'git bisect start',
    'git submodule update',
    'git submodule status',
    'go test ./...',
    'go test -run=TestA ./...',
    'go build -v ./...',
    'go vet ./...',
  ],
  ...[
    'tar czf x y',
    'tar xf x',
    'tar -tvf x',
    'uniq -c in',
    'uniq',
    'xxd in',
    'date +%s',
    'date -d 2026-01-01',
    'date -u',
    'less x',
    'more x',
    'bat x',
  ],
  ...['ack x', 'ag x', 'file x', 'shuf in', 'split -l 5 in', 'yq .a x', 'hg log', 'svn diff'],
]
