/** Commands that developers type every day, as agents write them. Some are not plain on purpose: nobody chose them to be understood. */
export const ordinary: readonly string[] = `
git status
git status --short
git diff
git diff --staged
git diff HEAD~1
git diff main...feature
git log --oneline -20
git log -5 --stat
git log --oneline --graph --all
git log --since=2.weeks --author=ann
git log --pretty=format:'%h %s' -10
git show HEAD
git show HEAD:package.json
git show HEAD~3 --stat
git show stash@{0}
git branch -a
git branch --show-current
git checkout main
git checkout -b feature/login
git switch -c fix-typo
git add .
git add -A && git commit -m "Fix the login form"
git commit -m 'Add tests for the parser'
git commit --amend --no-edit
git commit -am "Say \\"hello\\" once"
git push origin main
git push -u origin HEAD
git pull --rebase
git fetch --all --prune
git merge --no-ff feature
git rebase -i HEAD~3
git reset --hard HEAD
git reset HEAD^
git stash
git stash pop
git stash list
git tag v1.2.3
git blame src/index.ts
git blame -L 10,20 src/index.ts
git remote -v
git rev-parse HEAD
git rev-parse --abbrev-ref HEAD
git ls-files | wc -l
git ls-files | grep test
git grep -n TODO
git cherry-pick abc1234
git clean -nd
git worktree list
git config user.name
git clone https://github.com/example/project.git
npm install
npm ci
npm test
npm run build
npm run lint -- --fix
npm run test -- --watch=false
npm run build && npm test
npm install --save-dev typescript@5.4
npm ls --depth=0
npm outdated
npm view react version
npm audit --production
npm pack --dry-run
npx tsc --noEmit
npx eslint src --ext .ts
npx prettier --check .
npx vitest run src/parser.test.ts
npx jest -t "parses numbers"
yarn
yarn add lodash
yarn build
pnpm install --frozen-lockfile
pnpm -r test
node index.js
node --version
node -e "console.log(1 + 1)"
node --test
node scripts/build.mjs --minify
python --version
python3 -m venv .venv
python3 -m pytest -q
python manage.py migrate
python -c 'import sys; print(sys.version)'
pip install -r requirements.txt
pip list | grep -i django
pytest tests/test_api.py::test_login -x
pytest -k "not slow" --maxfail=1
ruff check .
mypy src
cargo build --release
cargo test
cargo test -- --nocapture
cargo clippy --all-targets -- -D warnings
cargo fmt --check
go build ./...
go test ./... -run TestParse -v
go vet ./...
go mod tidy
make
make -j4
make test
make clean && make all
cmake -B build -S .
cmake --build build
mvn -q test
mvn clean package -DskipTests
gradle build
./gradlew test --info
./scripts/setup.sh
bundle install
bundle exec rspec
rails db:migrate
composer install
php artisan migrate
dotnet build
dotnet test --filter "Category=Unit"
ls
ls -la
ls -la src
ls -R src | head -50
ls *.ts
cat package.json
cat src/index.ts | head -100
cat README.md CHANGELOG.md
head -n 20 src/main.rs
tail -n 50 logs/app.log
tail -100 server.log
wc -l src/index.ts
find . -name '*.ts'
find . -name "*.test.ts" -not -path "./node_modules/*"
find src -type f -name '*.py' | xargs wc -l
find . -type d -name node_modules -prune -o -name '*.js' -print
find . -name '*.pyc' -delete
grep -rn "TODO" src
grep -r 'import React' --include='*.tsx' .
grep -n "function main" -A 5 src/main.c
grep -c error app.log
grep -E "^(import|export)" src/index.ts
rg "createServer"
rg -n 'useEffect\\(' src
rg -l TODO | sort
rg --files | head
sed -n '1,50p' src/app.ts
sed -i 's/foo/bar/g' src/app.ts
awk '{print $1}' data.txt
sort data.txt | uniq -c | sort -rn | head -10
cut -d, -f1,3 data.csv
tr a-z A-Z
diff -u old.txt new.txt
tree -L 2
du -sh node_modules
df -h
pwd
cd src && ls
cd packages/core && npm test
mkdir -p src/components
touch src/new.ts
cp .env.example .env
cp -r src dist
mv old.ts new.ts
rm -rf dist
rm -rf node_modules package-lock.json && npm install
ln -s ../shared shared
chmod +x scripts/deploy.sh
echo hello
echo "hello world" > hello.txt
echo 'export default {}' >> config.js
printf '%s\\n' one two
npm test > test.log 2>&1
npm run build 2>&1 | tail -20
npm test 2>/dev/null
make 2> errors.txt
cargo test 2>&1 | grep FAILED
which node
type python3
env | grep PATH
echo $PATH
export NODE_ENV=production
NODE_ENV=test npm test
CI=1 npx vitest run
ps aux | grep node
kill 12345
lsof -i :3000
curl -s http://localhost:3000/health
curl -X POST -H 'Content-Type: application/json' -d '{"name":"ann"}' http://localhost:3000/users
curl -sSL https://example.com/data.json | jq .items
jq '.dependencies' package.json
jq -r '.scripts | keys[]' package.json
wget -q https://example.com/file.tar.gz
tar -xzf file.tar.gz
tar -czf out.tar.gz src docs
unzip archive.zip -d out
docker ps
docker build -t app:latest .
docker compose up -d
docker run --rm -p 8080:80 nginx
docker logs web --tail 100
docker exec web ls /app
kubectl get pods -n default
kubectl logs deploy/web --tail=50
terraform plan
psql -c 'select count(*) from users' app
sqlite3 app.db ".tables"
redis-cli ping
ssh user@host uptime
date
date +%Y-%m-%d
whoami
uname -a
sleep 1
true
timeout 30 npm test
time npm run build
nohup node server.js
xargs -n 1 basename
test -f package.json && echo yes
command -v docker
sudo apt-get update
gh pr list
gh pr view 12 --json title,body
gh issue create --title "Bug: crash" --body 'It crashes.'
npx playwright test --project=chromium
deno run --allow-net server.ts
bun test
javac Main.java && java Main
gcc -Wall -o main main.c && ./main
g++ -std=c++20 main.cpp -o main
zig build
swift build
for f in src/*.ts; do wc -l $f; done
if [ -f .env ]; then cat .env; fi
`
  .split('\n')
  .filter((line) => line !== '')
