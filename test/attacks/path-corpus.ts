/** Paths that try to leave the root of the file tools: by their text, by what is there, and in forms that some system reads in another way. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { World } from '../../packages/tools/test/world.ts'

/** One form of a path. */
export interface PathForm {
  readonly name: string
  readonly path: string | ((world: World) => string)
  /** Makes what the path goes through. */
  readonly arrange?: (world: World) => void
  /** `refused`: no tool does anything. `inside`: it is an ordinary name here, and stays inside. */
  readonly expect: 'refused' | 'inside'
}

const target = 'outside/secret.txt'
const refused = (paths: readonly PathForm['path'][]): readonly PathForm[] =>
  paths.map((path) => ({ name: typeof path === 'string' ? JSON.stringify(path.slice(0, 60)) : String(path).slice(0, 60), path, expect: 'refused' }))
const inside = (paths: readonly string[]): readonly PathForm[] => paths.map((path) => ({ name: JSON.stringify(path), path, expect: 'inside' }))

const ups = ['..', './..', './/..', 'a/../..', 'a/./../..', 'a/b/../../..', '.././', '../.', '..//', './a/.././..']
const tails = ['', '/', '/outside', `/${target}`, `//outside//secret.txt`, '/root-evil/secret.txt', '/../../../../../../../../etc/passwd']
const traversal = ups.flatMap((up) => tails.map((tail) => `${up}${tail}`))

const absolute: readonly PathForm['path'][] = [
  '/',
  '//',
  '/etc/passwd',
  '//etc/passwd',
  '///etc//passwd',
  '/./etc/passwd',
  '/proc/self/environ',
  '/proc/self/root/etc/passwd',
  '/proc/self/cwd',
  '/dev/stdin',
  '/dev/fd/0',
  (world) => join(world.outside, 'secret.txt'),
  (world) => `${world.root}/../${target}`,
  (world) => `${world.root}-evil/secret.txt`,
  (world) => world.root,
  '~',
  '~/',
  '~/.ssh/id_rsa',
  '~/../x',
]

const windows: readonly string[] = [
  'C:\\Windows\\win.ini',
  'C:/Windows/win.ini',
  'c:evil.txt',
  'D:',
  'Z:..\\..\\x',
  '\\\\server\\share\\x',
  '\\\\?\\C:\\x',
  '\\\\.\\PhysicalDrive0',
  '\\??\\C:\\x',
  '//?/C:/x',
  '//./pipe/x',
  '//server/share/x',
  '..\\outside\\secret.txt',
  '..\\/outside/secret.txt',
  'a\\..\\..\\outside\\secret.txt',
  'a\\..\\../../outside/secret.txt',
  '\\..\\outside\\secret.txt',
  '\\',
  'a\\',
]

const characters = (points: readonly number[]): readonly string[] =>
  points.flatMap((point) => [`..${String.fromCodePoint(point)}/${target}`, `a${String.fromCodePoint(point)}b.txt`])
const range = (from: number, to: number): readonly number[] => Array.from({ length: to - from + 1 }, (_, index) => from + index)
/** Control characters, marks of direction, characters without width, ends of lines. */
const invisible = [
  ...range(0x00, 0x1f),
  0x7f,
  ...range(0x80, 0x9f).filter((point) => point % 4 === 1),
  0xad,
  0x34f,
  0x61c,
  0x115f,
  0x180e,
  ...range(0x200b, 0x200f),
  ...range(0x2028, 0x202e),
  ...range(0x2060, 0x2069),
  0x3164,
  0xfe0f,
  0xfeff,
  0xffa0,
  0xe0001,
  0xe0020,
]

const malformed = ['\ud800/secret.txt', '..\udc00/x', 'a/'.repeat(2500), 'a'.repeat(256), '字'.repeat(86), `${'x/'.repeat(2100)}..`]

/** Names that decoders, shells, other file systems or people read in another way. Here they are names like others. */
const lookalikes = [
  `%2e%2e/${target}`,
  `%2e%2e%2f${target}`,
  `..%2f${target}`,
  `%252e%252e%252f${target}`,
  `..%c0%af${target}`,
  `%c0%ae%c0%ae/${target}`,
  `..%00/${target}`,
  `..%5c${target}`,
  `．．/${target}`,
  `．．／${target}`,
  `‥/${target}`,
  `..／${target}`,
  `..∕${target}`,
  `..⁄${target}`,
  `․․/${target}`,
  `&#46;&#46;/${target}`,
  `..;/${target}`,
  `0x2e0x2e/${target}`,
  `file:///${target}`,
  `file:%2f%2f/${target}`,
  `.. /${target}`,
  `.../${target}`,
  `..../${target}`,
  `.. ./${target}`,
  ` ../${target}`.trim().replace('../', '.. ./'),
  '~root/x',
  '$HOME/x',
  '$(pwd)/x',
  '`pwd`',
  '%USERPROFILE%/x',
  'CON',
  'nul',
  'aux.txt',
  'COM1',
  'lpt9.log',
  'com¹',
  'CONIN$',
  'a.txt::$DATA',
  'a:stream',
  'PROGRA~1/x',
  'name.',
  'name ',
  'name. .',
  '-rf',
  '--files',
  '*',
  '[a]',
  '{a,b}',
  'a|b',
  'a;b',
  'a&b',
  "a'b",
  'a"b',
  'd/../x',
]

const link =
  (to: string, name: string) =>
  (world: World): void =>
    symlinkSync(to.replace('{outside}', world.outside).replace('{root}', world.root), world.inRoot(name))

const through = (name: string, path: string, ...arrange: readonly ((world: World) => void)[]): PathForm => ({
  name,
  path,
  arrange: (world) => {
    for (const each of arrange) each(world)
  },
  expect: 'refused',
})

const folder =
  (name: string) =>
  (world: World): void =>
    void mkdirSync(world.inRoot(name), { recursive: true })

const links: readonly PathForm[] = [
  through('a link to a file outside', 'l', link(`../${target}`, 'l')),
  through('an absolute link', 'l', link('{outside}/secret.txt', 'l')),
  through('a link to a folder outside', 'd/secret.txt', link('{outside}', 'd')),
  through('a link to a folder outside, itself', 'd', link('{outside}', 'd')),
  through('a new file behind a link', 'd/new.txt', link('{outside}', 'd')),
  through('new folders behind a link', 'd/deep/er/new.txt', link('{outside}', 'd')),
  through('a link to the parent', 'up/outside/secret.txt', link('..', 'up')),
  through('a link to the parent of the root by its path', 'up/outside/secret.txt', link('{root}/..', 'up')),
  through('a link to the root of the disk', 'r/etc/passwd', link('/', 'r')),
  through('a chain of links', 'one', link('two', 'one'), link('three', 'two'), link(`../${target}`, 'three')),
  through('a chain of folders', 'a/b/secret.txt', folder('x'), link('x', 'a'), (world) => symlinkSync(world.outside, world.inRoot('x', 'b'))),
  through('a link in a linked folder', 'b/out/secret.txt', folder('a'), link('a', 'b'), (world) =>
    symlinkSync(world.outside, world.inRoot('a', 'out')),
  ),
  through('a link to itself', 'l', link('l', 'l')),
  through('two links to each other', 'l', link('m', 'l'), link('l', 'm')),
  through('a loop of folders', 'a/x', link('b', 'a'), link('a', 'b')),
  through('a link to nothing outside', 'l', link('../outside/new.txt', 'l')),
  through('a folder link to nothing outside', 'd/new.txt', link('../outside/made', 'd')),
  through('a link with the prefix of the root', 'l/secret.txt', link('{root}-evil', 'l'), (world) => {
    mkdirSync(`${world.root}-evil`)
    writeFileSync(`${world.root}-evil/secret.txt`, 'the-secret-outside')
  }),
  through('the environment of the process', 'env', link('/proc/self/environ', 'env')),
  through('the memory of the process', 'mem', link('/proc/self/mem', 'mem')),
  through('an open file of the process', 'fd', link('/proc/self/fd/0', 'fd')),
  through('the root by the process', 'p/etc/passwd', link('/proc/self/root', 'p')),
  through('a device', 'zero', link('/dev/zero', 'zero')),
  through('a pipe', 'pipe', (world) => void execFileSync('mkfifo', [world.inRoot('pipe')])),
  through('below a file', 'f/new.txt', (world) => writeFileSync(world.inRoot('f'), 'x')),
]

/** All forms. */
export const pathForms: readonly PathForm[] = [
  ...refused([...traversal, ...absolute, ...windows, ...characters(invisible), ...malformed]),
  ...inside(lookalikes),
  ...links,
]
