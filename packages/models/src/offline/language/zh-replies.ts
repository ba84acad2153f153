/** What the offline model says in Chinese. */
import type { Replies } from './pack.ts'

const list = (items: readonly string[]): string => items.join('、')

/** Chinese sentences. */
export const chineseReplies: Replies = {
  label: '我是 Loom 的离线模型：只有固定的规则，不是语言模型。',
  needMark: '我还需要',
  hello: () => '我用给我的工具完成直白的请求。',
  greeting: () => '你好！我用给我的工具完成直白的请求。',
  cannot: (raw) => `这件事我做不到：“${raw}”。我的规则没有找到合适的工具，所以什么都没有做。`,
  negated: (raw) => `你要求不做：“${raw}”。什么都没有做。`,
  unsure: (tools) => `我不确定你指的是哪个工具：${list(tools)}。说出它的名字，我就用它。什么都没有做。`,
  notAll: (raw) => `这个请求我只听懂了一部分，所以什么都没有做。这一部分我做不到：“${raw}”。`,
  leftAlone: (raw) => `这一句我的规则不懂，没有理会：“${raw}”。`,
  tooLong: (characters) => `这段话有 ${characters} 个字符，我的规则只读简短的请求；长的文字请放在引号里。什么都没有做。`,
  abilities: (tools) =>
    tools.length === 0
      ? '这里没有工具。我会计算，比如 2 + 2 * 10。'
      : `我会计算，也能使用这些工具：\n${tools.map(({ name, needs }) => `- ${name}${needs.length > 0 ? `（需要 ${list(needs)}）` : ''}`).join('\n')}\n请用直白的话说要做什么，名称、路径和文字放在引号里。`,
  need: (tool, fields) => `我还需要 ${list(fields)} 才能使用 ${tool}。请告诉我；你没有说的，我不会编造。`,
  noWords: () => '我不会自己写文章；请把要写的文字放在引号里。',
  result: (tool, text) => (text.includes('\n') ? `${tool}：\n${text}` : `${tool}：${text}`),
  empty: (tool) => `${tool} 没有返回内容。`,
  wrote: (path) => `已写入 ${path}。`,
  summary: (path, text) => `${path} 的摘要（摘自原文的句子）：\n${text}`,
  failed: (tool, reason) => `${tool} 失败：${reason}`,
  denied: (tool, reason) => `没有获准使用 ${tool}${reason === '' ? '' : `（${reason}）`}，所以没有执行，也不会再试。`,
  repaired: (tool) => `第一次调用 ${tool} 的参数不合适，我按错误提示改正了。`,
  left: (tools) => `没有再做：${list(tools)}。`,
  incomplete: (tool) => `${tool} 返回的内容不完整，所以没有写到任何地方。可以要一份摘要，或者少读几行。`,
  cut: (characters) => `[…… 还有 ${characters} 个字符]`,
  sum: (expression, value) => `${expression} = ${value}`,
}
